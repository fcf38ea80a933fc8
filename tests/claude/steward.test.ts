/** A steward on the real Claude Code: started by its program, ticked, it answers prompts of its roster, and restarts itself. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import { type JobRunner, jobRunner } from "../../monitor/_fleet/jobs/runner.ts";
import {
	claudeEnv,
	claudeHomeAt,
} from "../../monitor/_nexus/demo/claude-home.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { value } from "../fleet/conformance.ts";
import { type FleetWorld, openFleetWorld } from "../fleet/world.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { waitUntil } from "../support/wait-until.ts";

const PIN = { model: "opus", effort: "low" } as const;
const MEMBER =
	"claude --model {model} --effort {effort} --permission-mode default";
/** What its skill tells it, for the two prompts of this test: look, judge, one digit, say why. */
const JUDGE = `pane=$(thrum tmux capture blocked --lines 40)
if echo "$pane" | grep -q 'git push --force'; then
  no=$(echo "$pane" | sed -n 's/^[ ❯]*\\([0-9]\\)\\. No.*/\\1/p' | tail -1)
  thrum tmux send blocked --keys "\${no:-Escape}" &&
    thrum send --to blocked 'Cancelled: git push --force origin main. It rewrites what others have; push a branch.'
elif echo "$pane" | grep -q 'touch safe'; then
  thrum tmux send blocked --keys 1
fi`;
const bash = (command: string) =>
	({ kind: "tool", name: "Bash", input: { command } }) as const;

let model: ModelServer;
let world: FleetWorld;
let fleet: Fleet;
let runner: JobRunner;
let ahead = 0;
const dir = () => join(world.thrumDir, "agents/night");
const tree = (agent: string) =>
	join(world.server.dir, ".thrum/worktrees/repo", agent);

beforeAll(async () => {
	model = startTestModel([
		// Not before the text is known to have arrived.
		...[
			["first task", "touch safe"],
			["second task", "git push --force origin main"],
		].map(([task = "", command = ""]) => ({
			when: task,
			replies: [{ ...bash(command), gate: task }],
		})),
		{ when: "think for long", replies: [{ kind: "hang", text: "Thinking" }] },
		{
			when: "New message from @monitor:",
			replies: [bash("thrum inbox"), bash(JUDGE)],
		},
		{
			when: "time to restart",
			replies: [bash("thrum tmux restart night --model opus --effort low")],
		},
	]);
	world = openFleetWorld({
		env: (at) => ({
			...claudeEnv({
				where: claudeHomeAt(at),
				modelUrl: model.url,
				path: process.env.PATH ?? "",
				root: process.getuid?.() === 0,
			}),
			HOME: at,
			CLAUDE_BIN: resolve(import.meta.dir, "../../node_modules/.bin/claude"),
		}),
		runtimes: { claude: MEMBER },
	});
	const deps = world.deps("boss");
	for (const [name, text] of Object.entries(deps.doors.proc.env))
		if (/^(ANTHROPIC|CLAUDE|DISABLE|IS_SANDBOX|TMPDIR|HOME)/.test(name))
			world.server.run("set-environment", "-g", name, text ?? "");
	const { configDir, tmp } = claudeHomeAt(world.server.dir);
	for (const made of [configDir, tmp]) mkdirSync(made, { recursive: true });
	fleet = world.open("local", "boss");
	const clock = { ...deps.doors.clock, nowMs: () => Date.now() + ahead };
	const place = { repoRoot: world.repo, thrumDir: world.thrumDir };
	runner = jobRunner({ ...deps, place, doors: { ...deps.doors, clock } });
	for (const agent of ["idle", "busy", "blocked"]) await create(agent);
	const gone = { agent_id: "far", tmux_session: "far", worktree: "/far" };
	const path = join(world.thrumDir, "registry/far.json");
	writeFileSync(path, JSON.stringify({ ...gone, role: "worker" }));
}, 60_000);
afterAll(async () => {
	await world.close();
	model.stop();
});

async function create(agent: string): Promise<void> {
	const { path } = value(await fleet.worktreeCreate(agent));
	const who = { session: agent, agent, role: "worker", module: agent };
	const pin = { runtime: "claude", ...PIN };
	value(await fleet.sessionCreate({ ...who, cwd: path, runId: "r", ...pin }));
	value(await fleet.sessionLaunch({ session: agent, ...pin }));
}
const screen = async (agent: string) => {
	const shot = await fleet.capture(agent);
	return shot.ok ? shot.text : "";
};
const type = async (agent: string, text: string) =>
	expect(await fleet.sendText(agent, text)).toMatchObject({ exitCode: 0 });
const prompted = async (agent: string) =>
	value(await fleet.detect(await screen(agent), "claude"));

