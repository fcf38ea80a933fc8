/** The fleet of a soak: the real watcher, tmux and Claude Code, a stand-in GitHub, a root as an operator has it. */
import {
	appendFileSync,
	mkdirSync,
	readdirSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { claudeHomeAt } from "../../monitor/_nexus/demo/claude-home.ts";
import { CODE_ROOT, type ProgramName } from "../../monitor/_sys/names.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { BOT, REPO } from "../../tests/github/rig.ts";
import {
	CLAUDE,
	type OrchestratorWorld,
	panes,
	withOrchestratorWorld,
} from "../../tests/support/orchestrator-world.ts";
import {
	type RealGitHub,
	startRealGitHub,
} from "../../tests/support/real-github.ts";
import type { Ran } from "../../tests/support/real-root.ts";
import { sessionBelow, sessionOf } from "../../tests/support/worker-fleet.ts";
import { guardWatcher } from "../world.ts";
import { killWorker } from "./kills.ts";
import { type Asked, emptyLedger, type Ledger } from "./ledger.ts";
import { soakRules } from "./script.ts";

export interface SoakWorld extends OrchestratorWorld {
	readonly ledger: Ledger;
	readonly github: RealGitHub;
	/** Windows that errands are given to. */
	readonly workers: readonly string[];
	/** Runs one of our programs with the environment that the watcher was started with. */
	asOperator(program: ProgramName, args?: readonly string[]): Promise<Ran>;
	isMarked(id: number, content: "eyes" | "rocket"): boolean;
	/** What this worker was asked and has not handed over. */
	openErrandOf(window: string): Asked | undefined;
	/** The Claude Code in a window; null: none is there. */
	paneOf(window: string): Pane | null;
}
export interface Pane {
	readonly pid: number;
	lives(): boolean;
	status(): string;
	screen(): string;
	type(text: string): void;
	/** Empties the box. */
	clear(): void;
}

/** Quicker than an operator's, so that a soak of minutes holds what a night does; the rest are defaults. */
const CONFIG = `monitor:
  interval_seconds: 15
  idle_threshold_seconds: 15
  idle_pool_spawn_grace_seconds: 20
  # The checkout is being worked on.
  clone_drift:
    enabled: false
  version_restart:
    enabled: false
`;

export async function withSoakWorld(
	opts: { readonly workers: number; readonly chance: () => number },
	act: (world: SoakWorld) => Promise<void>,
): Promise<void> {
	const ledger = emptyLedger();
	const workers = Array.from({ length: opts.workers }, (_, n) => `w${n + 1}`);
	const made: { github?: RealGitHub; world?: SoakWorld; root: string } = {
		root: "",
	};
	const isMarked: SoakWorld["isMarked"] = (id, content) =>
		commentsOf(made.github)
			.find((comment) => comment.id === id)
			?.reactions.some(
				(r) => r.content === content && r.user === `${BOT}[bot]`,
			) ?? false;
	const rules = soakRules({
		ledger,
		isMarked,
		chance: opts.chance,
		root: () => made.root,
		onCrash: (asked) => {
			if (made.world !== undefined) void killWorker(made.world, asked);
		},
	});
	const prepare = (fleet: Parameters<typeof startRealGitHub>[0]) => {
		made.root = fleet.root;
		made.github = startRealGitHub(fleet);
		appendFileSync(fleet.configPath, CONFIG);
		standAsInstalled(fleet.root, workers);
		guardWatcher(fleet.tmux, fleet.stateDir);
	};
	try {
		await withOrchestratorWorld({ rules, prepare }, async (world) => {
			const { github } = made;
			if (github === undefined) throw new Error("the world has no GitHub");
			made.world = {
				...world,
				ledger,
				github,
				workers,
				isMarked,
				asOperator: (program, args = []) =>
					world.run(program, args, operatorEnv(world.root)),
				openErrandOf: (window) =>
					ledger.asked.find(
						(one) => one.window === window && !isMarked(one.id, "rocket"),
					),
				paneOf: (window) => paneOf(world, window),
			};
			await act(made.world);
		});
	} finally {
		await made.github?.stop();
	}
}

function commentsOf(github: RealGitHub | undefined) {
	return (
		github?.place.state.repos.find((repo) => repo.fullName === REPO)
			?.comments ?? []
	);
}

function operatorEnv(root: string): Readonly<Record<string, string>> {
	const where = claudeHomeAt(join(root, "claude-code"));
	return {
		HOME: where.home,
		TMPDIR: where.tmp,
		CLAUDE_CONFIG_DIR: where.configDir,
		CLAUDE_BIN: CLAUDE,
	};
}

/** The programs lie below the root; every worker's folder asks before a package is published. */
function standAsInstalled(root: string, workers: readonly string[]): void {
	for (const name of readdirSync(join(CODE_ROOT, "monitor")))
		if (name !== ".state")
			symlinkSync(
				join(CODE_ROOT, "monitor", name),
				join(root, "monitor", name),
			);
	mkdirSync(join(root, "reports"), { recursive: true });
	for (const window of workers) {
		const settings = join(root, "work", window, ".claude");
		mkdirSync(settings, { recursive: true });
		const ask = { permissions: { ask: ["Bash(npm publish:*)"] } };
		writeFileSync(join(settings, "settings.json"), JSON.stringify(ask));
	}
}

function paneOf(world: OrchestratorWorld, window: string): Pane | null {
	const { tmux, configDir } = world;
	const row = panes(world)
		.split("\n")
		.find((line) => line.endsWith(` 0 ${window}`));
	const [paneId = "", shell = ""] = row?.split(" ") ?? [];
	const session =
		row === undefined ? null : sessionBelow(configDir, Number(shell));
	if (session === null) return null;
	const { pid } = session;
	return {
		pid,
		lives: () => realProc().alive(pid),
		status: () => sessionOf(configDir, pid)?.status ?? "none",
		screen: () => tmux.run("capture-pane", "-p", "-t", paneId),
		type: (text) => void tmux.run("send-keys", "-t", paneId, "-l", "--", text),
		clear: () => void tmux.run("send-keys", "-t", paneId, "C-u"),
	};
}
