/** What every part of the `local` backend works with. */
import { soleIdentity } from "../../_state/fleet/identity.ts";
import { bareName } from "../../_state/fleet/names.ts";
import type { FleetDeps } from "../open.ts";
import type { FleetPlace } from "../paths.ts";

export interface LocalContext extends FleetDeps {
	readonly place: FleetPlace;
}

/** Who calls: by word of its starter, its environment, or the one identity of the worktree; null: nobody known. */
export function callerName({ as, doors, place }: LocalContext): string | null {
	const said = as ?? doors.proc.env.THRUM_NAME;
	if (said) return bareName(said);
	return soleIdentity(doors.files, place.repoRoot);
}
