/** The numbers behind the verdict: interval from the config, tuning knobs from the environment alone (contract 01 §3.1, §25). */
import type { LivenessLimits } from "./verdict.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A knob that is no positive whole number takes its default. `deadCutoffSeconds` only ever raises. */
export function livenessLimits(
	env: Env,
	intervalSeconds: number,
	deadCutoffSeconds: number | null = null,
): LivenessLimits {
	const knob = (name: string, otherwise: number): number => {
		const text = env[name] ?? "";
		return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise;
	};
	return {
		intervalSeconds,
		deadCutoffSeconds,
		wedgeMultiplier: knob("MONITOR_WATCHER_WEDGE_MULTIPLIER", 4),
		wedgeFloorSeconds: knob("MONITOR_WATCHER_WEDGE_FLOOR_SECONDS", 900),
		cycleMultiplier: knob("MONITOR_WATCHER_CYCLE_STALL_MULTIPLIER", 6),
		cycleFloorSeconds: knob("MONITOR_WATCHER_CYCLE_STALL_FLOOR_SECONDS", 1800),
	};
}

/** When a heartbeat may be called dead by a supervisor that restarts: longer than the longest task (contract 01 §16.2). */
export function deadCutoff(
	intervalSeconds: number,
	asyncFloorSeconds: number,
): number {
	return Math.max(
		Math.max(4 * intervalSeconds, asyncFloorSeconds) + 2 * intervalSeconds,
		5 * intervalSeconds,
	);
}
