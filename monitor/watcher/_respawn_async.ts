/** One respawn at a time, beside the watcher's loop (contract 04 §13.2). */
import {
	beginRespawn,
	clearRespawn,
	type RespawnRecord,
	type RespawnStage,
	readRespawn,
	writeRespawnRc,
	writeRespawnStage,
} from "../_state/respawn-bg.ts";
import type { Doors, TmuxServer } from "../_sys/doors.ts";
import { guardDoors } from "../_sys/guarded-doors.ts";

/** What runs: its own doors, which are shut when it is given up. Answers its rc. */
export type RespawnJob = (run: RespawnRun) => Promise<number>;
export interface RespawnRun {
	readonly doors: Doors;
	readonly signal: AbortSignal;
	readonly onStage: (stage: RespawnStage) => void;
}

export interface RespawnFlight {
	/** 0 started, 1 one runs already, 2 it could not be written down. */
	launch(job: RespawnJob): 0 | 1 | 2;
	inFlight(): boolean;
	/** Takes the result of one that has ended; null: there is none. */
	reap(): number | null;
	/** Resolves when none of ours runs; never rejects. */
	settled(): Promise<void>;
	/** What a watcher that died in mid-respawn left. Asked once, before anything is launched. */
	recover(): Recovered;
	/** Aborts and waits at most 10 s. A window that stands unbriefed stays on record: the successor goes on with its brief. */
	cancel(): Promise<void>;
}

export type Recovered =
	| { readonly kind: "nothing" }
	/** The window was opened and not briefed; whether it lives, the caller looks. */
	| {
			readonly kind: "unbriefed";
			readonly windowId: string;
			readonly server: TmuxServer;
	  }
	/** Nothing to go on with: swept. */
	| { readonly kind: "interrupted" };

const ABORT_WAIT_MS = 10_000;
/** Readiness, three pastes and their ladders take less. */
const DEFAULT_LIMIT_MS = 900_000;

/**
 * `limitMs`, then it is aborted, and a while later abandoned: its doors are taken away, so that it changes nothing
 * when it wakes.
 */
export function respawnFlight(
	doors: Doors,
	stateDir: string,
	limitMs = DEFAULT_LIMIT_MS,
): RespawnFlight {
	const { clock, files, log, proc } = doors;
	let running: { abort(): void; readonly done: Promise<void> } | null = null;
	let generation = 0;

	function start(job: RespawnJob): void {
		const controller = new AbortController();
		const guarded = guardDoors(doors);
		const mine = ++generation;
		const isMine = () => generation === mine;
		const timers: (() => void)[] = [];
		const end = (rc: number) => {
			if (!isMine()) return;
			for (const cancel of timers) cancel();
			running = null;
			generation++;
			guarded.revoke("this respawn is over");
			if (writeRespawnRc(files, stateDir, rc).kind === "failed")
				log.warn("respawn: its result could not be written down");
		};
		timers.push(
			clock.after(limitMs, () => {
				log.warn(`respawn: aborted after ${Math.round(limitMs / 1000)}s`);
				controller.abort();
			}),
			clock.after(limitMs + ABORT_WAIT_MS, () => {
				if (!isMine()) return;
				log.warn(
					"respawn: did not end when aborted; abandoned, its late result will be dropped",
				);
				end(1);
			}),
		);
		const done = job({
			doors: guarded.doors,
			signal: controller.signal,
			onStage: (stage) => {
				if (isMine()) writeRespawnStage(files, stateDir, stage);
			},
		}).then(end, (error: unknown) => {
			log.warn(`respawn: ${error instanceof Error ? error.stack : error}`);
			end(1);
		});
		running = { abort: () => controller.abort(), done };
	}

	const isOthers = (record: RespawnRecord) =>
		record.rc === null && livesElsewhere(doors, record);

	return {
		launch: (job) => {
			const record = readRespawn(files, stateDir);
			if (running !== null || (record !== null && isOthers(record))) return 1;
			const own = proc.stat(proc.pid);
			const startTicks = own.kind === "ok" ? own.value.startTicks : "unknown";
			const by = { pid: proc.pid, startTicks };
			if (beginRespawn(files, stateDir, by).kind === "failed") return 2;
			start(job);
			return 0;
		},
		inFlight: () => {
			if (running !== null) return true;
			const record = readRespawn(files, stateDir);
			return record !== null && isOthers(record);
		},
		reap: () => {
			if (running !== null) return null;
			const record = readRespawn(files, stateDir);
			if (record === null || record.rc === null) return null;
			clearRespawn(files, stateDir);
			return record.rc;
		},
		settled: async () => running?.done,
		recover: () => {
			const record = readRespawn(files, stateDir);
			if (record === null || record.rc !== null || running !== null)
				return { kind: "nothing" };
			if (isOthers(record)) return { kind: "nothing" };
			clearRespawn(files, stateDir);
			const { stage } = record;
			if (stage?.kind === "spawned") return { ...stage, kind: "unbriefed" };
			log.warn("respawn interrupted: the watcher that was at it has ended");
			return { kind: "interrupted" };
		},
		cancel: async () => {
			const flight = running;
			if (flight === null) return;
			flight.abort();
			await Promise.race([flight.done, clock.sleep(ABORT_WAIT_MS)]);
			// Its late result is nobody's.
			generation++;
			running = null;
			const stage = readRespawn(files, stateDir)?.stage;
			if (stage?.kind === "spawned") return;
			clearRespawn(files, stateDir);
		},
	};
}

/** Another live process of that start time: a predecessor that is still at it. */
function livesElsewhere(
	{ proc }: Pick<Doors, "proc">,
	{ pid, startTicks }: RespawnRecord,
): boolean {
	if (pid === null || pid === proc.pid) return false;
	const look = proc.stat(pid);
	if (look.kind === "unknown") return proc.alive(pid);
	return (
		look.kind === "ok" &&
		look.value.startTicks === startTicks &&
		proc.alive(pid)
	);
}
