import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import {
	scratchPrefix,
	sweepScratch,
} from "../../monitor/watcher/_startup/scratch.ts";
import { fakeDoors } from "../fakes/doors.ts";

test("a start removes what killed predecessors of its state dir left, and nobody else's", () => {
	const doors = fakeDoors();
	const { files } = doors;
	const left = files.makeTempDir(scratchPrefix("/srv/a/state"));
	const others = files.makeTempDir(scratchPrefix("/srv/b/state"));
	const own = files.makeTempDir(scratchPrefix("/srv/a/state"));
	for (const dir of [left, others, own])
		files.writeAtomic(`${dir}/compose-current`, "x");
	sweepScratch(doors, "/srv/a/state", own);
	expect(files.stat(left).kind).toBe("absent");
	expect(files.stat(others).kind).toBe("ok");
	expect(files.stat(`${own}/compose-current`).kind).toBe("ok");
});

test.each([
	["nexus-text-ab12", 3601, false],
	["nexus-paste-ab12", 3601, false],
	["nexus-detect-ab12", 3601, false],
	["nexus-respawn-launch-32a528", 3601, false],
	["spawn-prompt-w-1.4711.txt", 3601, false],
	["spawn-launcher-w-1.4711", 3601, false],
	// Somebody may be at it.
	["nexus-paste-ab12", 3599, true],
	["nexus-respawn-launch-32a528", 10, true],
	// Not of ours, or not to be swept.
	["nexus-demo-ab12", 9999, true],
	["nexus-paste-", 9999, true],
	["my-nexus-paste-ab12", 9999, true],
	["nexus-paste-of-mine.txt", 9999, true],
	["spawn-prompt-notes.txt", 9999, true],
	["spawn-launcher-w", 9999, true],
])(
	"%s that was left %d s ago by a program that was killed stays: %p",
	(name, age, stays) => {
		const doors = fakeDoors();
		const { files, clock } = doors;
		const own = files.makeTempDir(scratchPrefix("/srv/a/state"));
		const path = join(dirname(own), name);
		files.writeAtomic(path, "x");
		files.touch(path, { at: clock.now() - age });
		sweepScratch(doors, "/srv/a/state", own);
		expect(files.stat(path).kind).toBe(stays ? "ok" : "absent");
	},
);
