/** A world in which watchers are started: members that are registered, and what stands there, as one value. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { startWatcher } from "../../resources/_start-watcher/run.ts";
import { ECHO, type FleetWorld, openFleetWorld } from "./world.ts";

export interface Started {
	readonly exit: number;
	readonly out: string;
	readonly err: string;
}
export interface StartWorld extends FleetWorld {
	/** Starts `w1` over `a` and `b` under `coord`; `--flag=value` in place of what it would say itself. */
	start(
		flags?: readonly string[],
		part?: {
			readonly doors?: (doors: Doors, signal: (name: string) => void) => Doors;
			readonly as?: string;
			/** In place of `w1`. */
			readonly name?: string;
		},
	): Promise<Started>;
	/** All that a start could have left. */
	traces(): unknown;
}

const USUAL = [
	...["--role=steward", "--parent=coord", "--roster=@a, b", "--model=m"],
	...["--effort=low", "--owner=ana", `--runtime=${ECHO}`, "--backend=local"],
];

export function openStartWorld(): StartWorld {
	const world = openFleetWorld({ runtimes: { brief: "sleep 0.25" } });
	const { thrumDir, repo, server, standIn } = world;
	for (const [name, role] of [
		["a", "worker"],
		["b", "worker"],
		["coord", "coordinator"],
	] as const) {
		const member = {
			agent_id: name,
			role,
			module: name,
			runtime: "claude",
			tmux_session: `gone-${name}`,
			worktree: `/nowhere/${name}`,
		};
		for (const dir of [join(thrumDir, "registry"), join(standIn, "agents")])
			mkdirSync(dir, { recursive: true });
		const text = JSON.stringify(member);
		writeFileSync(join(thrumDir, "registry", `${name}.json`), text);
		writeFileSync(join(standIn, "agents", name), text);
	}
	mkdirSync(join(standIn, "worktrees"));
	const trees = join(server.dir, ".thrum/worktrees/repo");
	const homeFolders = () =>
		below(join(server.dir, ".thrum")).filter((path) => !path.includes("repo/"));
	return {
		...world,
		start: async (flags = [], part = {}) => {
			const deps = world.deps(part.as ?? "");
			const handlers = new Map<string, () => void>();
			const signal = (name: string) => handlers.get(name)?.();
			const doors = part.doors?.(deps.doors, signal) ?? deps.doors;
			const out: string[] = [];
			const err: string[] = [];
			const given = (word: string) => flags.some((f) => sameFlag(f, word));
			const usual = USUAL.filter((word) => !given(word));
			const argv = [part.name ?? "w1", ...usual, ...flags];
			const exit = await startWatcher(argv, {
				doors,
				cwd: repo,
				codeRoot: CODE_ROOT,
				copyEnv: () => ({}),
				settings: async () => ({ problems: [], deps: { ...deps, doors } }),
				events: { onSignal: (name, act) => void handlers.set(name, act) },
				out: (text) => void out.push(text),
				err: (text) => void err.push(text),
			});
			return { exit, out: out.join("\n"), err: err.join("\n") };
		},
		traces: () => ({
			files: below(thrumDir),
			trees: below(trees),
			standIn: below(standIn).filter((path) => path !== "calls"),
			branches: world.git("branch", "--list"),
			worktrees: world.git("worktree", "list"),
			status: world.git("status", "--porcelain", "--", ":!.thrum"),
			home: homeFolders(),
			excluded: textOf(join(repo, ".git/info/exclude")),
			// Its answers to first-start questions are not of one folder, and stay.
			trusted: Object.keys(
				JSON.parse(textOf(join(server.dir, "claude/.claude.json")) ?? "{}")
					.projects ?? {},
			),
			sessions: server.run("list-sessions", "-F", "#{session_name}"),
		}),
	};
}

export function readJson(path: string): Record<string, unknown> {
	return JSON.parse(readFileSync(path, "utf8"));
}

function sameFlag(flag: string, word: string): boolean {
	return word.startsWith("--") && flag.split("=")[0] === word.split("=")[0];
}

function textOf(path: string): string | null {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return null;
	}
}

/** Files and folders, without the worktrees' own. */
function below(dir: string): readonly string[] {
	try {
		return readdirSync(dir, { recursive: true }).map(String).sort();
	} catch {
		return [];
	}
}
