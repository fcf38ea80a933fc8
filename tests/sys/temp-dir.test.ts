import { expect, test } from "bun:test";
import { firstFolder, tempDir } from "../../monitor/_sys/temp-dir.ts";
import { fakeDoors } from "../fakes/doors.ts";

test.each([
	["a folder", "/scratch/job", "/scratch/job"],
	["one that is gone with its job", "/scratch/gone", "/tmp"],
	["a file", "/scratch/file", "/tmp"],
	["no whole path", "scratch", "/tmp"],
	["empty", "", "/tmp"],
	["not set", undefined, "/tmp"],
])("TMPDIR is %s", (_, TMPDIR, used) => {
	const doors = fakeDoors({ proc: { env: { TMPDIR } } });
	doors.files.mkdir("/scratch/job", 0o700);
	doors.files.seed("/scratch/file", "");
	expect(tempDir(doors)).toBe(used);
	expect(firstFolder(doors.files, ["/none", TMPDIR])).toBe(used);
});
