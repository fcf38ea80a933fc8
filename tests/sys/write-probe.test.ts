import { expect, test } from "bun:test";
import {
	nearestExistingDir,
	probeWritable,
} from "../../monitor/_sys/write-probe.ts";
import { fakeDoors } from "../fakes/doors.ts";

function disk() {
	const { files } = fakeDoors();
	files.seedDir("/a/dir");
	files.seed("/a/file", "");
	files.seedDir("/b");
	files.seedLink("/b", "/a/link");
	files.seedLink("/b/missing/deep", "/a/dangling");
	files.seedLink("loop", "/a/loop");
	return files;
}

test.each([
	["/a/dir", "/a/dir"],
	["/a/dir/new/newer", "/a/dir"],
	["/a/file", "/a"],
	["/a/file/below", "/a"],
	["/a/link", "/b"],
	["/a/link/new", "/b"],
	["/a/dangling", "/b"],
	["/a/dangling/new", "/b"],
	["/a/loop", "/a"],
	["/nowhere/at/all", "/"],
])("what would be made at %s is made in %s", (path, dir) => {
	expect(nearestExistingDir(disk(), path)).toBe(dir);
});

test("a folder that takes no file is named with the reason, and nothing is left behind", () => {
	const files = disk();
	files.faults.fail({ ops: ["probe"], path: "/b", code: "EROFS" });
	expect(probeWritable(files, "/a/link/new")).toMatchObject({
		kind: "failed",
		code: "EROFS",
	});
	expect(probeWritable(files, "/a/dir")).toEqual({ kind: "ok" });
	expect(files.paths("/a/dir")).toEqual([]);
});
