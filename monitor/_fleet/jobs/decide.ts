/** Is a job due? (contract 09 §7.1, §7.3). Pure. */
import type { JobRuntime } from "../../_state/fleet/monitor-run.ts";
import type { JobSpec } from "../../_state/fleet/monitor-spec.ts";
import { nextFire, readCron } from "../cron.ts";

export type JobStep =
	/** Epoch seconds. */
	| { readonly kind: "wait"; readonly nextFire: number }
	| { readonly kind: "start"; readonly nextFire: number | null }
	/** Due, and the run before has not ended: this tick is skipped. */
	| { readonly kind: "overlap"; readonly nextFire: number | null }
	/** No minute within five years, or a schedule that cannot be read. */
	| { readonly kind: "dead" };

/**
 * Ticks that were missed are not made up for: however long nobody looked, a job that fell due runs once. A stored time
 * behind a changed schedule, or further ahead than the schedule's own next, is not believed.
 */
export function decideJob(
	spec: Pick<JobSpec, "schedule">,
	runtime: Pick<JobRuntime, "schedule" | "nextFire">,
	nowMs: number,
	isRunning: boolean,
): JobStep {
	const upcoming = fireAfter(spec.schedule, nowMs);
	const stored =
		runtime.schedule === spec.schedule ? runtime.nextFire : upcoming;
	const at =
		stored === null || upcoming === null
			? (stored ?? upcoming)
			: Math.min(stored, upcoming);
	if (at === null) return { kind: "dead" };
	if (at * 1000 > nowMs) return { kind: "wait", nextFire: at };
	return { kind: isRunning ? "overlap" : "start", nextFire: upcoming };
}

/** Epoch seconds, or null. */
function fireAfter(schedule: string, nowMs: number): number | null {
	const cron = readCron(schedule);
	if (cron.kind === "bad") return null;
	const at = nextFire(cron.cron, new Date(nowMs));
	return at === null ? null : at.getTime() / 1000;
}
