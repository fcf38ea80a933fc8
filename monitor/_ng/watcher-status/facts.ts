/** Looks at what `ng watcher-status` prints (contract 05 §14.1). */
import { sha256Hex } from "../../../config/cache.ts";
import {
	assessLock,
	type LockAssessment,
} from "../../_liveness/instance-guard.ts";
import type { LivenessFacts } from "../../_liveness/verdict.ts";
import { listArchives } from "../../_state/emit-archive.ts";
import {
	type InstanceMeta,
	instanceLockPath,
	parseInstanceMeta,
} from "../../_state/instance-lock.ts";
import { mtimeOf } from "../../_state/peek.ts";
import { readWatcherConfigHash } from "../../_state/watcher-config-hash.ts";
import {
	peekWatcherHeartbeat,
	watcherHeartbeatPath,
} from "../../_state/watcher-heartbeat.ts";
import {
	peekWatcherLock,
	type WatcherLockView,
} from "../../_state/watcher-lock.ts";
import { readWatcherTarget } from "../../_state/watcher-target.ts";
import type { Doors } from "../../_sys/doors.ts";

export interface StatusFacts {
	/** Null when there is no heartbeat file. */
	readonly heartbeat: {
		readonly mtimeIso: string;
		readonly ageSeconds: number;
		readonly pid: number | null;
		readonly alive: boolean;
		readonly target: string | null;
	} | null;
	/** Null when there is no lock file. */
	readonly lock: Pick<WatcherLockView, "pid" | "startedAt"> | null;
	readonly instanceLock:
		| {
				readonly kind: "held";
				readonly assessment: LockAssessment;
				readonly meta: InstanceMeta;
		  }
		| { readonly kind: "free" | "absent" }
		| { readonly kind: "unknown"; readonly reason: string };
	/** A tmux window named `watcher`; null when tmux could not be asked. */
	readonly legacyWindow: boolean | null;
	/** Null = could not look. */
	readonly archivedDiffs: number | null;
	/** The file holds other text than the watcher that runs has read. Null = nothing to compare. */
	readonly isConfigChanged: boolean | null;
}

/** Null for what could not be looked at; it is printed as `?`. */
export async function gatherStatus(
	doors: Pick<Doors, "files" | "clock" | "proc" | "locks" | "tmux">,
	stateDir: string,
	liveness: LivenessFacts,
	configPath: string | null,
): Promise<StatusFacts> {
	const { files } = doors;
	const lock = peekWatcherLock(files, stateDir);
	const panes =
		doors.proc.which("tmux") === null
			? ({ kind: "no-tmux" } as const)
			: await doors.tmux.panes();
	return {
		heartbeat: heartbeatOf(doors, stateDir, liveness),
		lock:
			lock.kind === "absent"
				? null
				: lock.kind === "ok"
					? lock.value
					: { pid: null, startedAt: null },
		instanceLock: instanceLockOf(doors, stateDir),
		legacyWindow:
			panes.kind === "ok"
				? panes.rows.some((r) => r.windowName === "watcher")
				: null,
		archivedDiffs: listArchives(files, stateDir)?.length ?? null,
		isConfigChanged: configChanged(files, stateDir, configPath),
	};
}

function configChanged(
	files: Doors["files"],
	stateDir: string,
	path: string | null,
): boolean | null {
	const running = readWatcherConfigHash(files, stateDir);
	const now = path === null ? null : files.read(path);
	if (running === null || now?.kind !== "ok") return null;
	return sha256Hex(now.text) !== running;
}

function heartbeatOf(
	{ files, clock }: Pick<Doors, "files" | "clock">,
	stateDir: string,
	liveness: LivenessFacts,
): StatusFacts["heartbeat"] {
	const at = mtimeOf(files, watcherHeartbeatPath(stateDir));
	if (at === null || liveness.heartbeatAge === null) return null;
	const beat = peekWatcherHeartbeat(files, stateDir);
	return {
		mtimeIso: clock.iso(Math.floor(at)),
		ageSeconds: Math.max(0, liveness.heartbeatAge),
		pid: beat.kind === "ok" ? beat.value.pid : null,
		alive: liveness.pidLooks === "live" || liveness.pidLooks === "unreadable",
		target:
			(beat.kind === "ok" ? beat.value.target : "") ||
			readWatcherTarget(files, stateDir),
	};
}

function instanceLockOf(
	{ files, proc, locks }: Pick<Doors, "files" | "proc" | "locks">,
	stateDir: string,
): StatusFacts["instanceLock"] {
	const path = instanceLockPath(stateDir);
	const probe = locks.probe(path);
	if (probe.kind === "cannot-open")
		return { kind: "unknown", reason: probe.reason };
	if (probe.kind === "free")
		return { kind: files.stat(path).kind === "absent" ? "absent" : "free" };
	const meta = parseInstanceMeta(probe.text);
	const assessment = assessLock(meta, proc.hostname, proc.bootId());
	return { kind: "held", assessment, meta };
}
