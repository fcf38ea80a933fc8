/** Which floor a file stands on, and in which room of it (architecture, "Floors"). */

export type Floor = 0 | 1 | 2 | 3 | 4;
export interface Place {
	readonly floor: Floor;
	/** Files of one room import each other freely. */
	readonly room: string;
}

const KNOWLEDGE =
	/^monitor\/(_pane|_delivery|_github|_emit|_liveness|_services|_fleet)\//;
const WATCHER_FACES =
	/^monitor\/watcher\/(main|launcher|entry|bootstrap|heartbeat-ticker|spawn-fresh-orchestrator|verify-stack)\.ts$/;
/** Tables of verbs and tasks, and where duties and knowledge that must not know each other are joined; only a face imports these. */
const WIRING =
	/^monitor\/(?:watcher\/(?:run|tasks|assembly|(?:emit|github|replace|respawn)-wiring)|(?:ng|svc)-verbs|fleet(?:-copy)?-wiring)\.ts$/;

/** Null: the file stands nowhere, which is a mistake of its own. */
export function placeOf(path: string): Place | null {
	if (/^config\/(load|generate)\.ts$/.test(path))
		return { floor: 4, room: path };
	if (path.startsWith("config/")) return { floor: 0, room: "config" };
	if (path.startsWith("monitor/_sys/")) return { floor: 0, room: "_sys" };
	if (path.startsWith("monitor/_state/")) return { floor: 1, room: "_state" };
	const knows = KNOWLEDGE.exec(path)?.[1];
	if (knows !== undefined) return { floor: 2, room: knows };
	if (WIRING.test(path)) return { floor: 4, room: "wiring" };
	if (WATCHER_FACES.test(path)) return { floor: 4, room: path };
	// What every task gets: the type of its context.
	if (path === "monitor/watcher/context.ts") return { floor: 3, room: path };
	// One folder, one room: all hooks stand on the same reader of payloads and windows.
	if (/^monitor\/hooks\/_[a-z_-]+\.ts$/.test(path))
		return { floor: 3, room: "hooks" };
	const duty =
		/^(monitor\/watcher\/_[a-z_-]+|monitor\/_[a-z-]+(?=\/)|resources\/_[a-z_-]+)(?:\.ts$|\/)/.exec(
			path,
		)?.[1];
	if (duty !== undefined) return { floor: 3, room: duty };
	if (/^(monitor|monitor\/hooks|resources)\/[^/]+\.ts$/.test(path))
		return { floor: 4, room: path };
	return null;
}
