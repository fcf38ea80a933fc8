/** Makes the shared files' folders where they are missing, and keeps them out of git (contract 09 §6.1). */
import { join } from "node:path";
import { ensureStore } from "../../_state/fleet/store.ts";
import { fail, ok } from "../failure.ts";
import type { R } from "../fleet.ts";
import { git } from "../git.ts";
import type { FleetDeps } from "../open.ts";
import type { FleetPlace } from "../paths.ts";

export async function ensureFleetStore(
	{ doors }: Pick<FleetDeps, "doors">,
	place: FleetPlace,
): R<void> {
	const common = await git(
		doors.proc,
		place.repoRoot,
		...["rev-parse", "--path-format=absolute", "--git-common-dir"],
	);
	if (common.kind !== "ok") return common;
	const exclude = join(common.value, "info/exclude");
	const made = ensureStore(doors.files, place.thrumDir, exclude);
	return made.kind === "ok" ? ok(undefined) : fail("failed", made.reason);
}
