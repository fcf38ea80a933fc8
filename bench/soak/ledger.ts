/** What was done to the fleet in a soak, as it was done. What became of it is read from the world at the end. */

/**
 * What a comment asks for. `answer` is the orchestrator's own; the others are a worker's, which hands over a report in
 * the end. On the way there it dies, has its turn refused by the model, comes to a forbidden command, or files a request.
 * Those that take longest come first, so that a short night sees their end.
 */
export const FATES = [
	"answer",
	"crash",
	"refusal",
	"permission",
	"request",
	"report",
] as const;
export type Fate = (typeof FATES)[number];

export interface Asked {
	/** Of the comment. */
	readonly id: number;
	readonly issue: number;
	/** ms since the epoch, as all times here. */
	readonly at: number;
	readonly fate: Fate;
	/** The window that shall do it; null: the orchestrator does. */
	readonly window: string | null;
}
export interface Kill {
	readonly what: "watcher" | "orchestrator" | "worker";
	readonly at: number;
	/** Of a worker. */
	readonly window?: string;
	/** When its successor stood; null: not yet. */
	backAt: number | null;
}
export interface Draft {
	readonly text: string;
	/** `void`: whoever it was typed to was killed meanwhile. */
	readonly end: "kept" | "void" | "destroyed";
}
export interface Vitals {
	readonly at: number;
	/** The watcher's; null: none lived. */
	readonly pid: number | null;
	readonly pssMiB: number;
	/** Without what it shares with other processes. */
	readonly ownMiB: number;
	/** Since that watcher began. */
	readonly cpuSeconds: number;
	/** In the state dir. */
	readonly files: number;
	readonly kiB: number;
	readonly watchers: number;
	readonly orchestrators: number;
}
export interface Ledger {
	readonly asked: Asked[];
	readonly kills: Kill[];
	readonly drafts: Draft[];
	readonly vitals: Vitals[];
	/** Turns that the model refused: window, when, and the comment that was worked on. */
	readonly refusals: {
		readonly window: string;
		readonly at: number;
		readonly id: number;
	}[];
	/** Forbidden commands that a worker came to. */
	readonly permissions: { readonly window: string; readonly at: number }[];
	/** GitHub's faults, by kind. */
	readonly weather: Map<string, number>;
}

export function emptyLedger(): Ledger {
	return {
		asked: [],
		kills: [],
		drafts: [],
		vitals: [],
		refusals: [],
		permissions: [],
		weather: new Map(),
	};
}
