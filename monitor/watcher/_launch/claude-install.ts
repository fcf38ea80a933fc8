/** Before a watcher starts: is there a Claude Code of our own to respawn agents with (contract 06 §11.4)? */
import { join } from "node:path";
import type { Home } from "../../_state/home.ts";
import { installFailurePath } from "../../_state/install-failure.ts";
import type { Doors } from "../../_sys/doors.ts";
import { programArgv, programName } from "../../_sys/names.ts";

const LIMIT_MS = 10 * 60_000;

/** Runs the installer when it is missing. A failure leaves a flag for the startup sweep and never stops the start. */
export async function installMissingClaude(
	doors: Pick<Doors, "files" | "clock" | "log" | "proc">,
	home: Home,
): Promise<void> {
	const { files, proc, log } = doors;
	const claude = join(home.codeRoot, "node_modules/.bin/claude");
	if (files.stat(claude).kind !== "absent") return;
	log.info(`no Claude Code at ${claude}; installing`);
	const argv = programArgv(proc.execPath, "installClaude", [], home.codeRoot);
	const done = await proc.exec(argv, {
		timeoutMs: LIMIT_MS,
		cwd: home.codeRoot,
	});
	if (done.kind === "exited" && done.rc === 0) return;
	const said = "stderr" in done ? done.stderr.trim() : "";
	const rc = done.kind === "exited" ? `rc=${done.rc}` : done.kind;
	files.writeAtomic(
		installFailurePath(home.stateDir, doors.clock.now()),
		`${said || `${programName("installClaude")} failed (${rc}) without a word`}\n`,
	);
	log.warn(`Claude Code could not be installed (${rc}); going on without`);
}
