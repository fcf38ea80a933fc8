/** The scheduler of a local fleet's jobs (contract 09 §7.3): the watcher ticks it, or somebody by hand. */
import { dirname } from "node:path";
import { type JobRuntime, NOT_YET } from "../../_state/fleet/monitor-run.ts";
import {
	type JobSpec,
	jobSpecs,
	monitorsDir,
	schedulerBeatPath,
	tickLockPath,
} from "../../_state/fleet/monitor-spec.ts";
import { fail, ok } from "../failure.ts";
import type { R } from "../fleet.ts";
import type { LocalContext } from "../local/context.ts";
import { MAX_MONITORS } from "../local/monitors.ts";
import { decideJob } from "./decide.ts";
import { finish, tell } from "./finish.ts";
import { jobNotes } from "./job-notes.ts";
import { endIfOld, lookAtLeft } from "./left.ts";
import { nudger } from "./nudger.ts";
import {
	type ActiveRun,
	floods,
	NOT_STARTED_EXIT,
	readOutput,
	startJob,
} from "./run.ts";
import { identified } from "./unnoted.ts";

export interface JobRunner {
	/** Starts what is due, takes up what has ended, tells panes of their mail. Waits for no run. */
	tick(): R<{ readonly started: readonly string[] }>;
	/** Names of the jobs that run now and were started here. */
	running(): readonly string[];
	/** Resolves when no pane is being told of its mail. */
	quiet(): Promise<void>;
}

/** One a process: it remembers the runs that it started. */
export function jobRunner(ctx: LocalContext): JobRunner {
	const { doors, place, settings } = ctx;
	const { files, clock, proc, locks } = doors;
	const { thrumDir } = place;
	const active = new Map<string, ActiveRun>();
	const notes = jobNotes(ctx);
	const mail = nudger(ctx);

	async function underLock() {
		files.mkdir(monitorsDir(thrumDir), 0o700);
		files.touch(schedulerBeatPath(thrumDir), { create: true });
		const listed = jobSpecs.list(doors, thrumDir);
		if (listed.kind === "unreadable") return fail("failed", listed.why);
		const specs = listed.entries
			.flatMap((entry) => (entry.kind === "ok" ? [entry.value] : []))
			.slice(0, MAX_MONITORS);
		endOrphans(specs);
		await takeUp();
		const started: string[] = [];
		for (const spec of specs)
			if (!spec.stopped && (await step(spec))) started.push(spec.name);
		mail.tellPending();
		return ok({ started });
	}

	/** True: started. */
	async function step(spec: JobSpec): Promise<boolean> {
		const runtime = settleLeft(spec, notes.read(spec.name));
		const isRunning = active.has(spec.name) || runtime.running !== null;
		const next = decideJob(spec, runtime, clock.nowMs(), isRunning);
		const { schedule } = spec;
		if (next.kind === "dead") {
			if (runtime.deadNoticed) return false;
			const noticed = { ...runtime, schedule, nextFire: null };
			await tell(ctx, spec, `[FAIL] ${spec.name}: never fires again`);
			notes.save(spec.name, { ...noticed, deadNoticed: true });
			return false;
		}
		const known = { ...runtime, schedule, nextFire: next.nextFire };
		if (next.kind === "overlap") notes.log(spec.name, "overlap");
		if (next.kind === "start") return start(spec, known);
		const isNews =
			runtime.schedule !== schedule || runtime.nextFire !== next.nextFire;
		if (isNews) notes.save(spec.name, { ...known, deadNoticed: false });
		return false;
	}

	async function start(spec: JobSpec, known: JobRuntime): Promise<boolean> {
		const generation = known.generation + 1;
		const self = proc.stat(proc.pid);
		const noted = (pid: number, start: string): JobRuntime => ({
			...known,
			generation,
			running: {
				pid,
				start,
				startedAt: clock.now(),
				scheduler: {
					pid: proc.pid,
					start: self.kind === "ok" ? self.value.startTicks : "",
				},
			},
		});
		// What cannot be noted is not begun: on a full disk it would be started again at every tick.
		if (!notes.save(spec.name, noted(NOT_YET, ""))) return false;
		const begun = startJob(ctx, spec, generation);
		if (begun.kind === "not-started") {
			const run = { exitCode: NOT_STARTED_EXIT, output: begun.why };
			const to = await finish(ctx, { spec, generation, run, seconds: 0 });
			if (to !== null) mail.tell(to, `monitor:${spec.name}`);
			return false;
		}
		active.set(spec.name, begun.run);
		const { pid, start } = begun.run;
		// A pid without its start time is nobody's: then the intention stands, and the run is known by its words.
		if (start !== "") notes.save(spec.name, noted(pid, start));
		return true;
	}

	/** Results that have arrived. */
	async function takeUp(): Promise<void> {
		for (const [name, run] of active) {
			const exitCode = run.exitCode();
			if (exitCode === null) {
				if (floods(ctx, name)) run.end();
				continue;
			}
			active.delete(name);
			const to = await finish(ctx, {
				spec: run.spec,
				generation: run.generation,
				run: { exitCode, output: readOutput(ctx, name) },
				seconds: Math.round((clock.monoMs() - run.startedMs) / 1000),
			});
			if (to !== null) mail.tell(to, `monitor:${name}`);
		}
	}

	/** A job that was deleted: its run is nobody's. */
	function endOrphans(specs: readonly JobSpec[]): void {
		const ids = new Set(specs.map(({ id }) => id));
		for (const run of active.values()) if (!ids.has(run.spec.id)) run.end();
	}

	function settleLeft(spec: JobSpec, runtime: JobRuntime): JobRuntime {
		const { name } = spec;
		if (runtime.running === null || active.has(name)) return runtime;
		const running = identified(proc, runtime.running, spec.argv);
		if (running === null) return runtime;
		const left = lookAtLeft(proc, running);
		if (left === "running")
			endIfOld(doors, running, settings.runTimeoutSeconds);
		if (left !== "gone") return runtime;
		notes.log(name, "lost");
		const settled = { ...runtime, running: null };
		notes.save(name, settled);
		return settled;
	}

	return {
		tick: async () => {
			const path = tickLockPath(thrumDir);
			files.mkdir(dirname(path), 0o700);
			const lock = locks.hold(path);
			if (lock.kind === "held")
				return fail("refused", "another scheduler ticks");
			if (lock.kind === "cannot-open")
				return fail("failed", `${path}: ${lock.reason}`);
			try {
				return await underLock();
			} finally {
				lock.lock.release();
			}
		},
		running: () => [...active.keys()],
		quiet: mail.quiet,
	};
}
