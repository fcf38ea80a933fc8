/**
 * The target's window is there, and no agent is in it: somebody's shell, left by an orchestrator that he had started by
 * hand, or another program. It is not closed, because a person may be at work in it; he is told. A bare shell in which
 * nothing moves for as long as a silent orchestrator gets is given another name, so that a new one can have the place. Pure.
 */

export interface HollowMemory {
	/** Looks in a row that found no agent. */
	readonly looks: number;
	readonly isTold: boolean;
	/** The bare shell as it has looked since then; null: there is none, or something runs in it. */
	readonly still: { readonly screen: string; readonly since: number } | null;
}

export const NOT_HOLLOW: HollowMemory = {
	looks: 0,
	isTold: false,
	still: null,
};

/** What one look found in the window. */
export type Inside =
	| { readonly kind: "agent" }
	/** Could not look, or it cannot be told. */
	| { readonly kind: "unknown" }
	/** Provably no agent, but a program. */
	| { readonly kind: "program" }
	/** Provably nothing but a shell that runs nothing. `screen`: what it shows, as a digest. */
	| { readonly kind: "shell"; readonly screen: string };

export type HollowVerdict = "quiet" | "tell" | "set-aside";

/** One look may fall between two programs. */
const BELIEVED_LOOKS = 3;

/** `now` in epoch seconds; `patience` in seconds. */
export function hollowVerdict(
	prev: HollowMemory,
	inside: Inside,
	now: number,
	patience: number,
): { readonly next: HollowMemory; readonly verdict: HollowVerdict } {
	if (inside.kind === "agent") return { next: NOT_HOLLOW, verdict: "quiet" };
	if (inside.kind === "unknown")
		return { next: { ...prev, looks: 0, still: null }, verdict: "quiet" };
	const looks = prev.looks + 1;
	const still = stillShell(prev.still, inside, now);
	if (looks >= BELIEVED_LOOKS && still && now - still.since >= patience)
		return { next: NOT_HOLLOW, verdict: "set-aside" };
	const isNews = !prev.isTold && looks >= BELIEVED_LOOKS;
	return {
		next: { looks, isTold: prev.isTold || isNews, still },
		verdict: isNews ? "tell" : "quiet",
	};
}

/** Every change of its screen is somebody's, and begins the wait anew; so does a clock that was set back. */
function stillShell(
	prev: HollowMemory["still"],
	inside: Inside,
	now: number,
): HollowMemory["still"] {
	if (inside.kind !== "shell") return null;
	const isSame = prev?.screen === inside.screen && prev.since <= now;
	return isSame ? prev : { screen: inside.screen, since: now };
}

/** A name that no window has: `<target>-shell`, `<target>-shell-2`, … */
export function asideName(target: string, taken: ReadonlySet<string>): string {
	for (let n = 1; ; n++) {
		const name = `${target}-shell${n === 1 ? "" : `-${n}`}`;
		if (!taken.has(name)) return name;
	}
}
