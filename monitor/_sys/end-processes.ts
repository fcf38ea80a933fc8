/** Ends processes and watches them end: TERM, a wait, KILL, a wait. */
import type { Clock, Proc, ProcStat } from "./doors.ts";

export interface Condemned {
	/** Who is signalled; a negative pid addresses the group. */
	readonly target: number;
	/** Who is to be gone, as seen just now. */
	readonly met: readonly ProcStat[];
	/** Who of them, or of their group, is there now; null = could not look. */
	readonly look: () => readonly ProcStat[] | null;
	readonly pollMs: number;
	readonly termMs: number;
	readonly killMs: number;
}

/** `survivors`: still there after KILL, or nobody could tell who is there, and KILL was not sent. */
export type ProcessesEnd =
	| { readonly kind: "ended" }
	| { readonly kind: "survivors"; readonly pids: readonly number[] };

/** Done is when nobody is left to be seen, not when the first of them is gone. */
export async function endProcesses(
	doors: {
		readonly proc: Pick<Proc, "signal">;
		readonly clock: Pick<Clock, "sleep">;
	},
	condemned: Condemned,
): Promise<ProcessesEnd> {
	const { target, met, look } = condemned;
	doors.proc.signal(target, "SIGTERM");
	if (await nobodyWithin(doors, condemned, condemned.termMs))
		return { kind: "ended" };
	if (anyOf(met, look())) doors.proc.signal(target, "SIGKILL");
	if (await nobodyWithin(doors, condemned, condemned.killMs))
		return { kind: "ended" };
	return { kind: "survivors", pids: (look() ?? met).map(({ pid }) => pid) };
}

/**
 * Between two looks a group may have ended and its number been given away: KILL is for whom we met before.
 * Nobody, where one could not look.
 */
export function anyOf(
	met: readonly ProcStat[],
	now: readonly ProcStat[] | null,
): boolean {
	return (now ?? []).some((p) =>
		met.some((before) => isSameProcess(p, before)),
	);
}

/** The start time tells a process from a stranger that got its pid. */
function isSameProcess(
	a: Pick<ProcStat, "pid" | "startTicks">,
	b: Pick<ProcStat, "pid" | "startTicks">,
): boolean {
	return a.pid === b.pid && a.startTicks === b.startTicks;
}

async function nobodyWithin(
	{ clock }: { readonly clock: Pick<Clock, "sleep"> },
	{ look, pollMs }: Condemned,
	ms: number,
): Promise<boolean> {
	for (let waitedMs = 0; ; waitedMs += pollMs) {
		if (look()?.length === 0) return true;
		if (waitedMs >= ms) return false;
		await clock.sleep(pollMs);
	}
}
