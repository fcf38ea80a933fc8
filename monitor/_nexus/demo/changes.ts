/** What happens in the demo's fleet by itself: a window rings, a worker asks. */
import { join } from "node:path";
import { decisionsDir, parseDecisionName } from "../../_state/decisions.ts";
import type { FollowedPanes } from "./panes.ts";
import { type Stage, type Step, until } from "./stage.ts";
import { ASKER } from "./world.ts";

/** The watcher finds the prompt on its rounds; Claude Code itself notifies when it has stood there for six seconds. */
const QUESTION_LIMIT_MS = 60_000;

/** A worker's window waits for this file and then rings. */
export function ringBell({ doors, world }: Stage): void {
	doors.files.writeAtomic(world.buildDone, "");
}

/** Brings the asker to its question; gives the path of the record that is then filed. */
export function awaitQuestion(
	stage: Stage,
	panes: FollowedPanes,
): Promise<Step<string>> {
	const { doors, world } = stage;
	doors.files.writeAtomic(world.askNow, "");
	const dir = decisionsDir(world.stateDir);
	return until(stage, "the decision", QUESTION_LIMIT_MS, async () => {
		await panes.look();
		const listed = doors.files.list(dir);
		const names = listed.kind === "ok" ? listed.names : [];
		const name = names.find((n) => parseDecisionName(n)?.window === ASKER);
		return name === undefined ? null : join(dir, name);
	});
}
