/** Whatever the tasks do, the loop keeps its promises. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TaskRun } from "../../monitor/watcher/context.ts";
import { schedulerRig } from "./scheduler-rig.ts";

const START = 1_000_000;
const RUN_SECONDS = 3600;
const FLOOR_SECONDS = 60;

/** What a run does: work for so many seconds, hang until it is aborted, or not even heed that. */
const runLength = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 0, max: 90 }) },
	{ weight: 1, arbitrary: fc.constantFrom("hangs" as const, "deaf" as const) },
);
const task = fc.record({
	interval: fc.integer({ min: 1, max: 120 }),
	runs: fc.array(runLength, { minLength: 1, maxLength: 5 }),
	rc: fc.constantFrom(0, 0, 0, 1, 75),
});
type Run = { readonly run: TaskRun; readonly at: number; working: boolean };

test("an async task never has two runs that can do something, none is forgotten, and each launch has one end", async () => {
	const scenario = fc.array(task, { minLength: 1, maxLength: 4 });
	await fc.assert(
		fc.asyncProperty(scenario, async (tasks) => {
			const rig = schedulerRig(START, { timeoutFloorSeconds: FLOOR_SECONDS });
			const { clock, scheduler } = rig;
			const faults: string[] = [];
			const launched = tasks.map((spec, n) => {
				const runs: Run[] = [];
				const name = `t${n}`;
				const fn = async (run: TaskRun) => {
					const before = runs.at(-1);
					if (before?.working && canWrite(before.run)) faults.push(name);
					const mine = { run, at: clock.now(), working: true };
					const length = spec.runs[runs.push(mine) % spec.runs.length]!;
					await clock.sleep(
						typeof length === "number" ? length * 1000 : 1e9,
						length === "deaf" ? undefined : run.signal,
					);
					mine.working = false;
					return { rc: spec.rc };
				};
				scheduler.register(name, spec.interval, fn, { async: true });
				return runs;
			});
			while (clock.now() < START + RUN_SECONDS) {
				await scheduler.tick();
				await clock.run(scheduler.sleep());
			}
			expect(faults).toEqual([]);
			for (const [n, { interval }] of tasks.entries()) {
				const ends = rig.events().filter((e) => e.task === `t${n}`);
				const count = (phase: string) =>
					ends.filter((e) => e.phase === phase).length;
				const open =
					count("async-start") - count("async-done") - count("async-timeout");
				expect([0, 1]).toContain(open);
				const longestBudget = 4 * Math.max(4 * interval, FLOOR_SECONDS);
				const patience = longestBudget + 4 * interval + 30;
				const ats = [...launched[n]!.map((run) => run.at), clock.now()];
				const gaps = ats.slice(1).map((at, i) => at - ats[i]!);
				expect(Math.max(...gaps)).toBeLessThanOrEqual(patience);
			}
		}),
		{ numRuns: 40 },
	);
});

function canWrite(run: TaskRun): boolean {
	try {
		run.doors.files.writeAtomic("/s/probe", "");
		return true;
	} catch {
		return false;
	}
}
