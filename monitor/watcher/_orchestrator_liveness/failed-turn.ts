/**
 * A turn of the orchestrator that ended in what only the operator can mend, say a log-in that has expired. It answers
 * nobody, and neither a second paste nor a replacement would: both wait, and he is told (contract 07 §11.8).
 */
import { raise } from "../../_emit/self-heal.ts";
import { isForeign } from "../../_pane/heartbeat.ts";
import {
	readTurnFailure,
	type TurnFailure,
} from "../../_state/turn-failure.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { TaskRun, WatcherContext } from "../context.ts";
import { type Liveness, verdict } from "./decide.ts";

/** One for each watcher: it remembers whether this episode has been told. */
export function operatorHold({
	stateDir,
	target,
	config,
}: Pick<WatcherContext, "stateDir" | "target" | "config">) {
	const gate = config["monitor.watcher.turn_failure_gate_seconds"];
	const freshness = config.MONITOR_TURN_FAILURE_STALENESS_SECONDS;
	let isTold = false;
	return (run: TaskRun, pin: string | null, decided: Liveness): Liveness => {
		const { files, clock } = run.doors;
		const failure = readTurnFailure(files, stateDir, target);
		const age = operatorAge(failure, pin, clock.now(), freshness);
		if (failure === null || age === null) {
			isTold = false;
			return decided;
		}
		if (!isTold)
			raise(
				run.doors,
				stateDir,
				`the orchestrator's turn failed and needs you (${failure.category}): look at window '${target}'`,
			);
		isTold = true;
		return holdForOperator(decided, failure.category, age, gate);
	};
}

/** Seconds since such a failure of this session; null: there is none, or it is over. */
function operatorAge(
	failure: TurnFailure | null,
	pin: string | null,
	now: number,
	freshness: number,
): number | null {
	if (failure?.recovery !== "operator") return null;
	if (isForeign(failure.sessionId, pin)) return null;
	const age = ageSeconds(now, failure.at, freshness);
	return age !== null && age <= freshness ? age : null;
}

/** Only what would be done about the silence waits; whoever is well is well. */
export function holdForOperator(
	decided: Liveness,
	category: string,
	age: number,
	gate: number,
): Liveness {
	const isAct = decided.word === "respawn" || decided.word === "resubmit";
	if (!isAct || age >= gate) return decided;
	return verdict(
		"waiting",
		"turn-failure",
		`category=${category} age=${Math.floor(age)}s gate=${gate}s (${decided.word} reason=${decided.reason})`,
	);
}
