/** What a respawned orchestrator is told in its first turn (contract 04 §14.2). Pure. One agent, one watcher. */
import { join } from "node:path";
import { type UnreadReport, unreadRows } from "../_delivery/unread-reports.ts";
import { programName, programPath, TEXTS } from "../_sys/names.ts";
import { shellWord } from "../_sys/shell-quote.ts";

export interface PromptFacts {
	readonly reason: string;
	readonly target: string;
	readonly root: string;
	readonly codeRoot: string;
	/** The command that arms the watcher's supervisor. */
	readonly armCommand: string;
}

/** `unread`: reports that waited behind the last turn, or had just been given to it, which Claude Code forgets with its process. */
export function renderResume(
	f: PromptFacts,
	sessionId: string,
	unread: readonly UnreadReport[] = [],
): string {
	return prompt(
		f,
		[
			`[nexus watcher] You were respawned: claude --resume ${sessionId}. Your context is intact; what was running in your window has ended.`,
		],
		lost("You were", "you", unread),
	);
}

/** `insteadOf`: the session that ended each time it was resumed; absent: nobody knows which it was. */
export function renderFresh(
	f: PromptFacts,
	insteadOf?: string,
	unread: readonly UnreadReport[] = [],
): string {
	const why =
		insteadOf === undefined
			? "the orchestrator's earlier session could not be identified."
			: `the orchestrator's earlier session ${insteadOf} ended each time it was resumed. Tell the operator, who may look into it: claude --resume ${insteadOf}`;
	return prompt(
		f,
		[
			`[nexus watcher] You were respawned as a fresh session, without any context: ${why}`,
			`Re-onboard before you act: read ${join(f.codeRoot, TEXTS.workspaceContract)} and ${join(f.codeRoot, TEXTS.agentPrompt)}, then the newest reports under ${f.root}/reports.`,
		],
		lost("The one before you was", "it", unread),
	);
}

function lost(
	who: string,
	it: string,
	unread: readonly UnreadReport[],
): readonly string[] {
	if (unread.length === 0) return [];
	return [
		`   ${who} also given these reports, and no record shows that ${it} had begun to read them. Nobody tells them again: read each, and act on it as on any other.`,
		...unreadRows(unread).map((row) => `   ${row}`),
	];
}

function prompt(
	f: PromptFacts,
	opening: readonly string[],
	after: readonly string[] = [],
): string {
	const { target } = f;
	const ng = shellWord(programPath("ng", f.codeRoot));
	return [
		...opening,
		`Recorded reason: ${f.reason}`,
		"",
		"1. Validate first: is another live orchestrator there?",
		"   list-panes -a -F '#{window_id} #{window_name} #{pane_pid} #{pane_dead}' in tmux names every pane; an orchestrator's process has NEXUS_IS_ORCHESTRATOR=1 in /proc/<pid>/environ.",
		"2. If there is one, the respawn was wrong and you stand down. Do not kill the watcher, the tmux session, or any window but your own:",
		`   - make sure that the original holds the window name '${target}';`,
		`   - ${ng} log-action watcher --event respawn-false-positive`,
		"   - rename your own window, then kill it by its id (@N). Do nothing else.",
		"3. If there is none, the respawn was right. First action: arm the supervisor of the watcher again:",
		`   ${f.armCommand}`,
		`   Then go on as ${TEXTS.agentPrompt} says: ${programName("ng")} watcher-status, open requests and decisions, workers that wait.`,
		...after,
		"",
		"Invariant: one orchestrator, one watcher.",
		"",
	].join("\n");
}
