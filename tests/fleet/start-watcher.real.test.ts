/** Starting a watcher on a real tmux, git and disk: all of it, or nothing. */
import {
	afterAll,
	afterEach,
	beforeAll,
	describe,
	expect,
	setDefaultTimeout,
	test,
} from "bun:test";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { BUN_FLAGS, CODE_ROOT } from "../../monitor/_sys/names.ts";
import { value } from "./conformance.ts";
import { openStartWorld, readJson, type StartWorld } from "./start-world.ts";

setDefaultTimeout(60_000);

let world: StartWorld;
beforeAll(() => {
	world = openStartWorld();
});
afterAll(async () => {
	await world.close();
});

/** A write below `where` fails: a full disk, a folder that is not ours. */
const noWrite = (where: string) => (doors: Doors) => ({
	...doors,
	files: {
		...doors.files,
		writeAtomic: (
			...[path, ...rest]: Parameters<Doors["files"]["writeAtomic"]>
		) =>
			path.includes(where)
				? ({ kind: "failed", code: "ENOSPC", reason: "disk full" } as const)
				: doors.files.writeAtomic(path, ...rest),
	},
});
/** What is written below `where` is complete, valid, and another text. */
const otherText = (where: string) => (doors: Doors) => ({
	...doors,
	files: {
		...doors.files,
		writeAtomic: (
			...[path, text, ...rest]: Parameters<Doors["files"]["writeAtomic"]>
		) =>
			doors.files.writeAtomic(
				path,
				path.includes(where) ? String(text).replace('"low"', '"high"') : text,
				...rest,
			),
	},
});
const noTmux = (kind: string) => (doors: Doors) => ({
	...doors,
	tmux: {
		...doors.tmux,
		run: (...[command, ...rest]: Parameters<Doors["tmux"]["run"]>) =>
			command.kind === kind
				? Promise.resolve({
						kind: "failed",
						rc: 1,
						stderr: "tmux said no",
					} as const)
				: doors.tmux.run(command, ...rest),
	},
});
const noExec = (word: string) => (doors: Doors) => ({
	...doors,
	proc: {
		...doors.proc,
		exec: (...[argv, o]: Parameters<Doors["proc"]["exec"]>) =>
			argv.includes(word)
				? Promise.resolve({
						kind: "exited",
						rc: 1,
						stdout: "",
						stderr: "it said no",
					} as const)
				: doors.proc.exec(argv, o),
	},
});

