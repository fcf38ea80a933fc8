/** Looks at everything the plan of the start needs, in the order of contract 01 §2.1.1–5. Nothing is written but the state dir. */
import { resolve } from "node:path";
import { getKey, loadConfig } from "../../../config/read.ts";
import { loadForStart, type StartConfig } from "../../../config/start.ts";
import type { WatcherConfig } from "../../../config/watcher.ts";
import { ownPane, windowHasOrchestrator } from "../../_liveness/own-window.ts";
import {
	checkWatcher,
	listWatcherGroups,
	watcherIdentity,
} from "../../_liveness/watcher-process.ts";
import { setAside } from "../../_state/damaged.ts";
import { type Home, resolveHome } from "../../_state/home.ts";
import { peekWatcherPid, watcherPidPath } from "../../_state/watcher-pid.ts";
import type { Doors } from "../../_sys/doors.ts";
import { parseWatcherArgs } from "./args.ts";
import type { StartupFacts } from "./plan.ts";

export interface Gathered {
	readonly facts: StartupFacts;
	readonly home: Home;
	/** Below it the configuration was looked for: `NEXUS_ROOT`, else the checkout, whatever the file itself says. */
	readonly configRoot: string;
	/** Null when the configuration refuses. */
	readonly loaded: {
		readonly config: WatcherConfig;
		readonly warnings: readonly string[];
		/** The window in force: `--target`, else the configured one. */
		readonly target: string;
	} | null;
}

/** A configuration that cannot be used is a fact, too: the plan refuses. */
export async function gatherFacts(
	doors: Doors,
	argv: readonly string[],
	codeRoot: string,
): Promise<Gathered> {
	const { env } = doors.proc;
	const from = {
		files: doors.files,
		clock: doors.clock,
		env,
		root: env.NEXUS_ROOT ? resolve(env.NEXUS_ROOT) : codeRoot,
		uid: doors.proc.uid,
	};
	// Only for its root: what is wrong with the file is told further on, with the rest.
	const first = await loadConfig(from);
	const configRoot =
		first.kind === "ok" ? getKey(first.tree, "nexus.root") : null;
	const home = resolveHome(
		env,
		typeof configRoot === "string" ? configRoot : null,
		codeRoot,
		doors.files,
	);
	doors.files.mkdir(home.stateDir);

	const otherWatcher = findOtherWatcher(doors, home);
	const start = await loadForStart({ ...from, home: env.HOME ?? "" });
	const args = parseWatcherArgs(argv);
	const target =
		start.kind === "ok"
			? ((args.kind === "ok" ? args.target : null) ??
				start.config["monitor.target_window"])
			: null;
	const ownTarget = target === null ? null : await inTarget(doors, target);
	return {
		facts: { otherWatcher, config: judged(start), args, ownTarget },
		home,
		configRoot: from.root,
		loaded:
			start.kind === "ok" && target !== null ? { ...start, target } : null,
	};
}

function judged(start: StartConfig): StartupFacts["config"] {
	return start.kind === "ok"
		? { kind: "ok" }
		: { kind: "refused", lines: start.lines };
}

/** A damaged pidfile says nothing of who runs, so the process table is asked. What cannot be looked at counts as alive. */
function findOtherWatcher(doors: Doors, home: Home): number | null {
	const { files, proc } = doors;
	const identity = watcherIdentity(files, home.stateDir, home.codeRoot);
	const read = peekWatcherPid(files, home.stateDir);
	if (read.kind === "absent") return null;
	if (read.kind === "ok") {
		if (read.value === proc.pid) return null;
		const check = checkWatcher(doors, read.value, identity);
		return check === "live" || check === "unreadable" ? read.value : null;
	}
	if (read.kind === "damaged")
		setAside(doors, home.stateDir, watcherPidPath(home.stateDir), read.why);
	const groups = listWatcherGroups(doors, identity);
	const pids =
		groups.kind === "ok" ? groups.value.flatMap((group) => group.members) : [];
	return pids.find((pid) => pid !== proc.pid) ?? null;
}

/** The window we run in, when it is the target (contract 01 §2.1.5). `$TMUX_PANE` alone proves nothing. */
async function inTarget(
	doors: Doors,
	target: string,
): Promise<StartupFacts["ownTarget"]> {
	if (!doors.proc.env.TMUX_PANE) return null;
	const seen = await doors.tmux.panes();
	if (seen.kind !== "ok") return null;
	const own = ownPane(doors.proc, seen.rows);
	if (own === null || own.windowName !== target) return null;
	return {
		windowId: own.windowId,
		name: own.windowName,
		orchestrator: windowHasOrchestrator(doors, seen.rows, own.windowId),
	};
}
