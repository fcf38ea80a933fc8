/**
 * The orchestrator's life with real programs: watcher, tmux, Claude Code, a scripted model (contract 04 §13–§16). Each
 * scenario has a world of its own; most of their time is waiting, so that they run side by side.
 */
import { describe, expect, test } from "bun:test";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { claudeConfig } from "../../monitor/_nexus/demo/claude-home.ts";
import { CODE_ROOT, TEXTS } from "../../monitor/_sys/names.ts";
import { shellQuote } from "../../monitor/_sys/shell-quote.ts";
import type { ModelRule } from "../support/model-server.ts";
import {
	briefsOf,
	CLAUDE,
	type OrchestratorWorld,
	panes,
	TARGET,
	type WorldOptions,
	withOrchestratorWorld,
	writeLocalsEnv,
} from "../support/orchestrator-world.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { Worker, WorkerFleet } from "../support/worker-fleet.ts";
import { taughtLine } from "../texts/commands.ts";

/** With the wait for a free core. */
const LIMIT = 300_000;

/** A start is a respawn, too: the watcher finds no orchestrator and opens one. */
const withOrchestrator = (
	opts: WorldOptions,
	act: (world: OrchestratorWorld, before: Worker) => Promise<void>,
) =>
	withOrchestratorWorld(opts, async (world) =>
		act(world, await world.orchestrator()),
	);

const alerts = ({ state }: OrchestratorWorld) => state("watcher-alerts.log");
const respawns = ({ state }: OrchestratorWorld) =>
	state("watcher.log").split("spawned new").length - 1;

function expectOne(world: OrchestratorWorld, { pid }: Worker): void {
	expect(world.orchestrators()).toEqual([pid]);
	expect(panes(world).match(/ orchestrator$/gm)).toHaveLength(1);
}

/** Of the target's pane. */
const screen = ({ tmux }: OrchestratorWorld) =>
	tmux.run("capture-pane", "-p", "-t", `fleet:${TARGET}`);

const HAND_OVER: readonly ModelRule[] = [
	{
		when: "Hand over now.",
		replies: [
			{
				kind: "tool",
				name: "Bash",
				input: {
					description: "Hand over",
					command: taughtLine(TEXTS.agentPrompt, "--fresh", {
						"your-window": TARGET,
					}).replace('"$NEXUS_ROOT"', () => shellQuote(CODE_ROOT)),
				},
			},
		],
	},
];

const HANG: readonly ModelRule[] = [
	{ when: "Think it over.", replies: [{ kind: "hang", text: "Well." }] },
];

