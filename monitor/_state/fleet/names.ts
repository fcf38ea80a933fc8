/** Names in a fleet (contract 09 §2.2). Pure. */

const AGENT = /^[a-z0-9_:-]+$/;
const STANDING_WATCHER = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const MONITOR = /^[A-Za-z0-9][A-Za-z0-9_:-]{0,99}$/;
const RESERVED: ReadonlySet<string> = new Set([
	"daemon",
	"system",
	"thrum",
	"all",
	"broadcast",
]);
/** Roles of those whom the others report to, everywhere in this kit. */
export const COORDINATOR_ROLES: readonly string[] = [
	"coordinator",
	"orchestrator",
];

/** A name never carries its `@` in a file. */
export function bareName(name: string): string {
	return name.trim().replace(/^@/, "");
}

/** Safe as a file name and a word of a command line; names with a meaning of their own are taken. */
export function isAgentName(name: string): boolean {
	return AGENT.test(name) && !RESERVED.has(name);
}

/** Stricter: it is also the name of a worktree, a session and files. */
export function isWatcherName(name: string): boolean {
	return STANDING_WATCHER.test(name) && !RESERVED.has(name);
}

/** Without a dot: `<name>.run.json` and `<name>.log.jsonl` lie beside `<name>.json`. */
export function isMonitorName(name: string): boolean {
	return MONITOR.test(name);
}

/** `user:NAME`: a person, who has an inbox and no pane. */
export function isUser(name: string): boolean {
	return /^user:[A-Za-z0-9_.-]+$/.test(name);
}

/** As tmux takes it; two agents may come out the same. */
export function sessionNameOf(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, "-");
}

/** The agent that a window of the project stands for. */
export function agentIdOfWindow(window: string): string {
	return window.toLowerCase().replace(/[^a-z0-9_:-]/g, "_");
}

/** A kind or scope of state as a file name; never one that leaves its folder. */
export function safeWord(word: string): string {
	const safe = word.replace(/[^A-Za-z0-9_.:-]/g, "_");
	return /^\.*$/.test(safe) ? `_${safe}` : safe;
}
