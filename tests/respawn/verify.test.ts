/** The look at stamps before an orchestrator is taken for dead (contract 04 §13.1, 00 C8). */
import { expect, test } from "bun:test";
import { verifyTargetAbsent } from "../../monitor/watcher/_respawn/verify.ts";
import { fakeDoors } from "../fakes/doors.ts";

const STATE = "/root/monitor/.state";

test.each([
	["of a moment ago is a sign of life", 0, "abort"],
	["a little ahead is one", 30, "abort"],
	["from before the clock stepped back an hour is none", 3600, "proceed"],
])("a heartbeat %s", async (_what, ahead, kind) => {
	const doors = fakeDoors({ auto: true });
	doors.tmux.window("worker");
	const now = doors.clock.now();
	doors.files.seed(`${STATE}/orchestrator-heartbeat`, "", {
		mtime: now + ahead,
	});
	const ended = await verifyTargetAbsent(
		{
			doors,
			lookAt: async () => ({ kind: "gone", evidence: "none" }),
			root: "/root",
			stateDir: STATE,
			reprobeMs: 0,
		},
		"orchestrator",
		now - 8,
	);
	expect(ended.kind).toBe(kind as "abort");
});
