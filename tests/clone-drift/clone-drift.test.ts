/** The clone against its branch, with real git on folders of this machine (contract 06 §10). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integrationBranch } from "../../config/integration-branch.ts";
import { componentDriftSection } from "../../monitor/_emit/component-drift.ts";
import { readComparison } from "../../monitor/_github/compare.ts";
import {
	readDrift,
	readDriftSurfaced,
} from "../../monitor/_state/component-drift.ts";
import { lookForRemoteBranch } from "../../monitor/_sys/git-remote.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import {
	type CloneVerdict,
	decideClone,
} from "../../monitor/watcher/_clone_drift/decide.ts";
import { probeClone } from "../../monitor/watcher/_clone_drift/probe.ts";
import { cloneDriftTick } from "../../monitor/watcher/_clone_drift.ts";
import { watcherConfig } from "../config/watcher-config.ts";

const doors = realDoors();
const signal = new AbortController().signal;
let dir: string;
let clone: string;

beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "nexus-clone-"));
	clone = join(dir, "clone");
	git(dir, "init", "-q", "--bare", "-b", "dev", "origin");
	git(dir, "clone", "-q", join(dir, "origin"), "author");
	git(join(dir, "author"), "checkout", "-q", "-b", "dev");
	commit("first");
	git(dir, "clone", "-q", "-b", "dev", join(dir, "origin"), "clone");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function git(cwd: string, ...args: readonly string[]): string {
	const who = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
	const ran = Bun.spawnSync(["git", ...who, ...args], {
		cwd,
		env: { PATH: process.env.PATH ?? "", HOME: dir, GIT_CONFIG_NOSYSTEM: "1" },
	});
	if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
	return ran.stdout.toString().trim();
}
function commit(message: string): void {
	const author = join(dir, "author");
	git(author, "commit", "-q", "--allow-empty", "-m", message);
	git(author, "push", "-q", "origin", "dev");
}
const probe = (
	part: Partial<Parameters<typeof probeClone>[0]> = {},
): Promise<CloneVerdict | null> =>
	probeClone({
		doors,
		signal,
		dir: clone,
		branch: "dev",
		timeoutSeconds: 20,
		compare: async () => null,
		...part,
	});

describe("the probe", () => {
	test("of a clone at the tip", async () => {
		expect(await probe()).toEqual({ kind: "up-to-date" });
	});

	test("asks the remote itself: a stale tracking ref says nothing of now", async () => {
		commit("second");
		commit("third");
		expect(git(clone, "rev-parse", "HEAD")).toBe(
			git(clone, "rev-parse", "origin/dev"),
		);
		const tip = git(join(dir, "author"), "rev-parse", "HEAD");
		expect(await probe()).toMatchObject({ kind: "behind", tip, commits: null });
	});

	test("lets GitHub count while the tip's object is not here", async () => {
		const said = await probe({
			compare: async () => ({ aheadBy: 2, oldestAt: 77 }),
		});
		expect(said).toMatchObject({ kind: "behind", commits: 2, oldestAt: 77 });
		const none = { aheadBy: 0, oldestAt: null };
		expect(await probe({ compare: async () => none })).toEqual({
			kind: "up-to-date",
		});
	});

	test("counts by itself once it is here, and changes nothing in the clone", async () => {
		git(clone, "fetch", "-q", "origin");
		const before = git(clone, "for-each-ref");
		expect(await probe()).toMatchObject({ kind: "behind", commits: 2 });
		expect(git(clone, "for-each-ref")).toBe(before);
	});

	test("of a clone that is ahead", async () => {
		git(clone, "merge", "-q", "--ff-only", "origin/dev");
		git(clone, "commit", "-q", "--allow-empty", "-m", "own");
		expect(await probe()).toEqual({ kind: "up-to-date" });
	});

	test.each<
		[
			string,
			() => Parameters<typeof probe>[0],
			Extract<CloneVerdict, { kind: "unknown" }>["reason"],
		]
	>([
		["a folder that is no clone", () => ({ dir }), "not_a_git_repo"],
		[
			"a clone without a commit",
			() => {
				git(dir, "init", "-q", "empty");
				return { dir: join(dir, "empty") };
			},
			"no_local_head",
		],
		[
			"a branch that the remote does not have",
			() => ({ branch: "nosuch" }),
			"remote_tip_unresolved",
		],
	])("of %s", async (_, part, reason) => {
		expect(await probe(part())).toMatchObject({ kind: "unknown", reason });
	});

	test("knows a branch that the remote has not from a remote that does not answer", async () => {
		const look = (branch: string, at = clone) =>
			lookForRemoteBranch(doors.proc, at, branch, 20_000);
		expect(await probe({ branch: "nosuch" })).toMatchObject({
			isMissing: true,
		});
		expect(await look("dev")).toEqual({ kind: "there" });
		expect(await look("nosuch")).toEqual({ kind: "missing", head: "dev" });
		expect(await look("dev", dir)).toEqual({ kind: "no-clone" });
		const lonely = join(dir, "lonely");
		git(dir, "init", "-q", "lonely");
		expect((await look("dev", lonely)).kind).toBe("unknown");
		git(lonely, "commit", "-q", "--allow-empty", "-m", "own");
		expect(await probe({ dir: lonely })).toEqual({
			kind: "unknown",
			reason: "remote_tip_unresolved",
		});
	});

	test("a run that was ended has seen nothing", async () => {
		const ended = new AbortController();
		ended.abort();
		expect(await probe({ signal: ended.signal })).toBeNull();
	});
});

describe("what is told", () => {
	const NOW = 1_000_000;
	const behind = (commits: number | null, hours: number | null) =>
		decideClone(
			{
				kind: "behind",
				head: "h",
				tip: "t",
				commits,
				oldestAt: hours === null ? null : NOW - hours * 3600,
			},
			{ commits: 5, hours: 24 },
			NOW,
		);

	test.each<[number | null, number | null, string | null]>([
		[4, 23, null],
		[4, 23.99, null],
		[5, 1, "5 commit(s) are not deployed, the oldest is 1h old"],
		[5, null, "5 commit(s) are not deployed"],
		[1, 24, "1 commit(s) are not deployed, the oldest is 24h old"],
		[1, null, null],
		[
			null,
			null,
			"it is not the branch's tip; how many commits it lacks is not known",
		],
	])("%p commits, the oldest %p hours old: %p", (commits, hours, told) => {
		const news = behind(commits, hours);
		expect(news?.note ?? null).toBe(told);
		if (news !== null) expect(news).toMatchObject({ old: "h", word: "t" });
	});

	test("an unknown state is never told as fine", () => {
		const reason = "remote_tip_unresolved";
		expect(
			decideClone({ kind: "unknown", reason }, { commits: 5, hours: 24 }, NOW),
		).toEqual({ old: "", word: `undetermined-${reason}`, note: reason });
	});

	test("once for each tip; and it goes when the clone has caught up", async () => {
		const stateDir = join(dir, "state");
		const run = { signal, afterGap: false, log: () => {}, doors };
		const place = (branch: string, codeRoot = clone) => ({
			codeRoot,
			stateDir,
			config: watcherConfig({ "monitor.integration_branch": branch }),
		});
		const deliver = async () => {
			const made = await componentDriftSection({
				codeRoot: clone,
				stateDir,
				panesThisTick: async () => ({ kind: "no-tmux" }),
			}).render({ doors, signal });
			await made.commit();
			return made.text;
		};
		await cloneDriftTick(run, place("nosuch"), null);
		const unknown = await deliver();
		expect(unknown).toContain("DEPLOYMENT STATE UNKNOWN");
		expect(unknown).toContain("remote_tip_unresolved");
		expect(unknown).toContain(
			`git -C '${clone}' ls-remote origin 'refs/heads/nosuch'`,
		);
		expect(unknown).toContain("not a clean bill of health");
		expect(unknown).toContain("set monitor.integration_branch");
		await cloneDriftTick(run, place("nosuch"), null);
		expect(await deliver()).toBe("");

		commit("fourth");
		await cloneDriftTick(run, place("dev"), null);
		const told = await deliver();
		expect(told).toContain("the primary clone is BEHIND origin/dev");
		expect(told).toContain(`git -C '${clone}' pull --ff-only origin 'dev'`);
		expect(told).toContain("no worker is mid-flight");
		await cloneDriftTick(run, place("dev"), null);
		expect(await deliver()).toBe("");

		git(clone, "pull", "-q", "--rebase", "origin", "dev");
		await cloneDriftTick(run, place("dev"), null);
		expect(readDrift(doors.files, stateDir, "clone")).toBeNull();
		// What was told of it is over, too: the same tip is news again another time.
		expect(readDriftSurfaced(doors.files, stateDir, "clone")).toBeNull();
	});

	test("nothing by a run that was ended, and what was told stays", async () => {
		const stateDir = join(dir, "ended-state");
		const config = watcherConfig({ "monitor.integration_branch": "nosuch" });
		const place = { codeRoot: clone, stateDir, config };
		const run = { afterGap: false, log: () => {}, doors };
		await cloneDriftTick({ ...run, signal }, place, null);
		const told = readDrift(doors.files, stateDir, "clone");
		expect(told?.new).toBe("undetermined-remote_tip_unresolved");
		const ended = new AbortController();
		ended.abort();
		const onTip = watcherConfig({ "monitor.integration_branch": "dev" });
		const again = { ...place, config: onTip };
		expect(
			await cloneDriftTick({ ...run, signal: ended.signal }, again, null),
		).toEqual({ rc: 1 });
		expect(readDrift(doors.files, stateDir, "clone")).toEqual(told);
	});
});

describe("GitHub's comparison", () => {
	const first = (date: string) => ({ commit: { committer: { date } } });
	test.each([
		[
			{
				status: "ahead",
				ahead_by: 7,
				commits: [first("1970-01-01T00:01:00Z")],
			},
			{ aheadBy: 7, oldestAt: 60 },
		],
		[
			{ status: "diverged", ahead_by: 2, commits: [] },
			{ aheadBy: 2, oldestAt: null },
		],
		[
			{ status: "identical", ahead_by: 0 },
			{ aheadBy: 0, oldestAt: null },
		],
		[
			{ status: "behind", ahead_by: 0 },
			{ aheadBy: 0, oldestAt: null },
		],
		[{ status: "ahead" }, null],
		["<html>", null],
	])("%j", (data, said) => expect(readComparison(data)).toEqual(said));
});

describe("the branch", () => {
	const config = (changes: Parameters<typeof watcherConfig>[0] = {}) =>
		watcherConfig(changes);
	test.each([
		[
			"the environment first",
			"main",
			config(),
			{ branch: "main", source: "env" },
		],
		[
			"else the configuration",
			"",
			config({ "monitor.integration_branch": "trunk" }),
			{ branch: "trunk" },
		],
		["else dev", "", config(), { branch: "dev" }],
		[
			"and dev, said to be a guess, without a configuration",
			"",
			null,
			{ branch: "dev", source: "unread" },
		],
	])("%s", (_, env, from, wanted) => {
		expect(
			integrationBranch(from, { MONITOR_INTEGRATION_BRANCH: env }),
		).toMatchObject(wanted);
	});
});
