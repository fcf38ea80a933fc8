import { describe, expect, test } from "bun:test";
import {
	type Check,
	exitCodeOf,
	fail,
	ok,
	renderChecks,
	warn,
} from "../../monitor/_nexus/doctor/check.ts";
import { checkClone } from "../../monitor/_nexus/doctor/clone.ts";
import { checkConfig } from "../../monitor/_nexus/doctor/configuration.ts";
import { checkEnvironment } from "../../monitor/_nexus/doctor/environment.ts";
import {
	checkClock,
	checkFlock,
	checkLibc,
	checkSandbox,
	checkShell,
	checkStateDir,
	checkUser,
	loginShell,
} from "../../monitor/_nexus/doctor/host.ts";
import {
	checkBun,
	checkClaude,
	checkDiff,
	checkGit,
	checkLogin,
	checkTmux,
} from "../../monitor/_nexus/doctor/programs.ts";
import { atLeast, versionIn } from "../../monitor/_nexus/doctor/version.ts";
import { run } from "../../monitor/_nexus/doctor.ts";
import type { RemoteBranch } from "../../monitor/_sys/git-remote.ts";
import { fakeClock } from "../fakes/clock.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { fakeFiles } from "../fakes/files.ts";
import { fakeLocks } from "../fakes/locks.ts";
import { NO_TMUX } from "../fakes/tmux.ts";

type Row = readonly [rule: string, check: Check, verdict: string, word: string];

/** One test a row: the verdict, and a word that the finding or the advice must hold. */
function table(rows: readonly Row[]): void {
	for (const [rule, check, verdict, word] of rows)
		test(rule, () => {
			expect(check.verdict).toBe(verdict as Check["verdict"]);
			expect(`${check.finding} ${check.advice}`).toContain(word);
		});
}

describe("programs", () => {
	const bun = { version: "1.4.5", onPath: true, projectBin: "/c/bin" };
	table([
		["bun on PATH is fine", checkBun(bun), "ok", "1.4.5"],
		[
			"bun off PATH is a warning with the PATH to set",
			checkBun({ ...bun, onPath: false }),
			"warn",
			"PATH=/c/bin:$PATH",
		],
		[
			"an old bun fails",
			checkBun({ ...bun, version: "1.1.38" }),
			"fail",
			"npm install -g bun",
		],
		["tmux 3.3a is fine", checkTmux("tmux 3.3a"), "ok", "3.3a"],
		["tmux 3.2 is the oldest", checkTmux("tmux 3.2"), "ok", "3.2"],
		["tmux 3.1c is too old", checkTmux("tmux 3.1c"), "fail", "older than 3.2"],
		["a tmux of tomorrow is fine", checkTmux("tmux next-3.6"), "ok", "3.6"],
		[
			"tmux from a branch is a warning",
			checkTmux("tmux master"),
			"warn",
			"3.2",
		],
		["no tmux fails", checkTmux(null), "fail", "apt-get install tmux"],
		["git is fine", checkGit("git version 2.39.5"), "ok", "2.39.5"],
		["an ancient git fails", checkGit("git version 2.7.4"), "fail", "2.11"],
		["no git fails", checkGit(null), "fail", "apt-get install git"],
		["diff is needed", checkDiff(false), "fail", "diffutils"],
		[
			"the pinned Claude Code is fine",
			checkClaude({ answer: "2.1.332 (Claude Code)", wanted: "2.1.332" }),
			"ok",
			"2.1.332",
		],
		[
			"another Claude Code is a warning with both versions",
			checkClaude({ answer: "2.1.400 (Claude Code)", wanted: "2.1.332" }),
			"warn",
			"2.1.400, while package.json pins 2.1.332",
		],
		[
			"no Claude Code fails",
			checkClaude({ answer: null, wanted: "2.1.332" }),
			"fail",
			"npm ci",
		],
		[
			"a Claude Code that is logged in is fine",
			checkLogin('{\n  "loggedIn": true,\n'),
			"ok",
			"account",
		],
		[
			"one without an account fails with the command that logs in",
			checkLogin('{"loggedIn":false}'),
			"fail",
			"claude auth login",
		],
		[
			"one that does not know the question accuses nobody",
			checkLogin("error: unknown command 'auth'"),
			"warn",
			"does not say",
		],
		["one that does not answer, neither", checkLogin(null), "warn", "look"],
	]);
});

