/** `worker-health/<window>.json`: a worker's answer to "you are idle, how is your job?" (contract 08 §4.4). The watcher reads this, not the pane. */
import { join } from "node:path";
import { ageSeconds } from "../_sys/age.ts";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { numberAt, parseObject, textAt } from "./json-object.ts";
import {
	readWindowFile,
	removeWindowFile,
	windowFile,
	writeWindowFile,
} from "./window-file.ts";

export const HEALTH_WORDS = ["running", "done", "stuck"] as const;
export type HealthWord = (typeof HEALTH_WORDS)[number];
export const JOB_KINDS = ["slurm", "local", "remote", "other"] as const;

export interface WorkerHealth {
	readonly window: string;
	readonly jobKind: string;
	readonly jobId: string;
	readonly expectedRuntimeSeconds: number;
	readonly health: HealthWord;
	readonly note: string;
	/** Epoch seconds. */
	readonly writtenAt: number;
}

/** Null for a name that is no file name. */
export function workerHealthPath(
	stateDir: string,
	window: string,
): string | null {
	return windowFile(join(stateDir, "worker-health"), window, ".json");
}

/** One JSON object and a newline; times in epoch seconds, runtimes in seconds. */
export function renderWorkerHealth(h: WorkerHealth): string {
	return `${JSON.stringify({
		window: h.window,
		job_kind: h.jobKind,
		job_id: h.jobId,
		expected_runtime_s: h.expectedRuntimeSeconds,
		health: h.health,
		note: h.note,
		written_at: h.writtenAt,
	})}\n`;
}

/** Null for text that states no health or no time. */
export function parseWorkerHealth(text: string): WorkerHealth | null {
	const raw = parseObject(text);
	const health = HEALTH_WORDS.find((word) => word === raw?.health);
	const writtenAt = numberAt(raw, "written_at");
	if (health === undefined || writtenAt === null) return null;
	return {
		window: textAt(raw, "window") ?? "",
		jobKind: textAt(raw, "job_kind") ?? "other",
		jobId: textAt(raw, "job_id") ?? "",
		expectedRuntimeSeconds: numberAt(raw, "expected_runtime_s") ?? 0,
		health,
		note: textAt(raw, "note") ?? "",
		writtenAt,
	};
}

/** Null when there is none, or none that can be read. */
export function readWorkerHealth(
	files: Files,
	stateDir: string,
	window: string,
): WorkerHealth | null {
	const path = workerHealthPath(stateDir, window);
	return readWindowFile(files, path, parseWorkerHealth);
}

/** Replaces the answer before. Makes the folder. */
export function writeWorkerHealth(
	files: Files,
	stateDir: string,
	health: WorkerHealth,
): WriteResult {
	const path = workerHealthPath(stateDir, health.window);
	return writeWindowFile(files, path, renderWorkerHealth(health));
}

/** The worker takes its answer back. */
export function clearWorkerHealth(
	files: Files,
	stateDir: string,
	window: string,
): void {
	removeWindowFile(files, workerHealthPath(stateDir, window));
}

/**
 * Does its job keep the window quiet now? For as long as the worker said, and the slack; however long it was said to take,
 * silence is not believed for longer than the ceiling. Both in seconds.
 */
export function isStillRunning(
	health: WorkerHealth,
	now: number,
	limits: { readonly healthSlack: number; readonly ceiling: number },
): boolean {
	if (health.health !== "running") return false;
	const said = health.expectedRuntimeSeconds + limits.healthSlack;
	const seconds = Math.min(said, limits.ceiling);
	const age = ageSeconds(now, health.writtenAt, seconds);
	return age !== null && age <= seconds;
}