describe.concurrent("an orchestrator that", () => {
	type End = (world: OrchestratorWorld, before: Worker) => unknown;
	const ends: readonly (readonly [string, End])[] = [
		["was killed", (_world, { pid }) => process.kill(pid, "SIGKILL")],
		[
			"was ended by a signal",
			(_world, { pid }) => process.kill(pid, "SIGTERM"),
		],
		[
			"left by itself",
			// Twice in a row ends it, and once only clears a box in which a report lies.
			({ tmux, orchestrators }) =>
				waitUntil("the end", async () => {
					tmux.run("send-keys", "-t", `fleet:${TARGET}`, "C-c", "C-c");
					await Bun.sleep(1000);
					return orchestrators().length === 0;
				}),
		],
		[
			"went with its window",
			({ tmux }) => tmux.run("kill-window", "-t", `fleet:${TARGET}`),
		],
	];

	test.each(ends)(
		"%s is replaced, its session resumed, and the new one told once; there is one",
		(_how, end) =>
			withOrchestrator({}, async (world, before) => {
				await end(world, before);
				const after = await world.nextOrchestrator(before);
				expect(after.sessionId).toBe(before.sessionId);
				expect(briefsOf(after)).toHaveLength(2);
				expect(briefsOf(after)[1]).toContain(`--resume ${before.sessionId}`);
				expectOne(world, after);
				expect(alerts(world)).toContain("absent for 4 poll(s)");
				const env = after.environ();
				expect(env.NEXUS_IS_ORCHESTRATOR).toBe("1");
				expect(env.NEXUS_ORCHESTRATOR_WINDOW).toBe(TARGET);
			}),
		LIMIT,
	);

	test(
		"was killed with a report waiting behind its turn is told where to read it",
		() =>
			withOrchestrator({ rules: HANG }, async (world, before) => {
				const type = (...keys: string[]) =>
					world.tmux.run("send-keys", "-t", `fleet:${TARGET}`, ...keys);
				type("-l", "Think it over.");
				await Bun.sleep(500);
				type("Enter");
				await waitUntil("the turn", () => before.status() === "busy");
				const words = ["--origin", "w1", "--slug", "s", "--message", "Which?"];
				const filed = await world.ng("request", "file", ...words);
				expect(filed.rc).toBe(0);
				// An earlier report may have waited behind the brief.
				await waitUntil("this report in its queue", () =>
					transcriptOf(world, before).includes(filed.out.trim()),
				);
				await world.said("rc=0 (queued)");
				process.kill(before.pid, "SIGKILL");
				const after = await world.nextOrchestrator(before);
				const brief = briefsOf(after).at(-1) ?? "";
				// A report that came before it may stand above it.
				const named = brief.matchAll(/^ +- (.+) \(nexus-emit-sig /gm);
				const told = [...named].map(([, path = ""]) =>
					readFileSync(path, "utf8"),
				);
				expect(told.join("\n")).toContain(filed.out.trim());
			}),
		LIMIT,
	);

	test(
		"hands over, as it is taught, is replaced by a fresh one although the call ends with its own window",
		() =>
			withOrchestrator({ rules: HAND_OVER }, async (world, before) => {
				const type = (...keys: string[]) =>
					world.tmux.run("send-keys", "-t", `fleet:${TARGET}`, ...keys);
				type("-l", "Hand over now.");
				await Bun.sleep(500);
				type("Enter");
				const after = await world.orchestratorOtherThan(before);
				expect(briefsOf(after)).toHaveLength(1);
				expect(briefsOf(after)[0]).toContain("- Mode: fresh");
				expectOne(world, after);
				// The start, and this: the watcher brought nobody back beside it.
				expect(respawns(world)).toBe(2);
			}),
		LIMIT,
	);

	test(
		"lost its transcript is replaced by a fresh one, under a pin of its own",
		() =>
			withOrchestrator(QUICK, async (world, before) => {
				const transcript = new Bun.Glob(`**/${before.sessionId}.jsonl`);
				for (const path of transcript.scanSync({
					cwd: join(world.configDir, "projects"),
					absolute: true,
				}))
					await Bun.file(path).delete();
				process.kill(before.pid, "SIGKILL");
				const after = await world.orchestratorOtherThan(before);
				expect(world.state("orchestrator-session-id").trim()).toBe(
					after.sessionId,
				);
				expectOne(world, after);
			}),
		LIMIT,
	);

	test(
		"ends each time it is resumed is replaced by a fresh one, which is told which session that was",
		() =>
			withOrchestrator(QUICK, async (world, before) => {
				writeLocalsEnv(
					world,
					`[ "$NEXUS_ORCH_SESSION_ID" != ${before.sessionId} ] || exit 7\n`,
				);
				process.kill(before.pid, "SIGKILL");
				const after = await world.orchestratorOtherThan(before);
				expect(briefsOf(after)[0]).toContain(before.sessionId);
				expect(respawns(world)).toBe(4);
				expectOne(world, after);
			}),
		LIMIT,
	);

	test(
		"lives in a window that lost its name gets the name back, and is not replaced",
		() =>
			withOrchestrator(QUICK, async (world, before) => {
				world.tmux.run("rename-window", "-t", `fleet:${TARGET}`, "elsewhere");
				await waitUntil("the name", () => panes(world).includes(` ${TARGET}`));
				expectOne(world, before);
				expect(respawns(world)).toBe(1);
			}),
		LIMIT,
	);

	test(
		"is suspended for a while is left alone, and what it was sent meanwhile arrives, each report once",
		() =>
			withOrchestrator(
				{
					env: { ...QUICK.env, MONITOR_INTERVAL: "5" },
					isSuspendable: true,
				},
				async (world, before) => {
					process.kill(before.pid, "SIGSTOP");
					await Bun.sleep(20_000);
					expect(world.orchestrators()).toEqual([before.pid]);
					process.kill(before.pid, "SIGCONT");
					const prompts = await before.waitForPrompts(2);
					expectOne(world, before);
					const signatures = prompts.flatMap(
						(text) => /nexus-emit-sig .*/.exec(text)?.[0] ?? [],
					);
					expect(new Set(signatures).size).toBe(signatures.length);
				},
			),
		LIMIT,
	);
});

/** A missing window is believed at the second look; the start is no part of a crash loop. */
const QUICK = {
	env: { AGENT_MISSING_RESPAWN_DELAY: "1", MONITOR_RESPAWN_LOOP_LIMIT: "4" },
};

/** The contract's minutes as seconds. */
const IMPATIENT = {
	...QUICK.env,
	MONITOR_INTERVAL: "5",
	MONITOR_ORCHESTRATOR_STALE_SECONDS: "1",
	MONITOR_ORCH_PASTE_RESPONSE_GRACE_S: "4",
	MONITOR_ORCH_UNSTICK_WINDOW_S: "4",
	MONITOR_ORCH_DEAD_THRESHOLD_S: "14",
	MONITOR_ORCH_STALE_PASTE_CEILING_S: "60",
	MONITOR_PASTE_DEFERRAL_ALERT_SECONDS: "10",
	NEXUS_PANE_BOOT_GRACE_SECONDS: "5",
};

describe.concurrent("past the limits of the contract, an orchestrator that", () => {
	/** The turn of this request's first report never ends. */
	const hangingOnce = (slug: string): ModelRule => {
		let turns = 0;
		const hang = { kind: "hang", text: "Let me see." } as const;
		return { when: slug, replies: () => (turns++ === 0 ? [hang] : []) };
	};

	test(
		"is suspended in the middle of a turn is replaced, its session resumed; there is one",
		() =>
			withOrchestrator(
				{
					env: IMPATIENT,
					rules: [hangingOnce("which-way")],
					isSuspendable: true,
				},
				async (world, before) => {
					const words = ["--origin", "w1", "--slug", "which-way"];
					const filed = await world.ng(
						...["request", "file", ...words, "--message", "Left?"],
					);
					expect(filed.rc).toBe(0);
					await waitUntil("its report to be delivered", () =>
						world.state("requests-emit-state.tsv").includes(filed.out.trim()),
					);
					await waitUntil("the turn", () => before.status() === "busy");
					process.kill(before.pid, "SIGSTOP");
					// As if the report had come with its last breath: on a busy machine it has had time for a sign of life.
					const stamp = join(world.stateDir, "orchestrator-last-paste.ts");
					writeFileSync(stamp, `${Math.ceil(Date.now() / 1000) + 1}\n`);
					await world.said("escalated to respawn");
					const after = await world.nextOrchestrator(before);
					expect(after.sessionId).toBe(before.sessionId);
					expectOne(world, after);
				},
			),
		LIMIT,
	);
});

describe.concurrent("an orchestrator that stands", () => {
	const untrusted = `sed -i 's/"hasTrustDialogAccepted": *true/"hasTrustDialogAccepted":false/g' "$CLAUDE_CONFIG_DIR/.claude.json"\n`;

	test(
		"at the trust dialog of its root is led through it and briefed",
		() =>
			withOrchestrator(
				{ ...QUICK, localsEnv: untrusted },
				async (world, before) => {
					expect(world.state("watcher.log")).toContain(
						"start-up dialog workspace-trust: chosen",
					);
					expectOne(world, before);
				},
			),
		LIMIT,
	);

	test(
		"at the list of sessions, opened by hand, gets no key, and the operator is told",
		() =>
			withOrchestratorWorld(
				{
					env: IMPATIENT,
					prepare: (fleet) => startByHand(fleet, ["--resume"]),
				},
				async (world) => {
					await world.said("is held up (at a dialog");
					expect(screen(world)).toContain("⌕ Search…");
					expect(screen(world)).not.toContain("nexus state changed");
					expect(respawns(world)).toBe(0);
				},
			),
		LIMIT,
	);
});

describe.concurrent("a watcher", () => {
	test(
		"whose orchestrator is a shell types nothing into it and tells the operator; when nothing moves in it, it opens a new orchestrator beside it",
		() =>
			withOrchestratorWorld(
				{
					env: { ...IMPATIENT, MONITOR_ORCH_DEAD_THRESHOLD_S: "40" },
					prepare: ({ tmux }) => {
						tmux.run(
							"new-window",
							"-d",
							"-t",
							"fleet:",
							"-n",
							TARGET,
							"env",
							"sh",
						);
					},
				},
				async (world) => {
					await world.said("holds no agent");
					expect(world.orchestrators()).toEqual([]);
					const shell = screen(world);
					expect(shell.trim()).toMatch(/^[$#]$/);
					const after = await world.orchestrator();
					expectOne(world, after);
					const aside = `fleet:${TARGET}-shell`;
					expect(world.tmux.run("capture-pane", "-p", "-t", aside)).toBe(shell);
				},
			),
		LIMIT,
	);

	test(
		"whose orchestrator was started by hand, without hooks, does not replace it while it answers",
		() =>
			withOrchestratorWorld(
				{ env: IMPATIENT, prepare: (fleet) => startByHand(fleet, []) },
				async (world) => {
					const own = await world.worker(TARGET);
					await own.waitForPrompts(1);
					await Bun.sleep(25_000);
					expect(world.state("orchestrator-heartbeat")).toBe("");
					expect((await world.worker(TARGET)).pid).toBe(own.pid);
					expect(respawns(world)).toBe(0);
					expect(alerts(world)).toBe("");
				},
			),
		LIMIT,
	);
});

test.concurrent(
	"a watcher that is killed between the arrival of a report and what it learns from it does not tell it again",
	() =>
		withOrchestrator(
			{ env: { ...QUICK.env, MONITOR_INTERVAL: "5" } },
			async (world, orchestrator) => {
				const told = (name: string) =>
					orchestrator.prompts().filter((text) => text.includes(name)).length;
				await waitUntil("the first report", () => told("nexus-emit-sig") > 0);
				const name = await waitUntil(
					"a kill at the right moment",
					() => killAtArrival(world, told),
					{ limitMs: 120_000 },
				);
				await world.startWatcher();
				await world.said(/was cut off: arrived=yes learn/);
				await Bun.sleep(12_000);
				expect(told(name)).toBe(1);
			},
		),
	LIMIT,
);

/** The watcher ends as soon as a new report stands in the transcript. Null: it had learned already, and was started again. */
async function killAtArrival(
	world: OrchestratorWorld,
	told: (name: string) => number,
): Promise<string | null> {
	const name = `w1_2026-05-11_${Date.now() % 1_000_000}_done.md`;
	mkdirSync(join(world.root, "reports"), { recursive: true });
	writeFileSync(join(world.root, "reports", name), "## Summary\n\ndone\n");
	while (told(name) === 0) await Bun.sleep(2);
	const pid = world.pid();
	if (pid !== null) process.kill(pid, "SIGKILL");
	const pending = join(world.stateDir, "pending-delivery");
	if (existsSync(pending) && readdirSync(pending).length > 0) return name;
	await world.startWatcher();
	return null;
}

/** In the orchestrator's place, without hooks, the pin or the marks of a launcher. */
async function startByHand(
	{ configDir, root, tmux, worker }: WorkerFleet,
	flags: readonly string[],
): Promise<void> {
	const config = JSON.stringify(claudeConfig([root]));
	writeFileSync(join(configDir, ".claude.json"), config);
	const start = (...more: readonly string[]) =>
		tmux.run(
			...["new-window", "-d", "-t", "fleet:", "-n", TARGET, "-c", root],
			...[CLAUDE, "--dangerously-skip-permissions", ...more],
		);
	start();
	const isIdle = async () => (await worker(TARGET)).status() === "idle";
	await waitUntil("its box", isIdle);
	if (flags.length === 0) return;
	// There must be something to resume.
	tmux.run("send-keys", "-t", `fleet:${TARGET}`, "hello there", "Enter");
	await (await worker(TARGET)).waitForAnswer("Understood.");
	tmux.run("kill-window", "-t", `fleet:${TARGET}`);
	start(...flags);
}

function transcriptOf(world: OrchestratorWorld, { sessionId }: Worker): string {
	const paths = new Bun.Glob(`**/${sessionId}.jsonl`).scanSync({
		cwd: join(world.configDir, "projects"),
		absolute: true,
	});
	return [...paths].map((path) => readFileSync(path, "utf8")).join("");
}
