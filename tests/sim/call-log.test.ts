/** What a night that broke says of the doors: the last calls that changed something. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { callLog } from "../../sim/call-log.ts";
import type { DoorCall } from "../../sim/door-call.ts";
import { play } from "../../sim/run.ts";
import { warmUp } from "../../sim/warm-up.ts";

setDefaultTimeout(60_000);

const write: DoorCall = { door: "files", op: "writeAtomic", on: "/s/x" };

test("what only looks is left out, what is repeated stands there once, and the oldest go", () => {
	const log = callLog(3);
	log.note("01:00:00", 7, { door: "files", op: "read", on: "/s/x" });
	log.note("01:00:00", 7, { door: "tmux", op: "panes", on: "" });
	log.note("01:00:00", 7, { door: "proc", op: "stat", on: "" });
	for (const at of ["01:00:01", "01:00:02", "01:00:02", "01:00:03"])
		log.note(at, 7, write);
	log.note("01:00:04", 8, { door: "tmux", op: "run", on: "kill-window" });
	expect(log.lines()).toEqual([
		"01:00:02 7 files.writeAtomic /s/x (2x)",
		"01:00:03 7 files.writeAtomic /s/x",
		"01:00:04 8 tmux.run kill-window",
	]);
});

test("a played night tells its calls, and its trace the one at which a watcher was killed", async () => {
	await warmUp();
	const calls: string[] = [];
	const kill = { do: "kill", calls: 3, of: "changes", torn: false } as const;
	const { world } = await play(
		{ seed: 1, schedule: [{ atMs: 60_000, act: kill }] },
		{
			onCall: (at, pid, { door, op }) =>
				calls.push(`${at} ${pid} ${door}.${op}`),
		},
	);
	expect(calls.some((call) => / files\.writeAtomic$/.test(call))).toBe(true);
	expect(calls.some((call) => / tmux\.run$/.test(call))).toBe(true);
	expect(world.trace.some((line) => /^ {2}killed at \w+ \//.test(line))).toBe(
		true,
	);
});
