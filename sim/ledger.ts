/** What the watcher ought to know of a night, kept beside it. */

/** A question or a request, from its birth to its ack (monotonic ms; null = still open). */
export interface Open {
	readonly key: string;
	readonly window: string;
	readonly bornMs: number;
	ackedMs: number | null;
	/** Its window has gone since: it may be told, and may be dropped. */
	moot: boolean;
}
export interface Ledger {
	readonly reports: string[];
	readonly questions: Open[];
	readonly requests: Open[];
	/** Ids of the operator's comments, and the secret words of strangers'. */
	readonly comments: number[];
	readonly strangers: string[];
	/** What excuses a damaged file, or a change that nobody knows of. */
	diskFaults: number;
	/** Files lost that remember what was told: so much may be told again. */
	forgotten: number;
	/** The baseline was lost, and what changed until there is a new one cannot be known; reports of which that is true. */
	isBaselineLost: boolean;
	readonly unknowable: Set<string>;
	/** Of the wall clock, or of the whole machine's time: "so many minutes ago" means little then. */
	clockJumps: number;
}

export function newLedger(): Ledger {
	return {
		reports: [],
		questions: [],
		requests: [],
		comments: [],
		strangers: [],
		diskFaults: 0,
		forgotten: 0,
		isBaselineLost: false,
		unknowable: new Set(),
		clockJumps: 0,
	};
}
