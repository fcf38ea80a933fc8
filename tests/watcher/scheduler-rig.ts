/** A scheduler on fake doors, driven by absolute seconds. */
import { join } from "node:path";
import {
	Scheduler,
	type SchedulerParts,
} from "../../monitor/watcher/_scheduler.ts";
import type { TaskFn, TaskResult } from "../../monitor/watcher/context.ts";
import { fakeDoors } from "../fakes/doors.ts";

export const STATE = "/s";
const STAGE = join(STATE, "scheduler-staging");

export function schedulerRig(
	start: number,
	parts: Partial<SchedulerParts> = {},
) {
	const doors = fakeDoors({ now: start });
	const { clock, files, log } = doors;
	files.seedDir(STAGE);
	const scheduler = new Scheduler({
		doors,
		stageDir: STAGE,
		logPath: join(STATE, "watcher-scheduler.jsonl"),
		processStartedAt: start,
		timeoutFloorSeconds: 300,
		backoffCap: 2,
		maxSleepSeconds: 10,
		...parts,
	});
	const fired: string[] = [];
	return {
		scheduler,
		clock,
		files,
		log,
		fired,
		/** Registers a sync task that notes its fires and answers `rc`. */
		task: (name: string, interval: number, rc: () => number = () => 0) =>
			scheduler.register(name, interval, async () => {
				fired.push(`${name}@${clock.now()}`);
				return { rc: rc() };
			}),
		tickAt: async (at: number) => {
			await clock.advance(at * 1000 - clock.nowMs());
			return scheduler.tick();
		},
		events: () =>
			files.has(join(STATE, "watcher-scheduler.jsonl"))
				? files
						.text(join(STATE, "watcher-scheduler.jsonl"))
						.trim()
						.split("\n")
						.map((line) => JSON.parse(line))
				: [],
		staged: (name: string) => {
			const path = join(STAGE, `${name}.out`);
			return files.has(path) ? files.text(path) : null;
		},
	};
}

/** A task whose runs the test ends by hand. */
export function heldTask() {
	const runs: {
		readonly run: Parameters<TaskFn>[0];
		readonly end: (result: TaskResult) => void;
		readonly fail: (error: unknown) => void;
	}[] = [];
	const fn: TaskFn = (run) => {
		const { promise, resolve, reject } = Promise.withResolvers<TaskResult>();
		runs.push({ run, end: resolve, fail: reject });
		return promise;
	};
	return { fn, runs };
}
