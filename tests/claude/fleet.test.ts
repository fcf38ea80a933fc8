/** A local fleet's agent is the real Claude Code: started, told, asked, answered with one digit. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import { localFleet } from "../../monitor/_fleet/local.ts";
import {
	claudeEnv,
	claudeHomeAt,
} from "../../monitor/_nexus/demo/claude-home.ts";
import { value } from "../fleet/conformance.ts";
import { type FleetWorld, openFleetWorld } from "../fleet/world.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { waitUntil } from "../support/wait-until.ts";

const PIN = { model: "opus", effort: "low" } as const;
const CLAUDE = { runtime: "claude", ...PIN } as const;

let model: ModelServer;
let world: FleetWorld;
let fleet: Fleet;

beforeAll(async () => {
	model = startTestModel([
		{
			when: "ask me",
			replies: [
				{ kind: "tool", name: "Bash", input: { command: "touch asked" } },
			],
		},
	]);
	world = openFleetWorld({
		env: (dir) => ({
			...claudeEnv({
				where: claudeHomeAt(dir),
				modelUrl: model.url,
				path: process.env.PATH ?? "",
				root: process.getuid?.() === 0,
			}),
			HOME: dir,
			CLAUDE_BIN: resolve(import.meta.dir, "../../node_modules/.bin/claude"),
		}),
		runtimes: {
			claude:
				"claude --model {model} --effort {effort} --permission-mode default",
		},
	});
	const deps = world.deps("boss");
	for (const [name, text] of Object.entries(deps.doors.proc.env))
		if (/^(ANTHROPIC|CLAUDE|DISABLE|IS_SANDBOX|TMPDIR|HOME)/.test(name))
			world.server.run("set-environment", "-g", name, text ?? "");
	const { configDir, tmp } = claudeHomeAt(world.server.dir);
	for (const dir of [configDir, tmp]) mkdirSync(dir, { recursive: true });
	fleet = world.open("local", "boss");
	await create(fleet, "w1");
});
afterAll(async () => {
	await world.close();
	model.stop();
});

async function create(by: Fleet, agent: string): Promise<void> {
	const { path } = value(await by.worktreeCreate(agent));
	const who = { session: agent, agent, role: "watcher", module: agent };
	value(await by.sessionCreate({ ...who, cwd: path, runId: "r", ...CLAUDE }));
}
const screen = async (agent = "w1") => {
	const shot = await fleet.capture(agent);
	return shot.ok ? shot.text : "";
};

test("an agent starts with its brief, takes text, is found at a prompt, and goes on when it was answered", async () => {
	const folder = join(world.thrumDir, "agents/w1");
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "brief.md"), "You watch; 'quoted' $HOME\n");
	const launched = await fleet.sessionLaunch({ session: "w1", ...CLAUDE });
	expect(value(launched)).toEqual({});
	await waitUntil("the brief", async () =>
		(await screen()).includes("You watch; 'quoted' $HOME"),
	);
	await waitUntil("the first answer", async () =>
		(await screen()).includes("Understood."),
	);
	const told = await fleet.sendText("w1", "ask me something;");
	expect(told).toMatchObject({ exitCode: 0, verdict: "delivered" });
	await waitUntil("the prompt", async () => {
		const pane = await screen();
		return value(await fleet.detect(pane, "claude")) === "tool_confirmation";
	});
	const into = await fleet.sendText("w1", "hurry");
	expect(into).toMatchObject({ exitCode: 3, verdict: "withheld" });
	expect(await fleet.sendKeys("w1", ["1"])).toMatchObject({ exitCode: 0 });
	await waitUntil("the end of the prompt", async () => {
		const pane = await screen();
		return value(await fleet.detect(pane, "claude")) === null;
	});
	const doc = await fleet.captureDoc("w1");
	expect(doc.ok).toBe(true);
	// What a person types is nobody's to send.
	world.server.run("send-keys", "-t", "=w1:", "-l", "hello");
	await waitUntil("the draft", async () => (await screen()).includes("hello"));
	expect(await fleet.sendText("w1", "go on")).toMatchObject({ exitCode: 3 });
	expect(await fleet.sendKeys("w1", ["Enter"])).toMatchObject({
		exitCode: 3,
	});
	expect(await screen()).toContain("hello");
}, 60_000);

test("a trust dialog is told, and gets no key", async () => {
	const deps = world.deps("boss");
	const hands = { ...deps.hands, trust: async () => null };
	const place = { repoRoot: world.repo, thrumDir: world.thrumDir };
	const untrusting = localFleet({ ...deps, hands }, place);
	await create(untrusting, "w2");
	const launched = value(
		await untrusting.sessionLaunch({ session: "w2", ...CLAUDE }),
	);
	expect(launched.warning).toBe("trust dialog open in w2");
	expect((await fleet.sendText("w2", "x")).exitCode).toBe(3);
	expect(await screen("w2")).toContain("trust this folder");
}, 60_000);
