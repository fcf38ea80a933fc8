import { expect, test } from "bun:test";
import { firstFolder, tempDir } from "../../monitor/_sys/temp-dir.ts";
import { fakeDoors } from "../fakes/doors.ts";

test.each([
	["a folder", "/scratch/job", "/scratch/job"],
	["one that is gone with its job", "/scratch/gone", "/tmp"],
	["a file", "/scratch/file", "/tmp"],
	["a folder that takes no file", "/scratch/full", "/tmp"],
	["no whole path", "scratch", "/tmp"],
	["empty", "", "/tmp"],
	["not set", undefined, "/tmp"],
])("TMPDIR is %s", (_, TMPDIR, used) => {
	const doors = fakeDoors({ proc: { env: { TMPDIR } } });
	doors.files.mkdir("/scratch/job", 0o700);
	doors.files.seed("/scratch/file", "");
	doors.files.mkdir("/scratch/full", 0o700);
	doors.files.faults.fail({
		path: /^\/scratch\/full/,
		ops: ["probe"],
		code: "EROFS",
	});
	expect(tempDir(doors)).toBe(used);
	expect(firstFolder(doors.files, ["/none", TMPDIR])).toBe(used);
});
