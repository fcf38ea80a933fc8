/** Carries out what `onTargetAbsent` decides, with a memory from look to look (contract 04 §13). */
import {
	checkRespawnLoop,
	passSlowGrind,
	type RespawnLimits,
} from "../../_liveness/pass-respawn-guard.ts";
import { appendEvent } from "../../_state/action-log-append.ts";
import { appendRespawn } from "../../_state/respawn-history.ts";
import { onTargetAbsent, PRESENT } from "../_target_absent.ts";
import type { TaskRun } from "../context.ts";

export interface AbsenceParts {
	readonly stateDir: string;
	readonly target: string;
	readonly confirmingPolls: number;
	readonly limits: RespawnLimits;
	readonly inFlight: () => boolean;
	/** Each look that misses it while nobody replaces it, and each that finds it. */
	readonly ended: (run: TaskRun) => void;
	readonly lives: (run: TaskRun) => void;
	/** Result of a respawn that has ended; null: none has. */
	readonly reap: () => number | null;
	/** What the check for a living orchestrator says right before the launch. */
	readonly verify: (
		run: TaskRun,
		since: number,
	) => Promise<
		| { readonly kind: "proceed"; readonly reason: string }
		| { readonly kind: "abort"; readonly reason: string }
	>;
	/** 0 started, 1 one runs already, 2 it could not be written down. */
	readonly launch: (reason: string, since: number) => 0 | 1 | 2;
}

export interface AbsenceHandler {
	present(run: TaskRun): void;
	/** Could not look, or in the grace after a clock gap. */
	reset(): void;
	missing(run: TaskRun): Promise<void>;
}

/** One a process. `reset` is for looks that say nothing; `present` also tells that the orchestrator lives. */
export function absenceHandler(p: AbsenceParts): AbsenceHandler {
	const { stateDir, target, limits } = p;
	let state = PRESENT;
	let told = "";
	/** Every two seconds the same: said once. */
	const sayOnce = (run: TaskRun, line: string) => {
		if (line !== told) run.log(line);
		told = line;
	};
	const reset = () => {
		state = PRESENT;
		told = "";
	};
	return {
		reset,
		present: (run) => {
			reset();
			p.lives(run);
		},
		missing: async (run) => {
			const { doors } = run;
			if (!p.inFlight()) p.ended(run);
			const rc = p.reap();
			if (rc !== null && rc !== 0) {
				run.log(`respawn ended with rc=${rc}`);
				passSlowGrind(doors, stateDir, limits);
			}
			const next = onTargetAbsent(state, {
				now: doors.clock.now(),
				confirmingPolls: p.confirmingPolls,
				slowGrind: () => passSlowGrind(doors, stateDir, limits),
				crashLoop: () => checkRespawnLoop(doors, stateDir, limits),
				inFlight: p.inFlight,
			});
			state = next.state;
			const { action } = next;
			switch (action.kind) {
				case "confirming":
					return;
				case "paused":
					return sayOnce(run, "respawn paused: too many failures in a row");
				case "blocked":
					return sayOnce(run, `respawn blocked: ${action.reason}`);
				case "deferred":
					return sayOnce(run, "launch deferred (in flight)");
				case "respawn":
					// Recorded although the check may abort it: a loop of aborted respawns is a loop, too.
					appendRespawn(doors.files, stateDir, doors.clock.now(), target);
					await respawn(p, run, action);
					state = PRESENT;
			}
		},
	};
}

async function respawn(
	{ stateDir, target, verify, launch }: AbsenceParts,
	run: TaskRun,
	{ since, streak }: { readonly since: number; readonly streak: number },
): Promise<void> {
	const verified = await verify(run, since);
	if (verified.kind === "abort") {
		run.log(`respawn aborted by re-verify: ${verified.reason}`);
		appendEvent(run.doors, stateDir, {
			agent: "watcher",
			event: "respawn-aborted-reverify",
			note: verified.reason,
		});
		return;
	}
	const reason = `target window '${target}' absent for ${streak} poll(s); spawned new agent`;
	const started = launch(reason, since);
	run.log(
		started === 0
			? `respawn launched: target window '${target}' absent for ${streak} poll(s) (${verified.reason})`
			: `respawn could not be launched (${started === 1 ? "one runs already" : "its record cannot be written"})`,
	);
}
