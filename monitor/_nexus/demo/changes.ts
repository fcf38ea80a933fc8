/** What happens in the demo's fleet: a report is written, a window rings, a worker asks. */
import { join } from "node:path";
import {
	decisionFileName,
	decisionFingerprint,
	decisionsDir,
	renderDecision,
} from "../../_state/decisions.ts";
import { PUBLISH_COMMAND } from "./script.ts";
import { type Stage, type Step, until } from "./stage.ts";
import { ASKER } from "./world.ts";

const REPORT_LIMIT_MS = 60_000;
const KIND = "permission_prompt";
const MESSAGE = "Claude needs your permission to use Bash";

/** Ends the reporter's job, and waits for the report that its Claude Code then writes. */
export function finishJob(stage: Stage): Promise<Step<true>> {
	const { files } = stage.doors;
	files.writeAtomic(stage.world.jobDone, "");
	return until(stage, "the worker's report", REPORT_LIMIT_MS, () =>
		files.stat(stage.world.reportPath).kind === "ok" ? true : null,
	);
}

export function ringBell({ doors, world }: Stage): void {
	doors.files.writeAtomic(world.buildDone, "");
}

/** Files the question that stands on the asker's screen, as the notification hook does; gives the file's path. */
export function fileDecision(
	{ doors, world }: Stage,
	sessionId: string,
): string {
	const fingerprint = decisionFingerprint(ASKER, KIND, MESSAGE);
	const dir = decisionsDir(world.stateDir);
	const name = decisionFileName({ window: ASKER, fingerprint, handled: false });
	doors.files.mkdir(dir);
	doors.files.writeAtomic(
		join(dir, name),
		renderDecision({
			ts: doors.clock.iso(),
			window: ASKER,
			sessionId,
			kind: KIND,
			promptExcerpt: MESSAGE,
			toolContext: JSON.stringify({ command: PUBLISH_COMMAND }),
			fingerprint,
		}),
	);
	return join(dir, name);
}
