/** What a report's paste means for the watcher's own health (contract 04 §6.4). */
import { expect, test } from "bun:test";
import { emitDeps, paneHands } from "../../monitor/watcher/emit-wiring.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { STATE, watcherContext } from "./watcher-rig.ts";

test("a report that comes while a respawn briefs its orchestrator waits, and is no failure", async () => {
	const doors = fakeDoors({ auto: true });
	doors.files.seedDir(STATE);
	doors.tmux.window("orchestrator");
	doors.files.seed("/body.md", "a report\n");
	doors.locks.takenElsewhere(`${STATE}/paste-locks/orchestrator.lock`);
	const deps = emitDeps(paneHands(doors), false, null);
	const run = { doors, signal: new AbortController().signal };
	const rc = await deps.paste(watcherContext(doors), run)("/body.md");
	const before = { lastAt: null, failures: 2 };
	expect(deps.nextDeliveryState(before, rc, 3, 1)).toMatchObject({
		next: before,
		restart: false,
	});
});