describe("a step that fails leaves nothing behind", () => {
	test.each([
		["worktree", 1, noExec("add"), "it said no"],
		["params", 2, noWrite("watch_params"), "disk full"],
		["params", 2, otherText("watch_params"), "does not read as it was written"],
		["params", 2, noWrite("brief.md"), "disk full"],
		["session", 3, noTmux("new-session"), "tmux said no"],
		["session", 3, noWrite("registry/w1"), "disk full"],
		["launch", 4, noTmux("respawn-pane"), "tmux said no"],
		["scripts", 5, noExec("--self-check"), "does not run"],
		["scripts", 5, noWrite("esc-cap"), "disk full"],
		["monitor", 6, noWrite("monitors/w1-pane-watch"), "disk full"],
		["tell", 7, noWrite("messages/msg_"), "disk full"],
	])("%s (%i of 7)", async (step, at, doors, why) => {
		const before = world.traces();
		const { exit, out, err } = await world.start([], { doors });
		expect(err).toMatch(
			RegExp(`^start-watcher: FAILED at step ${at}/7 ${step}: .*${why}`, "m"),
		);
		expect(err).not.toContain("NOT removed");
		expect(world.traces()).toEqual(before);
		expect([exit, out]).toEqual([1, ""]);
	});

	test("a runtime that ends as soon as it has begun is no start", async () => {
		const before = world.traces();
		const { exit, err } = await world.start(["--runtime=brief"]);
		expect(err).toMatch(
			/FAILED at step 4\/7 launch: the runtime in w1 did not/,
		);
		expect(world.traces()).toEqual(before);
		expect(exit).toBe(1);
	});

	test("what was removed is told, latest first", async () => {
		const doors = noWrite("monitors/w1-pane-watch");
		const { err } = await world.start([], { doors });
		const tree = join(world.server.dir, ".thrum/worktrees/repo/w1");
		expect(err).toContain(
			`\n  removed: scripts (3 files), session w1, params, worktree ${tree}, branch feature/w1`,
		);
	});

	test("a signal is a failed step: what was under way is finished, then undone", async () => {
		const before = world.traces();
		const doors = (real: Doors, signal: (name: string) => void): Doors => ({
			...real,
			tmux: {
				...real.tmux,
				run: (...words) => {
					if (words[0].kind === "new-session") signal("SIGTERM");
					return real.tmux.run(...words);
				},
			},
		});
		const { exit, err } = await world.start([], { doors });
		expect(err).toContain("FAILED at step 3/7 session: interrupted by SIGTERM");
		expect(world.traces()).toEqual(before);
		expect(exit).toBe(1);
	});

	test("a signal during the checks ends it before anything is made", async () => {
		const before = world.traces();
		const doors = (real: Doors, signal: (name: string) => void): Doors => ({
			...real,
			proc: {
				...real.proc,
				exec: (...words) => {
					signal("SIGINT");
					return real.proc.exec(...words);
				},
			},
		});
		const { exit, err } = await world.start([], { doors });
		expect(err).toEndWith(
			"start-watcher: REFUSED: interrupted by SIGINT, nothing was created",
		);
		expect(world.traces()).toEqual(before);
		expect(exit).toBe(2);
	});

	test("what somebody else made meanwhile under the same name is not touched", async () => {
		const tree = join(world.server.dir, ".thrum/worktrees/repo/w1");
		const doors = (real: Doors): Doors => ({
			...real,
			files: {
				...real.files,
				writeAtomic: (...words) => {
					if (words[0].includes("journal") && !existsSync(tree))
						world.git("worktree", "add", "-b", "feature/w1", tree);
					return real.files.writeAtomic(...words);
				},
			},
		});
		const { exit, err } = await world.start([], { doors });
		expect(err).toContain(
			`FAILED at step 1/7 worktree: ${tree} was there already: somebody else was faster\n  removed: nothing had been made`,
		);
		expect([exit, existsSync(tree)]).toEqual([1, true]);
		world.git("worktree", "remove", tree);
		world.git("branch", "-D", "feature/w1");
	});

	test("what somebody makes between the look and the act is theirs, branch and all", async () => {
		const tree = join(world.server.dir, ".thrum/worktrees/repo/w1");
		const doors = (real: Doors): Doors => ({
			...real,
			proc: {
				...real.proc,
				exec: (...words) => {
					if (words[0].includes("-b") && !existsSync(tree))
						world.git("worktree", "add", "-b", "feature/w1", tree);
					return real.proc.exec(...words);
				},
			},
		});
		const { exit, err } = await world.start([], { doors });
		expect(err).toMatch(/FAILED at step 1\/7 worktree: [\s\S]*already exists/);
		expect([exit, existsSync(tree)]).toEqual([1, true]);
		expect(world.git("branch", "--list", "feature/w1")).toContain("w1");
		world.git("worktree", "remove", tree);
		world.git("branch", "-D", "feature/w1");
	});

	test("of a thrum's fleet, too", async () => {
		const before = world.traces();
		const faults = join(world.standIn, "faults.json");
		writeFileSync(faults, '{ "monitor start": "fail" }');
		const { exit, err } = await world.start(["--backend=thrum"]);
		rmSync(faults);
		expect(err).toContain("FAILED at step 6/7 monitor: it went wrong");
		expect(world.traces()).toEqual(before);
		expect(exit).toBe(1);
	});
});

