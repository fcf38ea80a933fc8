/** A watcher that looks after its orchestrator: the real watcher, tmux and Claude Code, a scripted model, a root of their own. */

import { join } from "node:path";
import { claudeHomeAt } from "../../monitor/_nexus/demo/claude-home.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { waitUntil } from "./wait-until.ts";
import {
	openWorkerFleet,
	type Worker,
	type WorkerFleet,
} from "./worker-fleet.ts";

export interface OrchestratorWorld extends WorkerFleet {
	/** The one in the target's window, once its first turn is over. */
	orchestrator(): Promise<Worker>;
	/** The one in its place later, briefed in its turn. */
	nextOrchestrator(before: Worker): Promise<Worker>;
	/** A session of its own in its place. */
	orchestratorOtherThan(before: Worker): Promise<Worker>;
	/** Pids of every live process with the orchestrator's mark that is a claude. */
	orchestrators(): readonly number[];
}

export const TARGET = "orchestrator";
const LIMIT_MS = 60_000;

/** Nobody starts an orchestrator: the watcher finds none, and opens one. `env` is the watcher's. */
export async function openOrchestratorWorld(
	env: Readonly<Record<string, string>> = {},
): Promise<OrchestratorWorld> {
	const fleet = openWorkerFleet();
	const where = claudeHomeAt(join(fleet.root, "claude-code"));
	const started = await fleet.run("launcher", ["--target", TARGET], {
		HOME: where.home,
		TMPDIR: where.tmp,
		CLAUDE_CONFIG_DIR: where.configDir,
		...env,
	});
	if (started.rc !== 0) throw new Error(`no watcher: ${started.err}`);
	const describe = () =>
		`${fleet.state("watcher.log").slice(-4000)}\n${panes(fleet)}`;
	const briefed = (isNews: (found: Worker) => boolean) =>
		waitUntil(
			"a briefed orchestrator",
			async () => {
				if (!panes(fleet).includes(` 0 ${TARGET}`)) return null;
				const found = await fleet.worker(TARGET).catch(() => null);
				const isOver = found?.status() === "idle" && isNews(found);
				return isOver ? found : null;
			},
			{ limitMs: LIMIT_MS, describe },
		);
	return {
		...fleet,
		orchestrator: () => briefed((found) => briefsOf(found).length > 0),
		orchestratorOtherThan: ({ sessionId }) =>
			briefed(
				(found) => found.sessionId !== sessionId && briefsOf(found).length > 0,
			),
		nextOrchestrator: (before) => {
			const known = briefsOf(before).length;
			return briefed(
				(found) => found.pid !== before.pid && briefsOf(found).length > known,
			);
		},
		orchestrators: () => markedClaudes(fleet.stateDir),
	};
}

/** What a session was told of its respawn; one that has said nothing yet has no transcript. */
export function briefsOf(found: Worker): readonly string[] {
	try {
		return found.prompts().filter((text) => text.includes("respawned"));
	} catch {
		return [];
	}
}

/** `<pane> <pid> <dead> <window>` a line. */
export function panes({ tmux }: Pick<WorkerFleet, "tmux">): string {
	const format = "#{pane_id} #{pane_pid} #{pane_dead} #{window_name}";
	return tmux.run("list-panes", "-a", "-F", format);
}

function markedClaudes(stateDir: string): readonly number[] {
	const proc = realProc();
	const table = proc.table();
	return (table.kind === "ok" ? table.value : []).flatMap(({ pid, comm }) => {
		const env = proc.environ(pid);
		const isOurs =
			env.kind === "ok" &&
			env.value.NEXUS_IS_ORCHESTRATOR === "1" &&
			env.value.NEXUS_STATE_DIR === stateDir;
		return isOurs && comm.startsWith("claude") ? [pid] : [];
	});
}
