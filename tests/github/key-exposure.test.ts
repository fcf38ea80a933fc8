import { expect, test } from "bun:test";
import {
	exposureLines,
	keyExposure,
} from "../../monitor/_github/key-exposure.ts";
import { fakeDoors } from "../fakes/doors.ts";

const KEY = "/home/op/keys/app.pem";

function look(fileMode: number, homeMode: number, blind?: string) {
	const { files } = fakeDoors();
	files.mkdir("/home", 0o755);
	files.mkdir("/home/op", homeMode);
	files.mkdir("/home/op/keys", 0o755);
	files.seed(KEY, "key", { mode: fileMode });
	if (blind !== undefined)
		files.faults.fail({ path: blind, ops: ["stat"], code: "EACCES" });
	return keyExposure(files, KEY);
}

test.each([
	["0600", 0o600, 0o755, undefined, "ok"],
	["0400", 0o400, 0o755, undefined, "ok"],
	["0640", 0o640, 0o755, undefined, "group-visible"],
	["0644 in an open home", 0o644, 0o755, undefined, "exposed"],
	["0604 in an open home", 0o604, 0o711, undefined, "exposed"],
	["0644 in a sealed home", 0o644, 0o700, undefined, "contained"],
	[
		"0644 below a folder that cannot be looked at",
		0o644,
		0o755,
		"/home",
		"unknown",
	],
	[
		"0644 in a sealed home below such a folder",
		0o644,
		0o700,
		"/home",
		"contained",
	],
	["that cannot be looked at itself", 0o600, 0o755, KEY, "unknown"],
] as const)("a key file %s", (_name, fileMode, homeMode, blind, verdict) => {
	expect(look(fileMode, homeMode, blind).verdict).toBe(verdict);
});

test("the folders that count are those of the file, not of a link to it", () => {
	const { files } = fakeDoors();
	files.mkdir("/open", 0o755);
	files.mkdir("/sealed", 0o700);
	files.seed("/sealed/app.pem", "key", { mode: 0o644 });
	files.seedLink("/sealed/app.pem", "/open/app.pem");
	expect(keyExposure(files, "/open/app.pem").verdict).toBe("contained");
});

test("the report names file, verdict, mode and reason", () => {
	expect(exposureLines(KEY, look(0o644, 0o755))).toEqual([
		`key: ${KEY}`,
		"verdict=exposed mode=0644 reason=every local user can reach and open it",
	]);
});