describe("what cannot be undone is named, and the journal stays", () => {
	const journal = () =>
		join(world.thrumDir, "var/start-watcher-w1.journal.json");
	afterEach(async () => {
		const fleet = world.open("local", "coord");
		await fleet.sessionKill("w1");
		rmSync(journal(), { force: true });
		rmSync(join(world.thrumDir, "inbox"), { recursive: true, force: true });
		world.git("worktree", "prune");
		world.git("branch", "-D", "feature/w1");
	});

	test("a session that does not go", async () => {
		const doors = (real: Doors) =>
			noTmux("kill-session")(noWrite("monitors/w1-pane-watch")(real));
		const { exit, err } = await world.start([], { doors });
		expect(err).toContain(
			"\n  NOT removed: session w1: session w1: tmux said no",
		);
		expect(err).toContain(`\n  journal: ${journal()}`);
		const steps = readJson(journal()).entries as { thing: { step: string } }[];
		expect(steps.map(({ thing }) => thing.step)).toEqual([
			...["worktree", "params", "session", "launch", "scripts", "monitor"],
		]);
		expect(exit).toBe(3);
	});

	test("a session of the name that somebody else made in the same moment stands", async () => {
		const doors = (real: Doors): Doors => ({
			...real,
			tmux: {
				...real.tmux,
				run: (...words) => {
					if (words[0].kind === "new-session")
						world.server.run("new-session", "-d", "-s", "w1", "cat");
					return real.tmux.run(...words);
				},
			},
		});
		const { exit, err } = await world.start([], { doors });
		expect(err).toContain(
			"\n  NOT removed: session w1: it does not carry the tag of this run",
		);
		expect(
			world.server.run("list-sessions", "-F", "#{session_name}"),
		).toContain("w1");
		expect(exit).toBe(3);
	});

	test("a branch with commits of the agent", async () => {
		const doors = (real: Doors): Doors => ({
			...real,
			files: noWrite("monitors/w1-pane-watch")(real).files,
			tmux: {
				...real.tmux,
				run: (...words) => {
					const tree = join(world.server.dir, ".thrum/worktrees/repo/w1");
					if (words[0].kind === "respawn-pane")
						world.git(
							...["-C", tree, "-c", "user.name=t", "-c", "user.email=t@t"],
							...["commit", "-q", "--allow-empty", "-m", "work"],
						);
					return real.tmux.run(...words);
				},
			},
		});
		const { exit, err } = await world.start([], { doors });
		expect(err).toContain(
			"\n  NOT removed: branch feature/w1: it has 1 commit(s) of its own",
		);
		expect(world.git("branch", "--list", "feature/w1")).toContain("w1");
		expect(exit).toBe(3);
	});

	test("what the agent has written beside its params", async () => {
		const dir = join(world.thrumDir, "agents/w1");
		const doors = (real: Doors): Doors => ({
			...real,
			files: noWrite("monitors/w1-pane-watch")(real).files,
			tmux: {
				...real.tmux,
				run: (...words) => {
					if (words[0].kind === "respawn-pane") mkdirSync(join(dir, "esc"));
					return real.tmux.run(...words);
				},
			},
		});
		const { exit, err } = await world.start([], { doors });
		expect(err).toContain(
			`\n  NOT removed: ${dir}: it holds what the start did not make: esc`,
		);
		expect(exit).toBe(3);
		rmSync(dir, { recursive: true });
	});

	test("messages that were sent", async () => {
		const { exit, err } = await world.start([], { doors: noWrite("inbox/b") });
		expect(err).toContain("FAILED at step 7/7 tell: @b: ");
		expect(err).toContain("\n  NOT removed: messages to a: ");
		expect(exit).toBe(3);
	});
});

test("over thrum, a worktree whose session is somebody else's stands: thrum would end the session with it", async () => {
	const doors = (real: Doors): Doors => ({
		...real,
		proc: {
			...real.proc,
			exec: (...words) => {
				if (words[0].includes("create") && words[0].includes("--cwd"))
					world.server.run("new-session", "-d", "-s", "w1", "cat");
				return real.proc.exec(...words);
			},
		},
	});
	const { exit, err } = await world.start(["--backend=thrum"], { doors });
	expect(err).toContain("FAILED at step 3/7 session: ");
	expect(err).toContain(
		"its removal would end the session w1, which is not of this run",
	);
	const sessions = world.server.run("list-sessions", "-F", "#{session_name}");
	expect(sessions.split("\n")).toContain("w1");
	expect(exit).toBe(3);
	world.server.run("kill-session", "-t", "=w1");
	await world.open("thrum", "coord").worktreeRemove(
		{
			path: join(world.server.dir, ".thrum/worktrees/repo/w1"),
			...{ branch: "feature/w1", reused: false, branchCreated: true },
		},
		"w1",
		{ deleteBranch: true },
	);
	rmSync(join(world.thrumDir, "var/start-watcher-w1.journal.json"));
});

