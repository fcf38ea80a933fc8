/** The orchestrator's life with real programs: watcher, tmux, Claude Code, a scripted model (contract 04 §13–§16). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
	briefsOf,
	type OrchestratorWorld,
	openOrchestratorWorld,
	panes,
	TARGET,
} from "../support/orchestrator-world.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { Worker } from "../support/worker-fleet.ts";

const LIMIT = 120_000;
let world: OrchestratorWorld;
let before: Worker;

/** A start is a respawn, too: the watcher finds no orchestrator and opens one. */
beforeEach(async () => {
	world = await openOrchestratorWorld({ NEXUS_PANE_BOOT_GRACE_SECONDS: "15" });
	before = await world.orchestrator();
}, LIMIT);
afterEach(() => world.close(), LIMIT);

const alerts = () => world.state("watcher-alerts.log");

describe("an orchestrator that", () => {
	const ends: readonly (readonly [string, () => unknown])[] = [
		["was killed", () => process.kill(before.pid, "SIGKILL")],
		["was ended by a signal", () => process.kill(before.pid, "SIGTERM")],
		[
			"left by itself",
			async () => {
				// Twice in a row ends it, and once only clears a box in which a report lies.
				await waitUntil("the end", async () => {
					world.tmux.run("send-keys", "-t", `fleet:${TARGET}`, "C-c", "C-c");
					await Bun.sleep(1000);
					return world.orchestrators().length === 0 || null;
				});
			},
		],
		[
			"went with its window",
			() => world.tmux.run("kill-window", "-t", `fleet:${TARGET}`),
		],
	];

	test.each(ends)(
		"%s is replaced, its session resumed, and the new one told once; there is one",
		async (_how, end) => {
			await end();
			const after = await world.nextOrchestrator(before);
			expect(after.sessionId).toBe(before.sessionId);
			expect(briefsOf(after)).toHaveLength(2);
			expect(briefsOf(after)[1]).toContain(`--resume ${before.sessionId}`);
			expect(world.orchestrators()).toEqual([after.pid]);
			expect(panes(world).match(/ orchestrator$/gm)).toHaveLength(1);
			expect(alerts()).toContain("absent for 4 poll(s)");
			const env = after.environ();
			expect(env.NEXUS_IS_ORCHESTRATOR).toBe("1");
			expect(env.NEXUS_ORCHESTRATOR_WINDOW).toBe(TARGET);
		},
		LIMIT,
	);

	test(
		"lost its transcript is replaced by a fresh one, under a pin of its own",
		async () => {
			const transcript = new Bun.Glob(`**/${before.sessionId}.jsonl`);
			for (const path of transcript.scanSync({
				cwd: join(world.configDir, "projects"),
				absolute: true,
			}))
				await Bun.file(path).delete();
			process.kill(before.pid, "SIGKILL");
			const after = await world.orchestratorOtherThan(before);
			expect(after.sessionId).not.toBe(before.sessionId);
			expect(world.state("orchestrator-session-id").trim()).toBe(
				after.sessionId,
			);
			expect(world.orchestrators()).toEqual([after.pid]);
		},
		LIMIT,
	);

	test(
		"lives in a window that lost its name gets the name back, and is not replaced",
		async () => {
			world.tmux.run("rename-window", "-t", `fleet:${TARGET}`, "elsewhere");
			await waitUntil(
				"the name",
				() => panes(world).includes(` ${TARGET}`) || null,
				{ limitMs: 30_000 },
			);
			expect(world.orchestrators()).toEqual([before.pid]);
			expect(world.state("watcher.log").match(/spawned new/g)).toHaveLength(1);
		},
		LIMIT,
	);

	test(
		"is suspended for a while is left alone, and the report that waited for it arrives",
		async () => {
			process.kill(before.pid, "SIGSTOP");
			await Bun.sleep(20_000);
			expect(world.orchestrators()).toEqual([before.pid]);
			process.kill(before.pid, "SIGCONT");
			await before.waitForPrompts(2);
			expect(world.orchestrators()).toEqual([before.pid]);
		},
		LIMIT,
	);
});

test(
	"a shell in the orchestrator's place is not typed into and not closed, and the operator is told",
	async () => {
		world.tmux.run("kill-window", "-t", `fleet:${TARGET}`);
		world.tmux.run("new-window", "-d", "-t", "fleet:", "-n", TARGET, "sh");
		await waitUntil(
			"the alert",
			() => /holds no agent/.test(alerts()) || null,
			{
				limitMs: 60_000,
			},
		);
		expect(world.orchestrators()).toEqual([]);
		const text = world.tmux.run("capture-pane", "-p", "-t", `fleet:${TARGET}`);
		expect(text).not.toContain("nexus");
		const launches = world.state("watcher.log").match(/respawn launched/g);
		expect(launches).toHaveLength(1);
	},
	LIMIT,
);
