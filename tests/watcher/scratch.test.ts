import { expect, test } from "bun:test";
import {
	scratchPrefix,
	sweepScratch,
} from "../../monitor/watcher/_startup/scratch.ts";
import { fakeDoors } from "../fakes/doors.ts";

test("a start removes what killed predecessors of its state dir left, and nobody else's", () => {
	const { files } = fakeDoors();
	const left = files.makeTempDir(scratchPrefix("/srv/a/state"));
	const others = files.makeTempDir(scratchPrefix("/srv/b/state"));
	const own = files.makeTempDir(scratchPrefix("/srv/a/state"));
	for (const dir of [left, others, own])
		files.writeAtomic(`${dir}/compose-current`, "x");
	sweepScratch(files, "/srv/a/state", own);
	expect(files.stat(left).kind).toBe("absent");
	expect(files.stat(others).kind).toBe("ok");
	expect(files.stat(`${own}/compose-current`).kind).toBe("ok");
});
