/** Makes the shared files' folders and the agents' `thrum` where they are missing, and keeps them out of git (contract 09 §6.1). */
import { join } from "node:path";
import { renderShim, writeShim } from "../../_state/fleet/shim.ts";
import { ensureStore } from "../../_state/fleet/store.ts";
import { programArgv } from "../../_sys/names.ts";
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
	if (made.kind !== "ok") return fail("failed", made.reason);
	const { execPath, env } = doors.proc;
	const shim = renderShim(programArgv(execPath, "thrumShim"), env);
	const written = writeShim(doors.files, place.thrumDir, shim);
	return written.kind === "ok" ? ok(undefined) : fail("failed", written.reason);
}
