/** Sessions, launches and jobs of a local fleet, on a real tmux and real processes. */
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	setDefaultTimeout,
	test,
} from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import { jobRunner } from "../../monitor/_fleet/jobs/runner.ts";
import { localFleet } from "../../monitor/_fleet/local.ts";
import { waitUntil } from "../support/wait-until.ts";
import { value } from "./conformance.ts";
import { ECHO, type FleetWorld, openFleetWorld } from "./world.ts";

setDefaultTimeout(60_000);

const PIN = { model: "opus; touch pwned", effort: "low" } as const;

let world: FleetWorld;
let fleet: Fleet;
let cwd: string;
const ask = (agent: string, runId = "run-1", session = agent) => ({
	...{ session, cwd, agent, role: "watcher", module: agent, runId, ...PIN },
	intent: "load the skill; then begin;",
	runtime: ECHO,
});
const paneEnv = (session: string, name: string) => {
	const pid = world.server.run(
		"list-panes",
		"-s",
		"-t",
		`=${session}:`,
		"-F",
		"#{pane_pid}",
	);
	const text = readFileSync(`/proc/${pid}/environ`, "utf8");
	return text.split("\0").find((pair) => pair.startsWith(`${name}=`));
};

beforeAll(async () => {
	world = openFleetWorld();
	// A long-lived server that somebody else started.
	world.server.run("set-environment", "-g", "THRUM_ROLE", "coordinator");
	world.server.run("set-environment", "-g", "THRUM_SECRET", "leaked");
	fleet = world.open("local", "boss");
	({ path: cwd } = value(await fleet.worktreeCreate("w1")));
	value(await fleet.sessionCreate(ask("w1")));
});
afterAll(async () => {
	await world.close();
});

describe("a session", () => {
	test("carries its tags, and its agent's identity and nobody else's", () => {
		const tag = (name: string) =>
			world.server.run("show-options", "-v", "-t", "=w1:", name);
		expect(tag("@fleet-run")).toBe("run-1");
		expect(tag("@thrum-managed")).toBe("1");
		expect(tag("@thrum-thrum-dir")).toBe(world.thrumDir);
		expect(paneEnv("w1", "THRUM_NAME")).toBe("THRUM_NAME=w1");
		expect(paneEnv("w1", "THRUM_ROLE")).toBe("THRUM_ROLE=watcher");
		expect(paneEnv("w1", "THRUM_SECRET")).toBe("THRUM_SECRET=");
		expect(paneEnv("w1", "THRUM_INTENT")).toBe(
			"THRUM_INTENT=load the skill; then begin;",
		);
	});

	test("is its worktree's only one", async () => {
		expect(await fleet.sessionCreate(ask("w2"))).toMatchObject({
			kind: "exists",
			stderr: `agent @w1 already lives in ${cwd}`,
		});
		expect(value(await fleet.sessionExists("w2"))).toBe(false);
	});

	test("tells the agent who it is: its worktree leads to the shared files", async () => {
		const files = join(cwd, ".thrum");
		expect(readFileSync(join(files, "redirect"), "utf8")).toBe(
			`${world.thrumDir}\n`,
		);
		const identity = JSON.parse(
			readFileSync(join(files, "identities/w1.json"), "utf8"),
		);
		expect(identity).toMatchObject({
			agent: { name: "w1", role: "watcher" },
			tmux_session: "w1:0.0",
			worktree: cwd,
		});
		expect(world.git("status", "--porcelain")).toBe("");
	});
});

describe("a launch", () => {
	const launch = (runtime = ECHO) =>
		fleet.sessionLaunch({ session: "w1", runtime, ...PIN });

	test("starts the runtime in the pane, without a key, and remembers its process", async () => {
		mkdirSync(join(world.thrumDir, "agents/w1"), { recursive: true });
		value(await launch());
		const member = value(await fleet.member("w1"));
		expect(member?.tmuxState).toBe("alive");
		const environ = readFileSync(`/proc/${member?.agentPid}/environ`, "utf8");
		expect(environ).toContain(`\0PATH=${world.thrumDir}/bin:`);
		expect(environ).toContain("\0THRUM_NAME=w1\0");
		const comm = readFileSync(`/proc/${member?.agentPid}/comm`, "utf8");
		expect(comm.trim()).toBe("cat");
		expect(existsSync(join(cwd, "pwned"))).toBe(false);
		const shot = await fleet.capture("w1");
		expect(shot).toMatchObject({ ok: false, failure: "empty" });
	});

	test("of a runtime that died leaves a shell, and the agent is stale", async () => {
		const member = value(await fleet.member("w1"));
		process.kill(member?.agentPid ?? 0, "SIGTERM");
		await waitUntil("the shell", async () => {
			const now = value(await fleet.member("w1"));
			return now?.tmuxState === "stale";
		});
		expect(value(await fleet.sessionExists("w1"))).toBe(true);
	});

	test.each([
		["nothing", "refused", "no command for runtime nothing"],
		["a;b", "refused", "no command for runtime a;b"],
	])("of the runtime %s is refused", async (runtime, kind, stderr) => {
		expect(await launch(runtime)).toMatchObject({ kind, stderr });
	});

	test("again after a restart: same name, folder, tags", async () => {
		value(await fleet.sessionRestart("w1", PIN));
		const member = value(await fleet.member("w1"));
		expect(member).toMatchObject({ tmuxState: "alive", worktree: cwd });
		const kill = await fleet.sessionKill("w1", { onlyRunId: "run-1" });
		expect(value(kill)).toBe(true);
		expect(value(await fleet.member("w1"))?.tmuxState).toBe("dead");
	});
});

