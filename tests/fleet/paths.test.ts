import { beforeEach, describe, expect, test } from "bun:test";
import {
	findPlace,
	repoRoot,
	resolveThrumDir,
} from "../../monitor/_fleet/paths.ts";
import {
	readWatchParams,
	watchParamsPath,
} from "../../monitor/_state/fleet/watch-params.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

let doors: FakeDoors;
beforeEach(() => {
	doors = fakeDoors();
});
const redirect = (text: string) => {
	doors.files.seed("/w/.thrum/redirect", text);
	return resolveThrumDir(doors.files, "/w");
};

describe("the shared folder", () => {
	beforeEach(() => {
		doors.files.seedDir("/w/.thrum");
		doors.files.seedDir("/m y/.thrum");
	});

	test("is the worktree's own without a redirect", () => {
		expect(resolveThrumDir(doors.files, "/w")).toEqual({
			ok: true,
			dir: "/w/.thrum",
		});
	});

	test("is where the redirect leads, blanks in the path and all", () => {
		expect(redirect(" /m y/.thrum \n")).toEqual({
			ok: true,
			dir: "/m y/.thrum",
		});
	});

	test.each([
		["nothing", " \n"],
		["no absolute folder", "rel/x"],
		["a folder that is not there", "/gone/.thrum"],
	])(
		"is refused when the redirect names %s, and never the local tree",
		(_, text) => {
			expect(redirect(text).ok).toBe(false);
		},
	);

	test("is refused when it leads on to another redirect", () => {
		doors.files.seed("/m y/.thrum/redirect", "/w/.thrum");
		expect(redirect("/m y/.thrum").ok).toBe(false);
	});

	test("is refused when the redirect cannot be read", () => {
		doors.files.seedDir("/w/.thrum/redirect");
		expect(resolveThrumDir(doors.files, "/w").ok).toBe(false);
	});
});

test("params are read where the redirect leads, whichever file holds what", () => {
	const led = "/m/.thrum";
	doors.files.seedDir(led);
	const found = redirect(`${led}\n`);
	const dir = found.ok ? found.dir : "";
	expect(watchParamsPath(dir, "w")).toBe(`${led}/agents/w/watch_params.json`);
	const own = watchParamsPath("/w/.thrum", "w");
	for (const [there, here] of [
		["a", "b"],
		["b", "a"],
	]) {
		doors.files.seed(watchParamsPath(led, "w"), `{"roster": ["${there}"]}`);
		doors.files.seed(own, `{"roster": ["${here}"]}`);
		expect(readWatchParams(doors.files, dir, "w")).toMatchObject({
			params: { roster: [{ agentId: there }] },
		});
	}
});

describe("the root", () => {
	test("is the nearest ancestor with a .thrum folder, whatever THRUM_HOME says", async () => {
		doors.files.seedDir("/a/.thrum");
		doors.proc.env.THRUM_HOME = "/stale";
		expect(await repoRoot(doors, "/a/b/c")).toBe("/a");
	});

	test("is no home folder that holds only other repositories' worktrees", async () => {
		doors.files.seedDir("/home/ana/.thrum/worktrees/other");
		doors.proc.answer("git", { stdout: "/home/ana/app\n" });
		expect(await repoRoot(doors, "/home/ana/app/src")).toBe("/home/ana/app");
		doors.files.seed("/home/ana/.thrum/config.json", "{}");
		expect(await repoRoot(doors, "/home/ana/app/src")).toBe("/home/ana");
	});

	test("leads nowhere by a redirect to itself, or round in a circle", () => {
		for (const [from, to] of [
			["/x", "/y"],
			["/y", "/x"],
			["/z", "/z"],
		])
			doors.files.seed(`${from}/.thrum/redirect`, `${to}/.thrum\n`);
		for (const root of ["/x", "/y", "/z"])
			expect(resolveThrumDir(doors.files, root).ok).toBe(false);
	});

	test("is THRUM_HOME when there is none", async () => {
		doors.proc.env.THRUM_HOME = "/home/fleet";
		expect(await repoRoot(doors, "/a/b")).toBe("/home/fleet");
	});

	test("is git's top level when nobody says anything", async () => {
		doors.proc.answer("git", "/a\n");
		expect(await repoRoot(doors, "/a/b")).toBe("/a");
	});

	test("is nowhere outside a repository", async () => {
		doors.proc.answer("git", 128);
		expect((await findPlace(doors, "/a/b")).kind).toBe("refused");
	});
});
