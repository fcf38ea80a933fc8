/** The demo's watcher: started as an operator's is, through the launcher. */

import { watcherLogPath } from "../../_state/watcher-log.ts";
import { peekWatcherPid } from "../../_state/watcher-pid.ts";
import { programArgv } from "../../_sys/names.ts";
import { done, failed, type Stage, type Step, until } from "./stage.ts";
import { TARGET } from "./world.ts";

const LAUNCH_LIMIT_MS = 60_000;
/** The first snapshot becomes the baseline; what happens before it cannot be told as a change. */
const BASELINE_LIMIT_MS = 90_000;

/** Resolves to the watcher's pid. */
export async function startWatcher(stage: Stage): Promise<Step<number>> {
	const { doors, world, env, codeRoot } = stage;
	const args = ["--target", TARGET];
	const ran = await doors.proc.exec(
		programArgv(doors.proc.execPath, "launcher", args, codeRoot),
		{
			timeoutMs: LAUNCH_LIMIT_MS,
			cwd: world.root,
			env,
			signal: stage.signal,
		},
	);
	if (ran.kind !== "exited") return failed(`launcher: ${ran.kind}`);
	if (ran.rc !== 0)
		return failed(`launcher: exit ${ran.rc}\n${ran.stderr.trim()}`);
	const pid = peekWatcherPid(doors.files, world.stateDir);
	return pid.kind === "ok"
		? done(pid.value)
		: failed("launcher: exit 0, but no watcher.pid");
}

const SWEPT = /startup sweep: (?:nothing open|\S+)$/m;

/** Waits until the watcher has its baseline, has made its first report and goes round. */
export function baselineTaken(stage: Stage): Promise<Step<true>> {
	const { doors, world } = stage;
	return until(stage, "the watcher's loop", BASELINE_LIMIT_MS, () => {
		const log = doors.files.read(watcherLogPath(world.stateDir));
		const text = log.kind === "ok" ? log.text : "";
		return text.includes("watcher up:") && SWEPT.test(text) ? true : null;
	});
}
