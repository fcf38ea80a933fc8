/** Where root and state are: environment, configuration, checkout, never the folder one stands in (contract 05 §2.4). */
import { describe, expect, test } from "bun:test";
import { resolveHome } from "../../monitor/_state/home.ts";
import { primaryRoot } from "../../monitor/_state/state-dir.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { ngRig } from "./rig.ts";

/** A folder that looks like a checkout of nexus. */
function checkout(doors: FakeDoors, at: string): void {
	doors.files.seedDir(`${at}/config`);
	doors.files.seed(`${at}/monitor/ng`, "", { mode: 0o755 });
}

describe("the state dir", () => {
	const WORKTREE = "/p/work/x";
	test.each<[string, Record<string, string>, string | null, string, string]>([
		[
			"NEXUS_STATE_DIR, itself",
			{ NEXUS_STATE_DIR: "/e", NEXUS_ROOT: "/a" },
			"/b",
			"/w",
			"/e",
		],
		["below NEXUS_ROOT", { NEXUS_ROOT: "/a" }, "/b", "/w", "/a/monitor/.state"],
		["below nexus.root", {}, "/b", WORKTREE, "/b/monitor/.state"],
		["below the checkout", {}, null, "/w", "/w/monitor/.state"],
		[
			"below the primary checkout of a worker's clone; the template's root is none",
			{},
			"/path/to/nexus",
			WORKTREE,
			"/p/monitor/.state",
		],
		[
			"where empty values say nothing",
			{ NEXUS_STATE_DIR: "", NEXUS_ROOT: "" },
			"",
			"/w",
			"/w/monitor/.state",
		],
	])("is %s", (_, env, configRoot, codeRoot, stateDir) => {
		const doors = fakeDoors();
		for (const root of ["/p", "/w", WORKTREE]) checkout(doors, root);
		const home = resolveHome(env, configRoot, codeRoot, doors.files);
		expect(home).toMatchObject({ stateDir, codeRoot });
	});
});

describe("the primary checkout of", () => {
	const look = (dir: string, ...roots: string[]) => {
		const doors = fakeDoors();
		doors.files.seedDir(dir);
		for (const root of roots) checkout(doors, root);
		return primaryRoot(dir, doors.files);
	};
	test.each([
		["a checkout that stands alone", "/w", ["/w"], "/w"],
		["a clone in its work folder", "/p/work/x", ["/p"], "/p"],
		["a clone in a clone", "/p/work/x/work/y", ["/p"], "/p"],
		[
			"the nearest that is one",
			"/p/work/x/work/y",
			["/p", "/p/work/x"],
			"/p/work/x",
		],
		["a work folder of something else", "/home/work/x", [], "/home/work/x"],
		[
			"a folder that only ends in work",
			"/p/homework/x",
			["/p"],
			"/p/homework/x",
		],
	])("%s", (_, dir, roots, primary) => {
		expect(look(dir, ...roots)).toBe(primary);
	});

	test("nothing is nothing", () => {
		const { files } = fakeDoors();
		expect([primaryRoot("", files), primaryRoot("/gone", files)]).toEqual([
			null,
			null,
		]);
	});

	test("a folder without a program of that name is none", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/p/work/x");
		doors.files.seedDir("/p/config");
		doors.files.seed("/p/monitor/ng", "", { mode: 0o644 });
		expect(primaryRoot("/p/work/x", doors.files)).toBe("/p/work/x");
	});
});

describe.each([
	["log-action", ["v", "--event", "q"]],
	["decision-ack", ["w", "--all"]],
	["engaged-done", ["--window", "w"]],
	["suppress-emit", ["7"]],
])("ng %s needs no more than the state dir:", (verb, args) => {
	const BROKEN = "nexus: [\n";

	test("a file that cannot be used is said, and stands in nobody's way, while the environment names the root", async () => {
		const rig = ngRig();
		rig.doors.files.seed("/root/config/nexus.yml", BROKEN, { mode: 0o600 });
		const ran = await rig.ng(verb, ...args);
		expect(ran.rc).toBe(0);
		if (verb !== "log-action") expect(ran.err).toContain("nexus.yml:");
	});

	test("else it might name another root: refused, and nothing is made", async () => {
		const rig = ngRig({ NEXUS_ROOT: undefined });
		rig.doors.files.seed("/code/config/nexus.yml", BROKEN, { mode: 0o600 });
		const before = rig.doors.files.paths("/");
		const ran = await rig.ng(verb, ...args);
		expect([ran.rc, ran.out]).toEqual([1, ""]);
		expect(ran.err).toContain("nexus.yml:");
		expect(rig.doors.files.paths("/")).toEqual(before);
	});
});
