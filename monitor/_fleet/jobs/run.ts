/** One run of a job: a process group of its own, one stream, a limit (contract 09 §7.2). */
import { outputPath } from "../../_state/fleet/monitor-run.ts";
import type { JobSpec } from "../../_state/fleet/monitor-spec.ts";
import type { LocalContext } from "../local/context.ts";
import { endRun } from "./end-run.ts";
import { jobEnv } from "./environment.ts";

export const TIMEOUT_EXIT = 124;
export const NOT_STARTED_EXIT = 127;
/** More than this is read from its end alone. */
const READ_BYTES = 8 * 1024 * 1024;
/** A job that fills the disk is ended. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface ActiveRun {
	readonly spec: JobSpec;
	readonly generation: number;
	readonly pid: number;
	/** Field 22 of /proc/<pid>/stat; "" when it was over before anybody looked. */
	readonly start: string;
	readonly startedMs: number;
	/** Null while it runs. */
	readonly exitCode: () => number | null;
	/** SIGTERM to the group, SIGKILL five seconds later; it then ends with 124. */
	readonly end: () => void;
}
export type StartedRun =
	| { readonly kind: "started"; readonly run: ActiveRun }
	| { readonly kind: "not-started"; readonly why: string };

/** The group outlives us: a watcher that is restarted leaves a run to itself. */
export function startJob(
	ctx: LocalContext,
	spec: JobSpec,
	generation: number,
): StartedRun {
	const { doors, place, settings } = ctx;
	const { proc, files, clock } = doors;
	const log = outputPath(place.thrumDir, spec.name);
	files.remove(log);
	const { thrumDir } = place;
	const started = proc.spawnDetached({
		argv: spec.argv,
		cwd: spec.cwd,
		env: jobEnv(proc.env, spec.env, { thrumDir, bun: proc.execPath }),
		log,
	});
	if (started.kind === "failed")
		return { kind: "not-started", why: `${spec.argv[0]}: ${started.reason}` };
	const { pid } = started;
	const found = proc.stat(pid);
	let exitCode: number | null = null;
	let isOver = false;
	const end = () => {
		if (isOver || exitCode !== null) return;
		isOver = true;
		endRun(doors, pid);
	};
	const cancelLimit = clock.after(settings.runTimeoutSeconds * 1000, end);
	started.exited.then((code) => {
		exitCode = isOver ? TIMEOUT_EXIT : code;
		cancelLimit();
	});
	return {
		kind: "started",
		run: {
			spec,
			generation,
			pid,
			end,
			start: found.kind === "ok" ? found.value.startTicks : "",
			startedMs: clock.monoMs(),
			exitCode: () => exitCode,
		},
	};
}

/** The last part of it, bounded; empty when it cannot be read. */
export function readOutput(
	{ doors, place }: LocalContext,
	name: string,
): string {
	const path = outputPath(place.thrumDir, name);
	const size = outputSize(doors.files, path);
	const from = Math.max(0, size - READ_BYTES);
	const read = doors.files.readFrom(path, from, READ_BYTES);
	return read.kind === "ok" ? read.text : "";
}

/** A job that writes without end fills the disk: it is ended. */
export function floods({ doors, place }: LocalContext, name: string): boolean {
	return outputSize(doors.files, outputPath(place.thrumDir, name)) > MAX_BYTES;
}

function outputSize(
	files: LocalContext["doors"]["files"],
	path: string,
): number {
	const found = files.stat(path);
	return found.kind === "ok" ? found.stat.size : 0;
}
