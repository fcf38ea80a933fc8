/** What the orchestrator is told about supervising the watcher: one source for every text that names the command (contract 01 §16). Pure. */
import { join } from "node:path";
import { supervisorHeartbeatPath } from "../_state/supervisor-heartbeat.ts";
import { programName, TEXTS } from "../_sys/names.ts";
import { shellWord } from "../_sys/shell-quote.ts";

export interface ArmFacts {
	readonly enabled: boolean;
	readonly codeRoot: string;
	readonly stateDir: string;
	readonly now: number;
	/** Epoch seconds of the last supervisor tick; null = never. */
	readonly supervisorBeatAt: number | null;
	readonly staleSeconds: number;
}

/** Body of `--- arm watcher supervisor ---`, empty while armed or switched off. Constant, so that dedup folds repeats. */
export function armSection(f: ArmFacts): string {
	if (!f.enabled || isArmed(f)) return "";
	return [
		`No fresh watcher-supervisor heartbeat (${supervisorHeartbeatPath(f.stateDir)}): the supervisor Monitor is NOT armed.`,
		"Until it is, a crashed watcher is not revived between turns. Arm it now:",
		`  ${monitorCommand(f.codeRoot)}`,
		`  When it exits the watcher is down: run ${program(f.codeRoot, "revive")}, then arm it again (a Monitor lease that merely expired is re-armed the same way). See ${TEXTS.serviceRecoverySkill}.`,
	].join("\n");
}

/**
 * Epoch seconds. A beat from the future within the limit counts, so that a small step of the clock does not call for
 * a second monitor.
 */
export function isArmed(
	f: Pick<ArmFacts, "now" | "supervisorBeatAt" | "staleSeconds">,
): boolean {
	return (
		f.supervisorBeatAt !== null &&
		Math.abs(f.now - f.supervisorBeatAt) <= f.staleSeconds
	);
}

/** The Monitor call as the orchestrator types it; an empty root leaves the path relative. */
export function monitorCommand(codeRoot: string): string {
	const tick = program(codeRoot, "superviseTick");
	const command = `until ! ${tick}; do sleep 15; done`;
	return `Monitor({command: ${JSON.stringify(command)}})`;
}

/** What the tick says on stderr when the watcher is down. */
export function downMessage(reason: string, codeRoot: string): string {
	return [
		`watcher DOWN: ${reason} — comments, requests and reports reach nobody until it runs again`,
		`  1. revive it: ${program(codeRoot, "revive")}`,
		`  2. arm the supervisor again: ${monitorCommand(codeRoot)}`,
		`  See ${TEXTS.serviceRecoverySkill}.`,
	].join("\n");
}

/** What the tick says when the watcher lives and does not advance. */
export function wedgedMessage(
	lines: readonly string[],
	codeRoot: string,
): string {
	return [
		"--- watcher WEDGED (alive, not advancing) ---",
		...lines,
		`  revive it: ${program(codeRoot, "revive")}`,
	].join("\n");
}

function program(codeRoot: string, name: "revive" | "superviseTick"): string {
	return codeRoot === ""
		? programName(name)
		: shellWord(join(codeRoot, programName(name)));
}
