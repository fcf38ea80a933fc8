/** UP, BUSY, WEDGED or DOWN: the one verdict on the watcher (contract 01 §3.1, §3.2). Pure. */

/** What was seen. Ages in seconds, negative when the stamp lies ahead of now; null = the file is missing. */
export interface LivenessFacts {
	readonly heartbeatAge: number | null;
	/** Pid of the heartbeat, else of the pidfile. */
	readonly pid: number | null;
	/** `unreadable` is alive: signal 0 succeeds and the process cannot be looked into. */
	readonly pidLooks: "live" | "dead" | "unreadable" | "none";
	/** The instance flock; "could not look" counts as held. */
	readonly flockFree: boolean;
	/** Ages of all signs of progress; missing ones left out. */
	readonly progressAges: readonly number[];
	readonly cycleAge: number | null;
	/** Learned cycle length, seconds; 0 = unknown. */
	readonly periodSeconds: number;
}

export interface LivenessLimits {
	readonly intervalSeconds: number;
	/** Raises the age at which a heartbeat is dead, never lowers it. */
	readonly deadCutoffSeconds: number | null;
	readonly wedgeMultiplier: number;
	readonly wedgeFloorSeconds: number;
	readonly cycleMultiplier: number;
	readonly cycleFloorSeconds: number;
}

/** 0 fresh, 1 late, 2 dead or too old, 3 no heartbeat file, 4 alive and not advancing. */
export type LivenessBucket = 0 | 1 | 2 | 3 | 4;
export type LivenessState = "UP" | "BUSY" | "WEDGED" | "DOWN";

export interface Verdict {
	readonly state: LivenessState;
	/** Exit code of the verdict: UP 0, BUSY 1, DOWN 2, WEDGED 4. */
	readonly rc: 0 | 1 | 2 | 4;
	readonly bucket: LivenessBucket;
	readonly pid: number | null;
	readonly heartbeatAge: number | null;
	readonly progressAge: number | null;
	readonly cycleAge: number | null;
	readonly periodSeconds: number;
	readonly wedgeCutoff: number;
	readonly reason: string;
}

const RC = { UP: 0, BUSY: 1, DOWN: 2, WEDGED: 4 } as const;

/**
 * State, exit code and the figures behind them, in seconds; `progressAge` is the youngest sign that the loop moves.
 * Ages from the future are told as 0.
 */
export function livenessVerdict(
	f: LivenessFacts,
	limits: LivenessLimits,
): Verdict {
	const bucket = livenessBucket(f, limits);
	const progressAge = youngest(f, limits);
	const { state, reason } = judge(f, limits, bucket, progressAge);
	return {
		state,
		rc: RC[state],
		bucket,
		pid: f.pid,
		heartbeatAge: f.heartbeatAge === null ? null : Math.max(0, f.heartbeatAge),
		progressAge,
		cycleAge: f.cycleAge === null ? null : Math.max(0, f.cycleAge),
		periodSeconds: f.periodSeconds,
		wedgeCutoff: wedgeCutoff(f.periodSeconds, limits),
		reason,
	};
}

/**
 * 0 fresh, 1 late, 2 dead or very late, 3 never beat, 4 its loop stands (contract 01 §3.1). A dead process counts
 * only when the flock is free, too.
 */
export function livenessBucket(
	f: LivenessFacts,
	limits: LivenessLimits,
): LivenessBucket {
	if (f.heartbeatAge === null) return 3;
	if (f.pidLooks === "dead" && f.flockFree) return 2;
	if (stall(f, limits) !== null) return 4;
	if (isFresh(f.heartbeatAge, limits)) return 0;
	return within(f.heartbeatAge, veryOldSeconds(limits)) ? 1 : 2;
}

/** Is this heartbeat age that of a watcher that beats? */
export function isFresh(
	heartbeatAge: number | null,
	limits: LivenessLimits,
): boolean {
	return heartbeatAge !== null && within(heartbeatAge, freshSeconds(limits));
}

/** Seconds without progress above which an alive watcher is wedged. */
export function wedgeCutoff(
	periodSeconds: number,
	limits: LivenessLimits,
): number {
	return Math.max(
		limits.wedgeMultiplier * Math.max(periodSeconds, limits.intervalSeconds),
		limits.wedgeFloorSeconds,
	);
}

/** Seconds without a completed compose cycle above which an alive watcher is wedged. */
export function cycleCutoff(
	periodSeconds: number,
	limits: LivenessLimits,
): number {
	return Math.max(
		limits.cycleMultiplier * Math.max(periodSeconds, limits.intervalSeconds),
		limits.cycleFloorSeconds,
	);
}

