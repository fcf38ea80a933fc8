/**
 * The target's window is there, and nobody in it takes the reports: it holds somebody's shell, left by an orchestrator
 * that he had started by hand, or another program, or an agent that is suspended, stands at a dialog that none of our hands
 * may answer, or hangs in a turn that takes what is typed and reads none of it. It is not closed, because a person may be at work in it; he is told. A bare shell in which nothing moves for as long as a silent
 * orchestrator gets is given another name, so that a new one can have the place. Pure.
 */

export interface HollowMemory {
	/** Looks in a row that found no agent. */
	readonly looks: number;
	readonly isTold: boolean;
	/** The bare shell as it has looked since then; null: there is none, or something runs in it. */
	readonly still: Since | null;
	/** What has held its agent up since then. */
	readonly heldUp: Since | null;
}
interface Since {
	readonly what: string;
	/** Epoch seconds. */
	readonly since: number;
}

export const NOT_HOLLOW: HollowMemory = {
	looks: 0,
	isTold: false,
	still: null,
	heldUp: null,
};

/** What one look found in the window. */
export type Inside =
	| { readonly kind: "agent" }
	/** An agent that is held up: at a dialog of this kind, which waits for an answer, or suspended. */
	| { readonly kind: "held-up"; readonly by: string }
	/** An agent in a turn behind which this report, by its signature, has waited the longest. */
	| { readonly kind: "waited-for"; readonly report: string }
	/** Could not look, or it cannot be told. */
	| { readonly kind: "unknown" }
	/** Provably no agent, but a program. */
	| { readonly kind: "program" }
	/** Provably nothing but a shell that runs nothing. `screen`: what it shows, as a digest. */
	| { readonly kind: "shell"; readonly screen: string };

export type HollowVerdict = "quiet" | "tell" | "tell-held-up" | "set-aside";

/** Seconds: how long a shell may stand still, an agent may be held up, and a report may wait behind one step of a turn. */
export interface Patience {
	/** Looks in a row before it is believed that no agent is there: one may fall between two programs. */
	readonly looks: number;
	readonly shell: number;
	readonly heldUp: number;
	readonly waitedFor: number;
}

/** `now` in epoch seconds. */
export function hollowVerdict(
	prev: HollowMemory,
	inside: Inside,
	now: number,
	patience: Patience,
): { readonly next: HollowMemory; readonly verdict: HollowVerdict } {
	switch (inside.kind) {
		case "agent":
			return { next: NOT_HOLLOW, verdict: "quiet" };
		case "unknown":
			return {
				next: { ...prev, looks: 0, still: null, heldUp: null },
				verdict: "quiet",
			};
		case "held-up": {
			const since = sinceOf(prev.heldUp, inside.by, now);
			return heldUp(prev, since, now, patience.heldUp);
		}
		case "waited-for": {
			const what = `its turn has not read ${inside.report}`;
			const since = sinceOf(prev.heldUp, what, now);
			return heldUp(prev, since, now, patience.waitedFor);
		}
		default:
			return withoutAgent(prev, inside, now, patience);
	}
}

function heldUp(
	prev: HollowMemory,
	heldUp: Since,
	now: number,
	patience: number,
): ReturnType<typeof hollowVerdict> {
	const isNews = !prev.isTold && now - heldUp.since >= patience;
	return {
		next: { ...NOT_HOLLOW, heldUp, isTold: prev.isTold || isNews },
		verdict: isNews ? "tell-held-up" : "quiet",
	};
}

function withoutAgent(
	prev: HollowMemory,
	inside: Extract<Inside, { kind: "shell" | "program" }>,
	now: number,
	patience: Patience,
): ReturnType<typeof hollowVerdict> {
	const looks = prev.looks + 1;
	const isBelieved = looks >= patience.looks;
	// Every change of its screen is somebody's, and begins the wait anew.
	const still =
		inside.kind === "shell" ? sinceOf(prev.still, inside.screen, now) : null;
	if (isBelieved && still && now - still.since >= patience.shell)
		return { next: NOT_HOLLOW, verdict: "set-aside" };
	const isNews = !prev.isTold && isBelieved;
	const isTold = prev.isTold || isNews;
	return {
		next: { looks, isTold, still, heldUp: null },
		verdict: isNews ? "tell" : "quiet",
	};
}

/** A clock that was set back begins the wait anew, too. */
function sinceOf(prev: Since | null, what: string, now: number): Since {
	return prev?.what === what && prev.since <= now ? prev : { what, since: now };
}

/** A name that no window has: `<target>-shell`, `<target>-shell-2`, … */
export function asideName(target: string, taken: ReadonlySet<string>): string {
	for (let n = 1; ; n++) {
		const name = `${target}-shell${n === 1 ? "" : `-${n}`}`;
		if (!taken.has(name)) return name;
	}
}
