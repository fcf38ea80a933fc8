/** The lines of `ng watcher-status` (contract 05 §14.1). Pure. */
import type { StatusFacts } from "./facts.ts";

/** In the order of the contract; a change of the configuration only beside a live watcher. */
export function renderWatcherStatus(f: StatusFacts): readonly string[] {
	return [
		...heartbeatLines(f.heartbeat),
		f.lock === null
			? "lock: absent"
			: `lock: pid=${f.lock.pid ?? "?"} started=${f.lock.startedAt ?? "?"}`,
		`instance-lock: ${instanceLock(f.instanceLock)}`,
		`hosting: ${hosting(f.legacyWindow)}`,
		`archived_diffs: ${f.archivedDiffs ?? "?"}`,
		...(f.isConfigChanged === true && f.heartbeat?.alive === true
			? ["config changed since watcher start"]
			: []),
	];
}

function heartbeatLines(beat: StatusFacts["heartbeat"]): readonly string[] {
	if (beat === null) return ["heartbeat: missing"];
	return [
		`heartbeat: ${beat.mtimeIso} (age=${beat.ageSeconds}s)`,
		beat.pid === null
			? "pid: unknown"
			: `pid: ${beat.pid} (${beat.alive ? "alive" : "DEAD"})`,
		`target: ${beat.target ?? "unknown"}`,
	];
}

function instanceLock(lock: StatusFacts["instanceLock"]): string {
	switch (lock.kind) {
		case "held": {
			const { host, pid, startedAt } = lock.meta;
			return `held (assessment=${lock.assessment} host=${host ?? "?"} pid=${pid ?? "?"} started=${startedAt ?? "?"})`;
		}
		case "free":
			return "free (stale metadata present; reclaimed on next start)";
		case "absent":
			return "absent";
		case "unknown":
			return `could not look (${lock.reason})`;
	}
}

/** Without an answer from tmux nothing speaks for a window. */
function hosting(legacyWindow: boolean | null): string {
	return legacyWindow === true
		? "legacy tmux window 'watcher' present (headless expected)"
		: "headless";
}