describe("versions", () => {
	test.each([
		["3.3a", "3.2", true],
		["3.10", "3.9", true],
		["3", "3.0", true],
		["2.99.99", "3.0", false],
		["1.2.0", "1.2.0", true],
		["1.1.99", "1.2.0", false],
	])("%s is at least %s: %p", (version, oldest, answer) =>
		expect(atLeast(version, oldest)).toBe(answer),
	);

	test("no number, no version", () =>
		expect(versionIn("tmux master")).toBeNull());
});

describe("the machine", () => {
	const clock = { now: 2000, bootTime: 1000, newestWrite: 1900 };
	table([
		["glibc is fine", checkLibc(["ld-linux-x86-64.so.2"]), "ok", "glibc"],
		["musl fails", checkLibc(["ld-musl-x86_64.so.1"]), "fail", "musl"],
		[
			"musl beside glibc is fine",
			checkLibc(["ld-musl-x86_64.so.1", "ld-linux-x86-64.so.2"]),
			"ok",
			"glibc",
		],
		["an unknown loader is a warning", checkLibc([]), "warn", "Debian"],
		["a clock ahead of all files is sane", checkClock(clock), "ok", "sane"],
		[
			"two minutes of lag are allowed",
			checkClock({ ...clock, newestWrite: 2120 }),
			"ok",
			"sane",
		],
		[
			"a clock behind what is written fails",
			checkClock({ ...clock, newestWrite: 2121 }),
			"fail",
			"121 s behind",
		],
		[
			"a clock before the boot fails",
			checkClock({ ...clock, now: 900, newestWrite: null }),
			"fail",
			"timedatectl",
		],
		[
			"what is unknown accuses nobody",
			checkClock({ now: 1, bootTime: null, newestWrite: null }),
			"ok",
			"sane",
		],
		[
			"a writable state dir is fine",
			checkStateDir("/s", { kind: "ok" }),
			"ok",
			"/s",
		],
		[
			"a state dir on a read-only disk fails with its reason",
			checkStateDir("/s", {
				kind: "failed",
				code: "EROFS",
				reason: "read-only",
			}),
			"fail",
			"EROFS",
		],
		["a sandbox is fine", checkSandbox("in-sandbox"), "ok", "inside"],
		["an accepted risk is fine", checkSandbox("accepted"), "ok", "accepted"],
		[
			"no sandbox is a warning that says how to accept it",
			checkSandbox("refused"),
			"warn",
			"--i-accept-no-sandbox",
		],
		["an ordinary user is fine", checkUser(1000, undefined), "ok", "not root"],
		[
			"root fails: Claude Code would end at once",
			checkUser(0, undefined),
			"fail",
			"IS_SANDBOX=1",
		],
		["root in a sandbox is fine", checkUser(0, "1"), "ok", "sandbox"],
	]);

	test("a lock that is seen as held works", () => {
		const clock = fakeClock();
		const locks = fakeLocks(fakeFiles(clock), clock);
		const first = locks.hold("/s/lock");
		expect(checkFlock(first, locks.probe("/s/lock")).verdict).toBe("ok");
		if (first.kind === "acquired") first.lock.release();
		expect(checkFlock(first, locks.probe("/s/lock"))).toMatchObject({
			verdict: "fail",
			finding: "a lock that is held reads as free",
		});
	});
	table([
		[
			"another doctor at work is no failure",
			checkFlock({ kind: "held", text: "" }, { kind: "free" }),
			"warn",
			"look again",
		],
		[
			"a lock that cannot be opened fails",
			checkFlock({ kind: "cannot-open", reason: "EIO" }, { kind: "free" }),
			"fail",
			"EIO",
		],
	]);
});