test("all that is missing is told at once, and nothing is made", async () => {
	const before = world.traces();
	const { exit, err } = await world.start([
		...["--model=", "--roster=", "--cadence-idle=59s"],
	]);
	expect(err).toContain("REFUSED: 3 check(s) failed, nothing was created\n");
	for (const id of ["roster", "cadence", "model-effort"])
		expect(err).toContain(`\n  [${id}] `);
	expect(world.traces()).toEqual(before);
	expect(exit).toBe(2);
});

describe("a name in use is refused, and what has it is untouched", () => {
	const refused = async (what: string) => {
		const before = world.traces();
		const { exit, err } = await world.start();
		expect(err).toBe(
			`start-watcher: warning: no scheduler is running: ticks will not fire`.slice(
				0,
				0,
			) +
				`start-watcher: REFUSED: 1 check(s) failed, nothing was created\n  [name-free] ${what}`,
		);
		expect(world.traces()).toEqual(before);
		expect(exit).toBe(2);
	};

	test("by a branch", async () => {
		world.git("branch", "feature/w1");
		await refused("branch feature/w1 exists");
		world.git("branch", "-D", "feature/w1");
	});

	test("by a monitor that was stopped", async () => {
		const fleet = world.open("local", "coord");
		const name = "w1-pane-watch";
		const job = {
			...{ name, argv: ["/bin/true"], match: "x", to: "user:ana", env: {} },
			...{ cwd: "/", schedule: "0 0 * * *", notifyOnSuccess: true },
		};
		value(await fleet.monitorStart(job));
		value(await fleet.monitorStop(name));
		await refused("monitor w1-pane-watch exists (stopped)");
		value(await fleet.monitorDelete(name));
	});

	test("by any session of tmux", async () => {
		world.server.run("new-session", "-d", "-s", "w1", "cat");
		await refused("session w1 exists");
		world.server.run("kill-session", "-t", "=w1");
	});

	test("by params that somebody left", async () => {
		const dir = join(world.thrumDir, "agents/w1");
		mkdirSync(dir, { recursive: true });
		writeFileSync(join(dir, "watch_params.json"), "{}");
		await refused(`${dir}/watch_params.json exists`);
		rmSync(dir, { recursive: true });
	});

	test("by what a start that was killed has left: its journal is named", async () => {
		world.git("branch", "feature/w1");
		const journal = join(world.thrumDir, "var/start-watcher-w1.journal.json");
		mkdirSync(join(world.thrumDir, "var"), { recursive: true });
		writeFileSync(journal, "{}");
		const { exit, err } = await world.start();
		expect(err).toContain("[name-free] branch feature/w1 exists");
		expect(err).toContain(
			`[name-free] an earlier start of w1 left what ${journal} lists`,
		);
		expect(exit).toBe(2);
		rmSync(journal);
		world.git("branch", "-D", "feature/w1");
	});

	test("by another start that is under way", async () => {
		const lock = join(world.thrumDir, "var/start-watcher-w1.lockdir");
		mkdirSync(lock, { recursive: true });
		writeFileSync(join(lock, "owner"), `${process.pid} \n`);
		const { exit, err } = await world.start();
		expect(err).toContain("[name-free] another start-watcher is at w1");
		expect(exit).toBe(2);
		rmSync(lock, { recursive: true });
	});
});

test("a dry run says what would be made, and makes nothing", async () => {
	const before = world.traces();
	const { exit, out } = await world.start(["--dry-run"]);
	expect(out.split("\n").map((line) => line.split(":")[0])).toEqual([
		...["start-watcher", "  1 worktree", "  2 params", "  3 session"],
		...["  4 launch", "  5 scripts", "  6 monitor", "  7 tell"],
	]);
	expect(world.traces()).toEqual(before);
	expect(exit).toBe(0);
});

