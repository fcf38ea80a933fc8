/** Keeps the heartbeat's own process running beside the watcher (contract 01 §2.2.4, §3). */
import { startTicker, type TickerArgs } from "../../_liveness/ticker.ts";
import type { Doors } from "../../_sys/doors.ts";

export interface TickerKeeper {
	/** Starts it when it is not there; called once a loop. */
	readonly keep: () => void;
	readonly stop: () => void;
}

/** A ticker that dies at once must not be started thirty times a minute. */
const RESTART_SPACING_MS = 5_000;

interface Running {
	readonly pid: number;
	/** Null when it could not be looked at right after its start. */
	readonly startTicks: string | null;
}

/**
 * `keep` starts it when it is gone, not oftener than every few seconds; `stop` signals it only while pid and start
 * time are its own.
 */
export function tickerKeeper(
	doors: Pick<Doors, "clock" | "log" | "proc">,
	args: TickerArgs,
): TickerKeeper {
	let running: Running | null = null;
	let startedMs: number | null = null;
	return {
		keep: () => {
			if (running !== null && isThere(doors, running)) return;
			const now = doors.clock.monoMs();
			if (startedMs !== null && now - startedMs < RESTART_SPACING_MS) return;
			const again = startedMs !== null;
			startedMs = now;
			const started = startTicker(doors, args);
			if (started.kind === "failed") {
				doors.log.warn(`heartbeat ticker did not start: ${started.reason}`);
				return;
			}
			if (again)
				doors.log.warn(
					`heartbeat ticker was gone; restarted as pid ${started.pid}`,
				);
			const look = doors.proc.stat(started.pid);
			const startTicks = look.kind === "ok" ? look.value.startTicks : null;
			running = { pid: started.pid, startTicks };
		},
		stop: () => {
			if (running !== null && isThere(doors, running))
				doors.proc.signal(running.pid, "SIGTERM");
			running = null;
		},
	};
}

/** The very process we started, alive. Not being able to look is no reason to start a second one, nor to signal it. */
function isThere({ proc }: Pick<Doors, "proc">, running: Running): boolean {
	const look = proc.stat(running.pid);
	if (look.kind !== "ok") return look.kind === "unknown";
	if (look.value.state === "Z" || look.value.state === "X") return false;
	return look.value.startTicks === running.startTicks;
}