describe("configuration", () => {
	const good = {
		kind: "ok",
		path: "/c/nexus.yml",
		warnings: [],
		placeholders: [],
		missing: [],
	} as const;
	const first = (facts: Parameters<typeof checkConfig>[0], at = 0) =>
		checkConfig(facts)[at]!;
	table([
		[
			"no file at all fails with the command to make one",
			first({ kind: "none", tried: ["/a", "/b"] }),
			"fail",
			"cp config/nexus.example.yml",
		],
		[
			"the template alone is no configuration",
			first({ kind: "example", path: "/c/nexus.example.yml" }),
			"fail",
			"chmod 600",
		],
		[
			"a bad file fails with the loader's own line",
			first({ kind: "bad", path: "/c", lines: ["config: /c:3: no"] }),
			"fail",
			"config: /c:3: no",
		],
		[
			"a mode that lets others write is mended by chmod",
			first({
				kind: "bad",
				path: "/c",
				lines: ["config: /c: mode 0664: its group may write it"],
			}),
			"fail",
			"chmod 600 /c",
		],
		[
			"a bot key is no duty of who has no GitHub App",
			first({ ...good, placeholders: ["github.bot_app_id = 0"] }, 1),
			"fail",
			"without a GitHub App",
		],
		["a good file is fine", first(good), "ok", "/c/nexus.yml"],
		["nothing left to fill in is fine", first(good, 1), "ok", "all set"],
		[
			"a warning of the loader is a warning",
			first({ ...good, warnings: ["mode 0644, expected 0600"] }, 1),
			"warn",
			"mode 0644",
		],
		[
			"a placeholder fails",
			first({ ...good, placeholders: ["github.repo = your-org/x"] }, 1),
			"fail",
			"github.repo = your-org/x",
		],
		[
			"a missing key fails",
			first({ ...good, missing: ["github.user_login"] }, 1),
			"fail",
			"github.user_login is not set",
		],
	]);
});

describe("the checkout's branch", () => {
	const check = (remote: RemoteBranch): Check =>
		checkClone("dev", remote)[0] ?? fail("", "", "");
	table([
		["that origin has is fine", check({ kind: "there" }), "ok", "origin/dev"],
		[
			"that origin has not is a warning, with the one to set",
			check({ kind: "missing", head: "main" }),
			"warn",
			"set monitor.integration_branch: main",
		],
		[
			"of an origin that names none, too",
			check({ kind: "missing", head: null }),
			"warn",
			"monitor.integration_branch",
		],
		[
			"cannot be asked for without an origin",
			check({ kind: "unknown", why: "'origin' does not appear to be git" }),
			"warn",
			"monitor.clone_drift.enabled: false",
		],
		["of no clone is none", check({ kind: "no-clone" }), "ok", "no git clone"],
	]);
});

test("findings line up, advice stands below, the last line counts", () =>
	expect(
		renderChecks([
			ok("tmux", "3.3a"),
			warn("sandbox", "none", "accept"),
			fail("git", "not found", "install it"),
		]),
	).toEqual([
		"ok    tmux     3.3a",
		"warn  sandbox  none",
		"               -> accept",
		"fail  git      not found",
		"               -> install it",
		"1 ok, 1 warning, 1 failure",
	]));

test("only a failure makes the exit code 1", () => {
	expect(exitCodeOf([ok("a", ""), warn("b", "", "")])).toBe(0);
	expect(exitCodeOf([ok("a", ""), fail("b", "", "")])).toBe(1);
});

