/** Workers started by `spawn-worker` in the real Claude Code. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { STARTER_VARIABLES } from "../../monitor/_sys/claude-env.ts";
import { scriptOf } from "../support/model-server.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openWorkerFleet, type WorkerFleet } from "../support/worker-fleet.ts";

let fleet: WorkerFleet;
/** What a `~/.tmux.conf` may say: none of it is in the way of a worker. */
const TMUX_CONF = [
	...["base-index 1", "pane-base-index 1", "renumber-windows on"],
	...["remain-on-exit on", "allow-rename on", "automatic-rename on"],
	...["prefix C-a", "mouse on", "mode-keys vi", "history-limit 0"],
	...["status off", "set-titles on", "pane-border-status top"],
	...["window-size smallest", "aggressive-resize on", "focus-events on"],
	...["exit-empty off", "escape-time 500", "monitor-activity on"],
];
beforeAll(() => {
	fleet = openWorkerFleet();
	for (const line of TMUX_CONF)
		fleet.tmux.run("set-option", "-g", ...line.split(" "));
});
afterAll(() => fleet.close());

const LIMIT = 120_000;
/** Everything that a shell, tmux or JSON could stumble over. */
const ODD_FOLDER = `work/it's a "tree" $HOME #{pid} é;`;
const TASK = "Print what you see.\n\n  $(id) `x` \"y\" 'z' \\ \ttab é\n";

function task(name: string, text = TASK): string {
	const path = join(fleet.root, `${name}.task.md`);
	writeFileSync(path, text);
	return path;
}
const state = (path: string) => fleet.state(path);
const heartbeat = (window: string): { state?: string; session_id?: string } =>
	JSON.parse(state(`heartbeat/${window}.json`) || "{}");

test(
	"a worker begins at once: no dialog, its folder trusted, its whole prompt once, its hooks alive",
	async () => {
		const seen = join(fleet.root, "seen.txt");
		const command = `{ command -v ng; command -v bun; ulimit -Su; pwd; } >'${seen}' 2>&1`;
		fleet.model.play(
			scriptOf([
				{
					when: "Print what you see",
					replies: [
						{ kind: "tool", name: "Bash", input: { command } },
						{ kind: "text", text: "Seen." },
					],
				},
			]),
		);
		// As if the tmux server had been started by an orchestrator, from a git hook, on a machine that builds.
		const strange = ["NEXUS_IS_ORCHESTRATOR", ...STARTER_VARIABLES];
		for (const name of strange)
			fleet.tmux.run("set-environment", "-g", name, "1");
		writeFileSync(
			join(fleet.folder("monitor"), "locals-env.sh"),
			"export OPERATORS_OWN='for all agents'\n",
		);
		const folder = fleet.folder(ODD_FOLDER);
		const ran = await fleet.spawn("-n", "w.1", "-c", folder, "-p", task("one"));
		expect(ran).toMatchObject({ rc: 0, out: "" });
		const id = /session-id=(\S+)/.exec(ran.err)?.[1] ?? "";
		expect(ran.err).toStartWith("spawned: window=w.1 ");

		const worker = await fleet.worker("w.1");
		await worker.waitForAnswer("Seen.");
		expect(worker.sessionId).toBe(id);
		const prompts = await worker.waitForPrompts(1);
		expect(prompts).toHaveLength(1);
		expect(prompts[0]?.trimEnd()).toBe(
			state("spawn-prompts/w.1.txt").trimEnd(),
		);
		expect(prompts[0]).toEndWith(TASK.trimEnd());
		expect(worker.environ()).toMatchObject({
			NEXUS_ROOT: fleet.root,
			NEXUS_STATE_DIR: fleet.stateDir,
			NEXUS_WORKER_WINDOW: "w.1",
			CLAUDE_CONFIG_DIR: fleet.configDir,
			CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
			OPERATORS_OWN: "for all agents",
		});
		for (const name of strange) expect(worker.environ()[name]).toBeUndefined();
		const [ng, bun, limit, cwd] = readFileSync(seen, "utf8").split("\n");
		expect(ng).toEndWith("/monitor/ng");
		expect(bun).toEndWith("/bun");
		expect(limit).toBe("8192");
		expect(cwd).toBe(folder);
		await waitUntil("the heartbeat of the turn's end", () =>
			heartbeat("w.1").state === "idle_prompt" ? true : null,
		);
		expect(heartbeat("w.1").session_id).toBe(id);
		expect(state("user-prompt/w.1")).toContain(`\t${id}`);
	},
	LIMIT,
);

test(
	"two workers at once, beside one that runs, each in its own trusted folder",
	async () => {
		fleet.model.play(scriptOf([], "Done."));
		const names = ["left", "right"];
		const ran = await Promise.all(
			names.map((name) =>
				fleet.spawn("-n", name, "-c", fleet.folder(name), "-p", task(name)),
			),
		);
		expect(ran.map((r) => r.rc)).toEqual([0, 0]);
		for (const name of names) {
			const worker = await fleet.worker(name);
			await worker.waitForAnswer("Done.");
			expect(await worker.waitForPrompts(1)).toHaveLength(1);
		}
	},
	LIMIT,
);

