/** One run of a task: started with an abort signal and doors of its own, watched from outside (contract 01 §4). */
import type { Doors } from "../../_sys/doors.ts";
import { guardDoors } from "../../_sys/guarded-doors.ts";
import type { TaskFn, TaskResult, TaskRun } from "../context.ts";

export interface RunParts {
	readonly doors: Doors;
	/** Asked at each use: a run in flight learns of a clock gap too. */
	readonly afterGap: () => boolean;
	readonly onSettled: () => void;
}

export interface Settled {
	readonly rc: number;
	readonly out: string | undefined;
	readonly elapsedMs: number;
}

export interface Run {
	/** Monotonic ms. */
	readonly startedMs: number;
	readonly lines: readonly string[];
	/** Null while the run works. Nobody reads the result of a run that was given up. */
	readonly settled: () => Settled | null;
	/** Resolves when the run settles; never rejects. */
	readonly done: Promise<void>;
	readonly abort: () => void;
	/** Shuts its doors: every write, key, paste and request it still tries is refused. */
	readonly revoke: () => void;
}

/** A run that floods its log must not fill the memory. */
const MAX_KEPT_LINES = 500;

/**
 * Never throws: what `fn` throws becomes a result. `revoke` takes the doors away from a run that goes on all the
 * same.
 */
export function startRun(fn: TaskFn, parts: RunParts): Run {
	const { clock } = parts.doors;
	const controller = new AbortController();
	const guarded = guardDoors(parts.doors);
	const lines: string[] = [];
	const startedMs = clock.monoMs();
	let settled: Settled | null = null;

	const run: TaskRun = {
		signal: controller.signal,
		get afterGap() {
			return parts.afterGap();
		},
		log: (line) => {
			if (lines.length < MAX_KEPT_LINES) lines.push(line);
		},
		doors: guarded.doors,
	};
	const done = resultOf(fn, run).then((result) => {
		settled = {
			rc: Number.isInteger(result.rc) ? result.rc : 0,
			out: result.out,
			elapsedMs: clock.monoMs() - startedMs,
		};
		parts.onSettled();
	});
	return {
		startedMs,
		lines,
		settled: () => settled,
		done,
		abort: () => controller.abort(),
		revoke: () => guarded.revoke("this run of the task is over"),
	};
}

async function resultOf(fn: TaskFn, run: TaskRun): Promise<TaskResult> {
	try {
		return await fn(run);
	} catch (error) {
		run.log(stackOf(error));
		return { rc: 1 };
	}
}

function stackOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause =
		error.cause === undefined ? "" : `\ncaused by ${stackOf(error.cause)}`;
	return `${error.stack ?? error.message}${cause}`;
}
