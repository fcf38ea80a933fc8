/** What every part of the `local` backend works with. */
import { soleIdentity } from "../../_state/fleet/identity.ts";
import { bareName, isAgentName, isUser } from "../../_state/fleet/names.ts";
import type { FleetDeps } from "../open.ts";
import type { FleetPlace } from "../paths.ts";

export interface LocalContext extends FleetDeps {
	readonly place: FleetPlace;
}

/** Who calls: by word of its starter, its environment, or the one identity of the worktree; null: nobody known. */
export function callerName({ as, doors, place }: LocalContext): string | null {
	const said = as ?? doors.proc.env.THRUM_NAME;
	const name = said
		? bareName(said)
		: soleIdentity(doors.files, place.repoRoot);
	// It is the name of folders, too: `../x` is nobody.
	return name !== null && (isAgentName(name) || isUser(name)) ? name : null;
}
