/** What became of declared outside work (contract 08 §4.3). What cannot be proven finished is never called so. */
import {
	disposition,
	type RunVerdict,
} from "../../_state/async-run-verdict.ts";
import type { Wait } from "../../_state/heartbeat.ts";
import type { ExecResult } from "../../_sys/doors.ts";

export type WaitClass =
	| "running"
	| "terminal"
	/** Gone without an exit status. */
	| "died"
	/** Nobody here can tell. */
	| "unresolvable";
export interface ResolvedWait extends Wait {
	readonly class: WaitClass;
	readonly detail: string;
}

/** The two places that are asked. */
export interface WaitSources {
	readonly asyncRun: (token: string) => RunVerdict;
	/** The accounting's states of one job, a line each; null: it gave no answer. */
	readonly slurmStates: (jobId: string) => Promise<string | null>;
}

/** Only runs of ours and jobs of Slurm can be looked up; anything else stays unresolvable, however old. */
export async function resolveWait(
	wait: Wait,
	sources: WaitSources,
): Promise<ResolvedWait> {
	const { kind, id } = wait;
	// First, whatever the kind: such an id was made up, because no handle was printed.
	if (id.startsWith("syn-"))
		return unresolvable(wait, "no handle of it was kept");
	if (kind === "asyncrun") {
		const { word, detail } = sources.asyncRun(id);
		return {
			...wait,
			class: RUN_CLASSES[disposition(word)],
			detail: `${word}, ${detail}`,
		};
	}
	const isJob =
		(kind === "slurm" || kind === "slurm-srun-async") && /^\d+$/.test(id);
	if (!isJob) return unresolvable(wait, "nobody here can look it up");
	const states = await sources.slurmStates(id);
	return { ...wait, ...classOfStates(states) };
}

/** argv of the look-up, and what to make of its end. */
export function accountingArgv(jobId: string): readonly string[] {
	return [
		...["sacct", "--jobs", jobId, "--allocations"],
		...["--noheader", "--parsable2", "--format=State"],
	];
}

/** Null when it could not be asked, which is no word on the job. */
export function accountingAnswer(done: ExecResult): string | null {
	return done.kind === "exited" && done.rc === 0 ? done.stdout : null;
}

const RUN_CLASSES = {
	live: "running",
	settled: "terminal",
	gone: "died",
	doubt: "unresolvable",
} as const;

const LIVE_STATES = new Set([
	...["PENDING", "RUNNING", "CONFIGURING", "COMPLETING", "SUSPENDED"],
	...["REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD"],
	...["RESIZING", "SIGNALING", "SPECIAL_EXIT", "STAGE_OUT", "STOPPED"],
]);
const ENDED_STATES = new Set([
	...["COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"],
	...["OUT_OF_MEMORY", "PREEMPTED", "BOOT_FAIL", "DEADLINE", "REVOKED"],
]);

/** An array job has a line a task: it is over when all are. */
function classOfStates(
	text: string | null,
): Pick<ResolvedWait, "class" | "detail"> {
	// `CANCELLED by 1000`
	const states = (text ?? "")
		.split("\n")
		.map((line) => line.trim().split(/[\s+]/)[0] ?? "")
		.filter((word) => word !== "");
	const detail = [...new Set(states)].join(", ");
	if (states.length === 0)
		return { class: "unresolvable", detail: "the accounting gave no answer" };
	if (states.some((state) => LIVE_STATES.has(state)))
		return { class: "running", detail };
	return states.every((state) => ENDED_STATES.has(state))
		? { class: "terminal", detail }
		: { class: "unresolvable", detail };
}

function unresolvable(wait: Wait, detail: string): ResolvedWait {
	return { ...wait, class: "unresolvable", detail };
}
