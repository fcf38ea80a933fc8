/**
 * The scheduler: one loop, no fixed cadence, state in memory only (contract 01 §4).
 * What is decided lies in `_scheduler/` as pure functions; this class holds the tasks and carries it out.
 */
import type { Doors } from "../_sys/doors.ts";
import { drainRuns, endRuns } from "./_scheduler/ending.ts";
import { type FlightRules, launch, supervise } from "./_scheduler/flight.ts";
import type { Run } from "./_scheduler/run.ts";
import { runSync } from "./_scheduler/sync-run.ts";
import { newTask, type Task, type TaskOptions } from "./_scheduler/task.ts";
import {
	firstTiming,
	isDue,
	shifted,
	sleepSeconds,
	type Timing,
	withOverride,
	withoutExpiredOverride,
} from "./_scheduler/timing.ts";
import type { SchedulerPort, TaskFn } from "./context.ts";

export const OK = 0;
/** EX_USAGE: no such task, or an argument that is none. */
export const UNKNOWN_TASK = 64;
export const SHUTDOWN = 99;

export interface SchedulerParts extends FlightRules {
	readonly doors: Doors;
	readonly maxSleepSeconds: number;
	readonly beforeTick?: () => void;
	/** After all tasks of a tick. */
	readonly afterTick?: () => void;
	/** The result of an async run was taken. */
	readonly onReaped?: (task: string) => void;
}

export class Scheduler implements SchedulerPort {
	readonly #parts: SchedulerParts;
	readonly #tasks = new Map<string, Task>();
	/** In byte order of their names. */
	#inOrder: readonly Task[] = [];
	readonly #stop = new AbortController();
	#sleeper: AbortController | null = null;
	#woken = false;
	#graceUntilMs = Number.NEGATIVE_INFINITY;

	constructor(parts: SchedulerParts) {
		this.#parts = parts;
	}