test(
	"a worker whose window was killed goes on in a new one, with its history and without a question",
	async () => {
		fleet.model.play(
			scriptOf(
				[{ when: "interrupted", replies: [{ kind: "text", text: "Back." }] }],
				"First.",
			),
		);
		await fleet.spawn(
			"-n",
			"again",
			"-c",
			fleet.folder("again"),
			"-p",
			task("again"),
		);
		const before = await fleet.worker("again");
		await before.waitForAnswer("First.");
		fleet.tmux.run("kill-window", "-t", "fleet:again");
		const looked = await fleet.spawn("--resume", "again", "--dry-run");
		expect(looked.out).toStartWith(
			`resolved: window=again session=${before.sessionId} `,
		);

		const ran = await fleet.spawn("--resume", "again", "--nudge");
		expect(ran).toMatchObject({ rc: 0 });
		const after = await fleet.worker("again");
		await after.waitForAnswer("Back.");
		expect((await fleet.worker("again")).sessionId).toBe(before.sessionId);
		expect(after.screen()).toContain("First.");
		expect(await before.waitForPrompts(2)).toHaveLength(2);
		expect(after.environ()).toMatchObject({
			NEXUS_WORKER_WINDOW: "again",
			CLAUDE_CODE_RESUME_THRESHOLD_MINUTES: "999999999",
		});
		const refused = await fleet.spawn("--resume", "again");
		expect(refused.rc).toBe(13);
	},
	LIMIT,
);

test(
	"in the loop a retained worker whose claude ends goes on, and the operator's flag ends it",
	async () => {
		fleet.model.play(scriptOf([], "In the loop."));
		const looped = { MONITOR_RETAIN_USE_LOOP_WRAPPER: "true" };
		const args = ["-n", "loop", "-c", fleet.folder("loop")];
		await fleet.spawnWith(looped, ...args, "-p", task("loop"));
		const first = await fleet.worker("loop");
		await first.waitForAnswer("In the loop.");
		expect(first.environ()).toMatchObject({
			NEXUS_WORKER_WINDOW: "loop",
			CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
		});
		const extras = ["--extra", "window=loop", "--extra", "reason=test"];
		const event = ["monitor", "--event", "window-retain", ...extras];
		await fleet.ng("log-action", ...event);
		process.kill(first.pid);
		const again = await waitUntil("the next claude", async () => {
			const next = await fleet.worker("loop");
			return next.pid === first.pid ? null : next;
		});
		await waitUntil("the same session", async () => {
			const { sessionId } = await fleet.worker("loop");
			return sessionId === first.sessionId;
		});
		await again.waitForAnswer("In the loop.");
		expect(first.prompts()).toHaveLength(1);
		writeFileSync(
			join(fleet.folder("monitor/.state/loop-stop"), "loop.flag"),
			"",
		);
		process.kill(again.pid);
		await waitUntil("the loop's end", () =>
			again.screen().includes("stopped by the operator's flag"),
		);
	},
	LIMIT,
);

test(
	"with Claude Code's default home nothing is asked either",
	async () => {
		const plain = openWorkerFleet({ defaultHome: true });
		try {
			plain.model.play(scriptOf([], "At home."));
			const args = ["-n", "w", "-c", plain.folder("w"), "-p", task("home")];
			expect((await plain.spawn(...args)).rc).toBe(0);
			await (await plain.worker("w")).waitForAnswer("At home.");
		} finally {
			await plain.close();
		}
	},
	LIMIT,
);

test(
	"a program that ends at once is no worker: its last words say why, and its window can go at once",
	async () => {
		const broken = join(fleet.folder("broken"), "claude");
		writeFileSync(broken, "#!/bin/sh\necho 'no account here' >&2\nexit 1\n", {
			mode: 0o755,
		});
		const args = ["-n", "born-dead", "-c", fleet.folder("dead")];
		const ran = await fleet.spawnWith(
			{ CLAUDE_BIN: broken },
			...[...args, "-p", task("dead")],
		);
		expect(ran).toMatchObject({ rc: 1, out: "" });
		// Where the line was typed before the shell asked, and the shell is slow to ask again, its prompt stands in front.
		expect(ran.err).toMatch(
			/in window born-dead: (?:# |\$ )?no account here \(/,
		);
		const retired = await fleet.ng("retire-window", "born-dead");
		expect(retired).toMatchObject({ rc: 0 });
	},
	LIMIT,
);

test("a name that is taken is refused, and nothing changes", async () => {
	const windows = () => fleet.tmux.run("list-windows", "-a");
	const before = windows();
	const log = state("action-log.jsonl");
	const args = ["-n", "shell", "-c", fleet.root, "-p", task("taken")];
	expect((await fleet.spawn(...args)).rc).toBe(7);
	expect(windows()).toBe(before);
	expect(state("action-log.jsonl")).toBe(log);
});

test(
	"of two spawns of one name at once, in two processes, one is refused",
	async () => {
		const args = ["-n", "twin", "-c", fleet.folder("twin"), "-p", task("twin")];
		const ran = await Promise.all([fleet.spawn(...args), fleet.spawn(...args)]);
		expect(ran.map((r) => r.rc).sort()).toEqual([0, 7]);
		const names = fleet.tmux.run("list-windows", "-a", "-F", "#{window_name}");
		expect(names.split("\n").filter((name) => name === "twin")).toHaveLength(1);
	},
	LIMIT,
);