test("a steward is started: worktree, params, session, programs, monitor, messages", async () => {
	const { exit, out, err } = await world.start(["--cadence-idle=7m"]);
	const { thrumDir, repo, server } = world;
	const tree = join(server.dir, ".thrum/worktrees/repo/w1");
	const dir = join(thrumDir, "agents/w1");
	expect(err).toBe(
		"start-watcher: warning: no scheduler is running: ticks will not fire",
	);
	expect(out).toBe(
		[
			"start-watcher: STARTED w1",
			"  role: steward   backend: local   owner: user:ana   parent: coord",
			`  worktree: ${tree} (branch feature/w1)`,
			"  session: w1   runtime: echo   model: m   effort: low",
			`  params: ${dir}/watch_params.json`,
			'  monitor: w1-pane-watch schedule "*/7 * * * *" (idle cadence 7m)',
			"  roster: a, b",
			"  restart: thrum tmux restart w1 --model m --effort low --runtime echo",
			`  thrum: ${thrumDir}/bin/thrum`,
		].join("\n"),
	);
	expect(exit).toBe(0);

	const template = readJson(
		join(CODE_ROOT, "resources/watch_params.template.json"),
	);
	const params = readJson(join(dir, "watch_params.json"));
	expect(Object.keys(params)).toEqual(Object.keys(template));
	expect(params).toMatchObject({
		...{ watcher: "w1", role: "steward", parent: "coord", roster: ["a", "b"] },
		...{ owner: "user:ana", cadence_idle: "7m", created_by: "user:ana" },
	});
	expect(readdirSync(dir).sort()).toEqual([
		...["brief.md", "esc-cap.ts", "launch", "thrum-capture-fallback.ts"],
		...["thrum-watch-pane-capture.ts", "watch_params.json"],
	]);
	expect(statSync(join(dir, "esc-cap.ts")).mode & 0o777).toBe(0o755);

	const fleet = world.open("local", "w1");
	expect(value(await fleet.monitorShow("w1-pane-watch"))).toMatchObject({
		argv: [
			process.execPath,
			...BUN_FLAGS,
			`${dir}/thrum-watch-pane-capture.ts`,
		],
		match: "^watch-tick: (cycle done|RESOLUTION-FAIL)",
		...{ target: "w1", cwd: repo, envKeys: ["PATH", "AGENT_NAME"] },
		status: "running",
	});
	const [told] = value(await world.open("local", "a").inbox());
	expect(told?.from).toBe("w1");
	expect(told?.body).toMatch(/^steward: @w1\n[\s\S]*`NEED \[<topic>\]:`/);
	expect(readJson(join(thrumDir, "registry/w1.json")).intent).toContain(
		"persistent-watcher",
	);
	expect(existsSync(join(thrumDir, "var/start-watcher-w1.journal.json"))).toBe(
		false,
	);
	const { out: shim } = runThrum("whoami");
	expect(shim).toContain("@w1  steward  echo  alive  w1");

	const again = await world.start();
	expect(again.exit).toBe(2);
	expect(again.err.match(/\[name-free\]/g)).toHaveLength(6);
});

test("over thrum the same is made with its command lines alone", async () => {
	const { exit, out } = await world.start(["--backend=thrum"], { name: "w2" });
	expect(out).toContain(
		"start-watcher: STARTED w2\n  role: steward   backend: thrum",
	);
	expect(out).not.toContain("bin/thrum");
	expect(exit).toBe(0);
	const fleet = world.open("thrum", "coord");
	expect(value(await fleet.monitorShow("w2-pane-watch"))).toMatchObject({
		...{ target: "w2", schedule: "*/10 * * * *", status: "running" },
	});
	const calls = readFileSync(join(world.standIn, "calls"), "utf8");
	const flags = '"--model","m","--effort","low"';
	for (const verb of ["create", "launch"])
		expect(calls).toMatch(RegExp(`^\\["tmux","${verb}","w2",.*${flags}`, "m"));
	expect(existsSync(join(world.standIn, "violations"))).toBe(false);
});

/** The agents' own `thrum`, as an agent of the worktree calls it. */
function runThrum(...words: readonly string[]) {
	const cwd = join(world.server.dir, ".thrum/worktrees/repo/w1");
	const env = { ...world.server.env, HOME: world.server.dir };
	const argv = [join(world.thrumDir, "bin/thrum"), ...words];
	const ran = Bun.spawnSync(argv, { cwd, env });
	return { out: ran.stdout.toString(), err: ran.stderr.toString() };
}