	/** Registering again changes what the task is, and keeps when it is due. */
	register(
		name: string,
		intervalSeconds: number,
		fn: TaskFn,
		options: TaskOptions = {},
	): number {
		if (name === "" || !Number.isInteger(intervalSeconds)) return UNKNOWN_TASK;
		const what = {
			fn,
			class: options.class ?? "cheap",
			async: options.async ?? false,
			enabled: !(options.disabled ?? false),
		};
		const known = this.#tasks.get(name);
		if (known === undefined) {
			const timing = firstTiming(intervalSeconds);
			this.#tasks.set(name, newTask({ name, ...what, timing }));
			this.#inOrder = [...this.#tasks.values()].sort((a, b) =>
				a.name < b.name ? -1 : 1,
			);
		} else {
			const timing = { ...known.timing, intervalSeconds };
			Object.assign(known, { ...what, timing });
		}
		return OK;
	}

	isRegistered(name: string): boolean {
		return this.#tasks.has(name);
	}

	nextFireOf(name: string): number | null {
		return this.#tasks.get(name)?.timing.nextFire ?? null;
	}

	override(
		name: string,
		intervalSeconds: number,
		durationSeconds: number,
	): number {
		return this.#retime(name, (timing, now) =>
			withOverride(timing, intervalSeconds, durationSeconds, now),
		);
	}

	skipUntil(name: string, epochSeconds: number): number {
		return this.#retime(name, (timing, now) => ({
			...timing,
			nextFire: Math.max(epochSeconds, now),
		}));
	}

	fireNow(name: string): number {
		return this.#retime(name, (timing) => ({ ...timing, nextFire: 0 }));
	}

	enable(name: string): number {
		return this.#change(name, { enabled: true });
	}

	disable(name: string): number {
		return this.#change(name, { enabled: false });
	}

	/** Fires what is due, in byte order of names. 99 when shutdown was requested, else 0. */
	async tick(): Promise<number> {
		const now = this.#parts.doors.clock.now();
		this.#parts.beforeTick?.();
		for (const task of this.#inOrder) {
			if (this.#stop.signal.aborted) break;
			if (!task.enabled) continue;
			this.#supervise(task);
			if (!isDue(task.timing, now) || task.flight !== null) continue;
			task.timing = withoutExpiredOverride(task.timing, now);
			await this.#fire(task, now);
		}
		this.#parts.afterTick?.();
		return this.#answer();
	}

	/** Until the soonest due task; a wake or a shutdown ends it early. 99 when shutdown was requested, else 0. */
	async sleep(): Promise<number> {
		const { doors, maxSleepSeconds } = this.#parts;
		if (!this.#woken && !this.#stop.signal.aborted) {
			// A task in flight cannot fire; its run wakes the loop by settling.
			const timings = this.#inOrder
				.filter((task) => task.enabled && task.flight === null)
				.map((task) => task.timing);
			const seconds = sleepSeconds(timings, doors.clock.now(), maxSleepSeconds);
			this.#sleeper = new AbortController();
			await doors.clock.sleep(seconds * 1000, this.#sleeper.signal);
			this.#sleeper = null;
		}
		this.#woken = false;
		return this.#answer();
	}

	/** The next tick starts at once (contract 00 R10). */
	wake(): void {
		this.#woken = true;
		this.#sleeper?.abort();
	}

	/** Cooperative: the tick stops after the running task, the sleep ends, the loop leaves. */
	requestShutdown(): void {
		this.#stop.abort();
		this.#sleeper?.abort();
	}

	get shutdownRequested(): boolean {
		return this.#stop.signal.aborted;
	}

	get shutdownSignal(): AbortSignal {
		return this.#stop.signal;
	}

	/** Time was lost (contract 01 §3.3): epochs move with a wall clock that stepped back, budgets start anew, runs are told until the grace ends. */
	afterClockGap(graceSeconds: number, shiftSeconds: number): void {
		const monoMs = this.#parts.doors.clock.monoMs();
		this.#graceUntilMs = monoMs + graceSeconds * 1000;
		for (const task of this.#tasks.values()) {
			if (shiftSeconds !== 0) task.timing = shifted(task.timing, shiftSeconds);
			const { flight } = task;
			if (flight === null) continue;
			const abortedAtMs = flight.abortedAtMs === null ? null : monoMs;
			task.flight = { ...flight, budgetFromMs: monoMs, abortedAtMs };
		}
	}

	/** Takes results until nothing is in flight or `seconds` have passed; true when all were taken. */
	drain(seconds = 30): Promise<boolean> {
		const reap = () => {
			for (const task of this.#inOrder) this.#supervise(task);
		};
		const { clock } = this.#parts.doors;
		return drainRuns(clock, () => this.#flights(), reap, seconds);
	}

	/** At the end: aborts what is in flight, waits at most `ms` for it, and shuts its doors. */
	abortAll(ms = 3_000): Promise<void> {
		return endRuns(this.#parts.doors.clock, this.#flights(), ms);
	}

	async #fire(task: Task, now: number): Promise<void> {
		const { doors } = this.#parts;
		const parts = {
			doors,
			afterGap: () => doors.clock.monoMs() < this.#graceUntilMs,
			onSettled: () => {
				if (task.async) this.wake();
			},
		};
		if (task.async) launch(this.#parts, task, parts, now);
		else await runSync(this.#parts, task, parts, now, this.#stop.signal);
	}

	#supervise(task: Task): void {
		if (supervise(this.#parts, task)) this.#parts.onReaped?.(task.name);
	}

	#flights(): readonly Run[] {
		return this.#inOrder.flatMap((task) =>
			task.flight === null ? [] : [task.flight.run],
		);
	}

	#retime(
		name: string,
		change: (timing: Timing, now: number) => Timing,
	): number {
		const task = this.#tasks.get(name);
		if (task === undefined) return UNKNOWN_TASK;
		const now = this.#parts.doors.clock.now();
		return this.#change(name, { timing: change(task.timing, now) });
	}

	#change(name: string, change: Partial<Task>): number {
		const task = this.#tasks.get(name);
		if (task === undefined) return UNKNOWN_TASK;
		Object.assign(task, change);
		return OK;
	}

	#answer(): number {
		return this.#stop.signal.aborted ? SHUTDOWN : OK;
	}
}
