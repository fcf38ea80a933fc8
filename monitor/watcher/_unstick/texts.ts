/** What the unstick pass says to agents (contract 04 §8.4, §8.8). One line each. */
import { programName, TEXTS } from "../../_sys/names.ts";

/** To a worker whose usage limit is over. `event`: what proved it; null: its time has come. */
export function continueBrief(event: string | null): string {
	const why = event === null ? "" : ` (${event})`;
	return `Please continue with your task. The API rate limit has reset.${why} First check again what you were waiting for: jobs, watches, messages.`;
}

/** To the orchestrator, after its workers were woken. */
export function headsupLine(
	woken: number,
	windows: readonly string[],
	event: string | null,
): string {
	const why = event === null ? "" : ` (${event})`;
	const names = windows.length === 0 ? "none" : windows.join(", ");
	return `Heads-up from watcher: rate limit reset${why}; ${woken} window(s) told to go on: ${names}. Please verify that they make progress, then run: ${programName("ng")} log-action monitor --event ratelimit-resume-ack`;
}

/** To the orchestrator, whose question was taken away. */
export function questionDismissed(): string {
	return `[nexus watcher] Your AskUserQuestion dialog was dismissed: nobody reads a dialog here, and it keeps reports out of this window. Orchestrators communicate through GitHub comments: ask there, then go on with what needs no answer. See ${TEXTS.agentPrompt}.`;
}
