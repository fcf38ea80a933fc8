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

/** Idempotent; the shim is written anew each time, for our own path may have changed. */
export async function ensureFleetStore(
	{ doors }: Pick<FleetDeps, "doors">,
	place: FleetPlace,
): R<void> {
	const exclude = await excludeFileOf(doors, place.repoRoot);
	if (exclude.kind !== "ok") return exclude;
	const made = ensureStore(doors.files, place.thrumDir, exclude.value);
	if (made.kind !== "ok") return fail("failed", made.reason);
	const { execPath, env } = doors.proc;
	const shim = renderShim(programArgv(execPath, "thrumShim"), env);
	const written = writeShim(doors.files, place.thrumDir, shim);
	return written.kind === "ok" ? ok(undefined) : fail("failed", written.reason);
}

/** The repository's own, whichever of its worktrees asks. */
export async function excludeFileOf(
	{ proc }: Pick<FleetDeps["doors"], "proc">,
	repoRoot: string,
): R<string> {
	const common = await git(
		proc,
		repoRoot,
		...["rev-parse", "--path-format=absolute", "--git-common-dir"],
	);
	return common.kind === "ok" ? ok(join(common.value, "info/exclude")) : common;
}
