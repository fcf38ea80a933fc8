/** A whole stack brought back by `./nexus up`, with the real watcher, tmux and Claude Code (contract 06 §5). */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeHomeAt } from "../../monitor/_nexus/demo/claude-home.ts";
import { programPath } from "../../monitor/_sys/names.ts";
import {
	panes,
	TARGET,
	withOrchestratorWorld,
} from "../support/orchestrator-world.ts";
import { runIn } from "../support/real-root.ts";
import { waitUntil } from "../support/wait-until.ts";

test(
	"after all of it went, up brings watcher, service and orchestrator back, the session resumed, and a second up changes nothing",
	() =>
		withOrchestratorWorld({}, async (world) => {
			const { root, tmux } = world;
			const { home, tmp, configDir } = claudeHomeAt(join(root, "claude-code"));
			const env = {
				...world.env,
				HOME: home,
				TMPDIR: tmp,
				CLAUDE_CONFIG_DIR: configDir,
			};
			mkdirSync(join(root, "web"));
			const row =
				"web\t$NEXUS_ROOT/web\ttouch up; exec sleep 600\ttest -f up\n";
			writeFileSync(join(root, "monitor/services.registry"), row);
			const nexus = (...args: string[]) =>
				runIn([programPath("nexus"), ...args], root, env);
			const before = await world.orchestrator();
			expect((await nexus("stop")).rc).toBe(0);
			tmux.run("kill-window", "-t", `fleet:${TARGET}`);
			try {
				const up = await nexus("up");
				expect(up.rc).toBe(0);
				expect(up.err).toContain("[recover] watcher: it runs");
				// On a slow machine the new watcher has started it first.
				expect(up.err).toMatch(/\[recover\] web: (relaunched|healthy)/);
				expect(existsSync(join(root, "web/up"))).toBe(true);
				const after = await world.worker(TARGET);
				expect(after.pid).not.toBe(before.pid);
				expect(after.sessionId).toBe(before.sessionId);
				// `up` returns when the brief was taken; the transcript lags.
				const isTold = () =>
					after.prompts().some((text) => text.includes("cold recovery"));
				await waitUntil("its brief", isTold);
				expect(panes(world).match(/ orchestrator$/gm)).toHaveLength(1);

				const [watcher] = world.groups();
				const again = await nexus("up");
				expect(again.rc).toBe(0);
				expect(again.err).toContain("[recover] watcher: healthy");
				expect(again.err).toContain(
					`orchestrator: window '${TARGET}' is there`,
				);
				expect(again.err).toContain("[recover] web: healthy");
				expect(world.groups()).toEqual([watcher ?? 0]);
				expect(world.orchestrators()).toEqual([after.pid]);
			} finally {
				await nexus("stop");
			}
		}),
	120_000,
);
