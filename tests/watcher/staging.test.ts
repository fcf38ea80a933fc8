import { beforeEach, describe, expect, test } from "bun:test";
import {
	emptyStaged,
	readStaged,
	stageDirOf,
	stageOut,
	sweepStageDir,
} from "../../monitor/_state/staging.ts";
import { fakeClock } from "../fakes/clock.ts";
import { type FakeFiles, fakeFiles } from "../fakes/files.ts";

const DIR = "/s/scheduler-staging";
const STARTED = 1000.25;
let files: FakeFiles;
beforeEach(() => {
	files = fakeFiles(fakeClock({ now: 1010 }));
	files.seedDir(DIR);
});

describe("staged output", () => {
	test("is read back by the process that wrote it", () => {
		stageOut(files, DIR, "t", "row\n", STARTED);
		expect(readStaged(files, DIR, "t", STARTED)).toBe("row\n");
	});
	test("of a predecessor is nobody's, even of the same second", () => {
		files.seed(`${DIR}/t.out`, "row\n", { mtime: 1000.2 });
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
