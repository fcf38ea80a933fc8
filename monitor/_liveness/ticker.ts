/**
 * The heartbeat's own process (contract 01 §3). Not a timer of the watcher: a blocked event loop, which is what the
 * heartbeat is told apart from, must not starve it. Kept small, because it runs beside every watcher.
 */

import { writeWatcherHeartbeat } from "../_state/watcher-heartbeat.ts";
import type { Clock, Doors, Files, Looked, ProcStat } from "../_sys/doors.ts";
import { BUN_FLAGS, programPath } from "../_sys/names.ts";

export interface TickerArgs {
	readonly stateDir: string;
	/** The watcher whose life is reported. */
	readonly mainPid: number;
	/** Field 22 of its /proc stat: a reused pid is somebody else (contract 00 R9). */
	readonly mainStartTicks: string;
	readonly tickSeconds: number;
	readonly target: string;
}
export interface TickerDoors {
	readonly clock: Pick<Clock, "iso" | "sleep">;
	readonly files: Files;
	readonly stat: (pid: number) => Looked<ProcStat>;
	/** Called before each sleep: gives memory back that the next beat can do without. */
	readonly trim: () => void;
}

/** Beats until the watcher is gone; ends within one tick of it. A beat that cannot be written is left out. */
export async function runTicker(
	doors: TickerDoors,
	args: TickerArgs,
): Promise<void> {
	while (!mainIsGone(doors.stat(args.mainPid), args)) {
		writeWatcherHeartbeat(doors.files, args.stateDir, {
			pid: args.mainPid,
			ts: doors.clock.iso(),
			target: args.target,
		});
		doors.trim();
		await doors.clock.sleep(args.tickSeconds * 1000);
	}
}

/** Starts the ticker in a session of its own; it holds no lock, because every lock's descriptor is close-on-exec. */
export function startTicker(
	doors: Pick<Doors, "proc">,
	args: TickerArgs,
	codeRoot?: string,
): ReturnType<Doors["proc"]["spawnDetached"]> {
	const { proc } = doors;
	const env = Object.entries(proc.env).filter(
		(e): e is [string, string] => e[1] !== undefined,
	);
	return proc.spawnDetached({
		argv: tickerArgv(proc.execPath, args, codeRoot),
		env: Object.fromEntries(env),
		log: null,
	});
}

/** `--smol` keeps the heap of a process that lives for weeks at its floor. */
export function tickerArgv(
	bun: string,
	args: TickerArgs,
	codeRoot?: string,
): readonly string[] {
	return [
		bun,
		"--smol",
		...BUN_FLAGS,
		programPath("heartbeatTicker", codeRoot),
		args.stateDir,
		String(args.mainPid),
		args.mainStartTicks,
		String(args.tickSeconds),
		args.target,
	];
}

/** The inverse of `tickerArgv`; null for anything else. */
export function parseTickerArgs(argv: readonly string[]): TickerArgs | null {
	const [stateDir, pid, startTicks, tick, target] = argv;
	const whole = (text: string | undefined) =>
		/^[1-9]\d{0,9}$/.test(text ?? "") ? Number(text) : null;
	const mainPid = whole(pid);
	const tickSeconds = whole(tick);
	if (!stateDir || !startTicks || target === undefined) return null;
	if (mainPid === null || tickSeconds === null) return null;
	return {
		stateDir,
		mainPid,
		mainStartTicks: startTicks,
		tickSeconds,
		target,
	};
}

/** Could not look is not gone: a ticker that gives up early reads as a dead watcher. */
function mainIsGone(look: Looked<ProcStat>, args: TickerArgs): boolean {
	if (look.kind !== "ok") return look.kind === "absent";
	const corpse = look.value.state === "Z" || look.value.state === "X";
	return corpse || look.value.startTicks !== args.mainStartTicks;
}