/** Nine lines `key=value`; what is not known prints as `?`. */
export function verdictLines(v: Verdict): readonly string[] {
	const seconds = (n: number | null) => (n === null ? "?" : String(n));
	return [
		`state=${v.state}`,
		`rc=${v.rc}`,
		`pid=${v.pid ?? "?"}`,
		`hb_age=${seconds(v.heartbeatAge)}`,
		`progress_age=${seconds(v.progressAge)}`,
		`cycle_age=${seconds(v.cycleAge)}`,
		`period_s=${v.periodSeconds}`,
		`wedge_cutoff=${v.wedgeCutoff}`,
		`reason=${v.reason}`,
	];
}

function judge(
	f: LivenessFacts,
	limits: LivenessLimits,
	bucket: LivenessBucket,
	progressAge: number | null,
): { readonly state: LivenessState; readonly reason: string } {
	const age = Math.max(0, f.heartbeatAge ?? 0);
	if (bucket === 4) {
		const what = stall(f, limits) ?? "no forward progress";
		return {
			state: "WEDGED",
			reason: `watcher pid=${f.pid ?? "?"} alive but WEDGED: ${what} (heartbeat age=${age}s)`,
		};
	}
	if (bucket === 0) {
		const slow = cycleIsSlow(f, limits);
		return slow
			? { state: "BUSY", reason: slow }
			: { state: "UP", reason: `heartbeat fresh (age=${age}s)` };
	}
	if (bucket === 1)
		return { state: "BUSY", reason: `heartbeat late (age=${age}s)` };
	const moving =
		progressAge !== null && progressAge <= wedgeCutoff(f.periodSeconds, limits);
	if (moving && (f.pidLooks === "live" || f.pidLooks === "unreadable"))
		return {
			state: "BUSY",
			reason: `${downReason(f, bucket, age)}, but pid=${f.pid} is alive and moved ${progressAge}s ago`,
		};
	const note = moving && bucket === 2 && f.pidLooks !== "dead";
	return {
		state: "DOWN",
		reason: `${downReason(f, bucket, age)}${note ? `; progress ${progressAge}s ago` : ""}`,
	};
}

function downReason(
	f: LivenessFacts,
	bucket: LivenessBucket,
	age: number,
): string {
	if (bucket === 3) return "no heartbeat file";
	if (f.pidLooks === "dead" && f.flockFree)
		return `watcher pid=${f.pid ?? "?"} DEAD (heartbeat age=${age}s)`;
	return `heartbeat stale (age=${age}s)`;
}

/** A fresh heartbeat over a slow loop: healthy under load. */
function cycleIsSlow(f: LivenessFacts, limits: LivenessLimits): string | null {
	if (f.cycleAge !== null && f.cycleAge > freshSeconds(limits))
		return `last compose cycle ${f.cycleAge}s ago`;
	if (f.periodSeconds > 2 * limits.intervalSeconds)
		return `a compose cycle takes ${f.periodSeconds}s`;
	return null;
}

/** What has not moved for too long, or null. No sign to judge by is not a stall. */
function stall(f: LivenessFacts, limits: LivenessLimits): string | null {
	const progressAge = youngest(f, limits);
	if (
		progressAge !== null &&
		progressAge > wedgeCutoff(f.periodSeconds, limits)
	)
		return `no forward progress for ${progressAge}s`;
	if (f.cycleAge !== null && f.cycleAge > cycleCutoff(f.periodSeconds, limits))
		return `no compose cycle for ${f.cycleAge}s`;
	return null;
}

/** Age of the youngest sign of progress; a stamp ahead of now by more than the cutoff is no sign. */
function youngest(f: LivenessFacts, limits: LivenessLimits): number | null {
	const cutoff = wedgeCutoff(f.periodSeconds, limits);
	const credible = f.progressAges
		.filter((age) => age >= -cutoff)
		.map((age) => Math.max(0, age));
	return credible.length === 0 ? null : Math.min(...credible);
}

function freshSeconds(limits: LivenessLimits): number {
	return 2 * limits.intervalSeconds + 15;
}

function veryOldSeconds(limits: LivenessLimits): number {
	return Math.max(
		5 * limits.intervalSeconds,
		Number.isFinite(limits.deadCutoffSeconds ?? Number.NaN)
			? (limits.deadCutoffSeconds ?? 0)
			: 0,
	);
}

/** A stamp ahead of now by more than the limit is as good as missing. */
function within(age: number, limit: number): boolean {
	return Math.abs(age) <= limit;
}
