import { beforeEach, describe, expect, test } from "bun:test";
import {
	emptyStaged,
	readStaged,
	stageDirOf,
	stageOut,
	sweepStageDir,
} from "../../monitor/_state/staging.ts";
import { type FakeClock, fakeClock } from "../fakes/clock.ts";
import { type FakeFiles, fakeFiles } from "../fakes/files.ts";

const DIR = "/s/scheduler-staging";
const STARTED = 1000.25;
let clock: FakeClock;
let files: FakeFiles;
beforeEach(() => {
	clock = fakeClock({ now: 1010 });
	files = fakeFiles(clock);
	files.seedDir(DIR);
});

describe("staged output", () => {
	test("is read back by the process that wrote it", () => {
		stageOut(files, DIR, "t", "row\n", STARTED);
		expect(readStaged(files, DIR, "t", STARTED)).toBe("row\n");
	});
	test("is read back although the clock has stepped back behind the start, each time anew", () => {
		clock.stepWall(-3_600_000);
		for (const text of ["row\n", "other\n"]) {
			stageOut(files, DIR, "t", text, STARTED);
			expect(readStaged(files, DIR, "t", STARTED)).toBe(text);
		}
	});
	test("of a predecessor is nobody's, even of the same second", () => {
		files.seed(`${DIR}/t.out`, "row\n", { mtime: 1000.2 });
		expect(readStaged(files, DIR, "t", STARTED)).toBeNull();
	});
	test("with zeros in it, as a power cut leaves them, is nothing", () => {
		files.seed(`${DIR}/t.out`, `row\n${"\0".repeat(64)}`);
		expect(readStaged(files, DIR, "t", STARTED)).toBeNull();
	});
	test("is emptied after its rows were delivered, and an absent file stays absent", () => {
		stageOut(files, DIR, "t", "row\n", STARTED);
		emptyStaged(files, DIR, "t");
		emptyStaged(files, DIR, "u");
		expect(readStaged(files, DIR, "t", STARTED)).toBe("");
		expect(files.has(`${DIR}/u.out`)).toBe(false);
	});
});

test("at startup half-written files of a predecessor go, staged rows stay", () => {
	for (const name of ["a.rc", "a.out", "a.err", "a.out.tmp.77"])
		files.seed(`${DIR}/${name}`, "");
	sweepStageDir(files, DIR);
	expect(files.paths(DIR)).toEqual([`${DIR}/a.err`, `${DIR}/a.out`]);
});

test("the stage folder is the state dir's unless the environment names another", () => {
	expect(stageDirOf("/s")).toBe("/s/scheduler-staging");
	expect(stageDirOf("/s", "/elsewhere")).toBe("/elsewhere");
});