test("a damaged entry keeps its name, and is dead", async () => {
	const path = join(world.thrumDir, "registry/w1.json");
	writeFileSync(path, '{"agent_id":');
	expect(value(await fleet.member("w1"))).toMatchObject({
		agentId: "w1",
		tmuxState: "dead",
	});
	expect(existsSync(path)).toBe(false);
	expect(await fleet.sessionCreate(ask("w1"))).toMatchObject({
		kind: "exists",
		stderr: "the entry of @w1 is damaged",
	});
	expect(value(await fleet.member("w1"))?.tmuxState).toBe("dead");
});

describe("a branch with commits of its own", () => {
	test("is left where it is, and said so", async () => {
		const made = value(await fleet.worktreeCreate("busy"));
		const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
		const words = ["commit", "-q", "--allow-empty", "-m", "work"];
		world.git("-C", made.path, ...identity, ...words);
		const gone = await fleet.worktreeRemove(made, "busy", {
			deleteBranch: true,
		});
		expect(gone).toMatchObject({
			kind: "refused",
			stderr: "branch feature/busy has 1 commit(s) of its own; left alone",
		});
		expect(world.git("branch", "--list", "feature/busy")).toContain("busy");
	});

	test("that is checked out elsewhere is no worktree of ours", async () => {
		const refused = await fleet.worktreeCreate("other", { branch: "main" });
		expect(refused.kind).toBe("exists");
		expect(world.git("branch", "--list", "main")).toContain("main");
	});

	test.each(["a/b", "..", "a\\b", ""])(
		"%j is no name for one",
		async (name) => {
			expect((await fleet.worktreeCreate(name)).kind).toBe("usage");
		},
	);
});

describe("a job", () => {
	const job = (name: string, script: string) => ({
		name,
		argv: ["sh", "-c", script],
		match: "^hit",
		to: "user:ana",
		cwd: world.repo,
		env: { WORD: "from env" },
		schedule: "* * * * *",
		notifyOnSuccess: false,
	});

	test("runs in a group of its own, its two outputs are one, and its limit ends all of it", async () => {
		const deps = world.deps("boss");
		const place = { repoRoot: world.repo, thrumDir: world.thrumDir };
		// A minute later each time anybody asks.
		let ahead = 0;
		const clock = { ...deps.doors.clock, nowMs: () => Date.now() + ahead };
		const settings = { ...deps.settings, runTimeoutSeconds: 1 };
		const doors = { ...deps.doors, clock };
		const runner = jobRunner({ ...deps, doors, settings, place });
		const open = (as: string) => localFleet({ ...deps, as }, place);
		value(
			await open("boss").monitorStart(
				job("quick", 'echo "hit $WORD"; echo hit err >&2; echo "hit last"'),
			),
		);
		value(
			await open("boss").monitorStart(
				job("slow", "echo $$; sleep 300 & sleep 300"),
			),
		);
		value(await runner.tick());
		ahead = 60_000;
		expect(value(await runner.tick()).started).toEqual(["quick", "slow"]);
		await waitUntil("both results", async () => {
			value(await runner.tick());
			return runner.running().length === 0;
		});
		const told = value(await open("user:ana").inbox()).map((m) => m.body);
		expect(told[0]).toBe("hit from env\nhit err\nhit last");
		expect(told[1]).toMatch(/^\[FAIL\] slow: exit code 124\n(\d+)$/);
		const group = Number(/\d+$/.exec(told[1] ?? "")?.[0]);
		await waitUntil("the end of the group", () => !groupLives(group));
	});
});

function groupLives(pid: number): boolean {
	try {
		process.kill(-pid, 0);
		return true;
	} catch {
		return false;
	}
}