describe("a whole examination", () => {
	function machine() {
		const doors = fakeDoors({
			auto: true,
			proc: { env: { SANDBOX_ACTIVE: "1" } },
		});
		doors.proc.env.SANDBOX_PROJECT_DIR = "/p";
		doors.proc.programs.set("bun", "/usr/bin/bun").set("diff", "/usr/bin/diff");
		doors.proc.answer("bun", "1.4.5\n");
		doors.proc.answer("git", "git version 2.39.5\n");
		doors.proc.answer(/ls-remote/, `${"a".repeat(40)}\trefs/heads/dev\n`);
		doors.proc.answer("claude", "2.1.332 (Claude Code)\n");
		doors.proc.answer(/claude auth status$/, '{"loggedIn": true}');
		doors.files.mkdir("/lib64");
		doors.files.writeAtomic("/lib64/ld-linux-x86-64.so.2", "");
		doors.files.mkdir("/code/config");
		doors.files.writeAtomic(
			"/code/package.json",
			'{"dependencies": {"@anthropic-ai/claude-code": "2.1.332"}}',
		);
		doors.files.writeAtomic(
			"/code/config/nexus.yml",
			"github:\n  repo: me/assets\n  user_login: me\n",
			{ mode: 0o600 },
		);
		return doors;
	}
	async function examine(doors: FakeDoors) {
		const lines: string[] = [];
		const rc = await run([], {
			doors,
			codeRoot: "/code",
			tmuxIn: () => doors.tmux,
			interrupted: new AbortController().signal,
			print: (line) => lines.push(line),
		});
		return { rc, text: lines.join("\n") };
	}

	test("finds nothing on a machine where all is right, and leaves nothing behind", async () => {
		const doors = machine();
		const { rc, text } = await examine(doors);
		expect(text).toContain("18 ok, 0 warnings, 0 failures");
		expect(rc).toBe(0);
		expect(doors.files.list("/code")).toEqual({
			kind: "ok",
			names: ["config", "package.json"],
		});
	});

	test("looks on when programs are missing and the file is broken", async () => {
		const doors = machine();
		doors.proc.answer("git", { kind: "not-found", program: "git" });
		doors.proc.answer("claude", "hang");
		doors.tmux.fail("version", NO_TMUX);
		doors.files.writeAtomic("/code/config/nexus.yml", "github: [", {
			mode: 0o600,
		});
		const { rc, text } = await examine(doors);
		expect(rc).toBe(1);
		expect(text).toContain("fail  git");
		expect(text).toContain("fail  tmux");
		expect(text).toContain("fail  Claude Code");
		expect(text).toContain("config: /code/config/nexus.yml:1");
	});
});

describe("the shell of a worker's window", () => {
	table([
		["bash is fine", checkShell("/bin/bash"), "ok", "/bin/bash"],
		["none named is sh", checkShell(null), "ok", "/bin/sh"],
		["nologin fails", checkShell("/usr/sbin/nologin"), "fail", "default-shell"],
		["false fails", checkShell("/bin/false"), "fail", "SHELL="],
	]);
	const passwd =
		"root:x:0:0:r:/root:/bin/bash\nnx:x:998:998::/srv:/usr/sbin/nologin\no:x:5:5::/:\n";
	test.each([
		[0, "/bin/bash"],
		[998, "/usr/sbin/nologin"],
		[5, null],
		[98, null],
	])("of user %d", (uid, shell) => expect(loginShell(passwd, uid)).toBe(shell));
});

describe("what the caller's environment does to agents is named, with the way out", () => {
	test.each([
		[{ ANTHROPIC_API_KEY: "k" }, "asks once", "started by hand"],
		[{ CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: "1" }, "bubblewrap", "unset"],
		[{ CLAUDE_CODE_IGNORE_PERSISTED_TRUST: "1" }, "is trusted", "unset"],
		[{ BUN_OPTIONS: "--smol" }, "every program", "unset"],
		[{ CI: "true" }, "misread", "unset"],
		[{ CLAUDE_CODE_SKIP_PROMPT_HISTORY: "" }, "no transcript", "unset"],
		[{ GIT_DIR: ".git" }, "a git hook", "a shell of your own"],
		[{ CLAUDECODE: "1" }, "the shell of an agent", "a shell of your own"],
	])("%p", (env, does, advice) => {
		const [check, ...more] = checkEnvironment({ PATH: "/bin", ...env });
		expect(more).toEqual([]);
		expect(check).toMatchObject({ verdict: "warn", name: "environment" });
		expect(check?.finding).toStartWith(`${Object.keys(env)[0]}: `);
		expect(check?.finding).toContain(does);
		expect(check?.advice).toContain(advice);
	});

	test("kinds are told apart, one kind at once, and no value is told", () => {
		const env = { CI: "x-value", NO_COLOR: "1", BUN_OPTIONS: "x-value" };
		const found = checkEnvironment(env).map((check) => check.finding);
		expect(found).toHaveLength(2);
		expect(found[1]).toStartWith("CI, NO_COLOR: ");
		expect(found.join("")).not.toContain("x-value");
	});

	test("an ordinary one is well", () =>
		expect(
			checkEnvironment({ PATH: "/bin", HTTP_PROXY: "http://p", TZ: "UTC" }),
		).toMatchObject([{ verdict: "ok" }]));
});