/** Lets the minute of the job pass, and waits for its run and for the steward's pane to be told. */
async function tick(): Promise<Record<string, string>> {
	ahead += 60_000;
	value(await runner.tick());
	await waitUntil("the end of the pass", async () => {
		value(await runner.tick());
		return runner.running().length === 0;
	});
	await runner.quiet();
	const path = join(world.thrumDir, "var/log/night-pane-watch-report.txt");
	const report = readFileSync(path, "utf8");
	const sections = report.matchAll(/^===== @(\w+) =====\nstatus: (.*)$/gm);
	return Object.fromEntries(
		[...sections].map(([, who, status]) => [who, status]),
	);
}

function startSteward() {
	const { env } = world.deps("").doors.proc;
	const words = [
		...["night", "--role", "steward", "--parent", "user:ana", "--owner", "ana"],
		...["--roster", "idle,busy,blocked,far", "--model", PIN.model],
		...["--effort", PIN.effort, "--cadence-idle", "1m", "--backend", "local"],
	];
	const argv = [join(CODE_ROOT, "resources/start-watcher.ts"), ...words];
	const command = MEMBER.replace("default", "bypassPermissions");
	const child = Bun.spawn(argv, {
		cwd: world.repo,
		env: { ...env, MONITOR_FLEET_RUNTIME_CLAUDE_COMMAND: command },
		stderr: "pipe",
	});
	return Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
}

test("a steward is started, sees who is stuck, approves what is safe, cancels what is not", async () => {
	for (const [agent, text] of [
		["busy", "think for long"],
		["blocked", "first task"],
	] as const)
		await type(agent, text);
	model.release("first task");
	await waitUntil("the prompt", () => prompted("blocked"));

	const [exit, out, err] = await startSteward();
	expect(`${exit} ${err}`).toStartWith("0 ");
	expect(out).toContain(
		"start-watcher: STARTED night\n  role: steward   backend: local",
	);
	expect(out).toContain(
		'night-pane-watch schedule "* * * * *" (idle cadence 1m)',
	);

	value(await runner.tick());
	expect(await tick()).toEqual({
		idle: "clean",
		busy: "clean",
		blocked: "FLAGGED: stable permission prompt (pattern=tool_confirmation)",
		far: expect.stringMatching(
			/^FLAGGED: CAPTURE FAILED \(.*ssh-fallback target: NONE\)$/,
		),
	});
	await waitUntil(
		"the approved command",
		() => existsSync(join(tree("blocked"), "safe")),
		{
			limitMs: 30_000,
		},
	);
	await waitUntil("the end of the turn", async () =>
		(await screen("blocked")).includes("Understood."),
	);

	await type("blocked", "second task");
	model.release("second task");
	await waitUntil(
		"the second prompt",
		async () =>
			(await screen("blocked")).includes("git push --force") &&
			(await prompted("blocked")),
	);
	expect((await tick()).blocked).toStartWith(
		"FLAGGED: stable permission prompt",
	);
	await waitUntil(
		"the cancelled prompt",
		async () => (await prompted("blocked")) === null,
	);
	const told = async () =>
		value(await world.open("local", "blocked").inbox({ unread: true })).map(
			(m) => m.body,
		);
	await waitUntil("the reason", async () =>
		(await told()).some((body) =>
			body.startsWith("Cancelled: git push --force"),
		),
	);

	const third = await tick();
	expect([third.blocked, third.far?.slice(0, 15)]).toEqual([
		"clean",
		"FLAGGED: CAPTUR",
	]);
	const log = readFileSync(
		join(world.thrumDir, "var/log/night-pane-watch.log"),
		"utf8",
	);
	expect(log.match(/\d agent\(s\), \d flagged \(\d capture-failed\)/g)).toEqual(
		[
			"4 agent(s), 2 flagged (1 capture-failed)",
			"4 agent(s), 2 flagged (1 capture-failed)",
			"4 agent(s), 1 flagged (1 capture-failed)",
		],
	);
}, 120_000);

test("it restarts itself, and its monitor and params stay", async () => {
	const params = readFileSync(join(dir(), "watch_params.json"), "utf8");
	const monitor = value(await fleet.monitorShow("night-pane-watch"));
	const before = value(await fleet.member("night"));
	await waitUntil(
		"rest",
		async () =>
			(await fleet.sendText("night", "time to restart")).exitCode === 0,
	);
	await waitUntil(
		"another process",
		async () => {
			const now = value(await fleet.member("night"));
			return (
				now?.tmuxState === "alive" &&
				now.agentPid !== undefined &&
				now.agentPid !== before?.agentPid
			);
		},
		{ limitMs: 30_000 },
	);
	await waitUntil("its brief", async () =>
		(await screen("night")).includes("You are @night"),
	);
	expect(value(await fleet.monitorShow("night-pane-watch"))).toMatchObject({
		id: monitor?.id,
		status: "running",
	});
	expect(readFileSync(join(dir(), "watch_params.json"), "utf8")).toBe(params);
}, 60_000);
