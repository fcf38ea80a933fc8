/** What a key press does (contract 06 §7.3). Pure. The cockpit shows; it never starts, restarts or ends a service. */

export interface KeyState {
	/** Registered services. */
	readonly services: number;
	readonly page: number;
	readonly pages: number;
	/** First digit of a number of two; null: none is awaited. */
	readonly digit: string | null;
	/** One line for the prompt; it goes with the next key. */
	readonly notice: string | null;
}
/** A key as typed, or the end of the second in which a second digit was awaited. */
export type Key = string | { readonly kind: "waited" };
export type Effect =
	| { readonly kind: "follow"; readonly position: number }
	| { readonly kind: "follow-watcher" }
	| { readonly kind: "close-log" }
	| { readonly kind: "refresh" }
	/** Come back with `waited` after a second. */
	| { readonly kind: "await-digit" }
	| { readonly kind: "quit"; readonly exit: 0 | 130 };

/** The state from now on, and what is to be done; an unknown key changes nothing. */
export function onKey(
	before: KeyState,
	key: Key,
): readonly [KeyState, readonly Effect[]] {
	const state = { ...before, notice: null };
	if (state.digit !== null) return secondDigit(state, state.digit, key);
	if (typeof key !== "string") return [before, []];
	if (/^[1-9]$/.test(key))
		return state.services > 9
			? [{ ...state, digit: key }, [{ kind: "await-digit" }]]
			: follow(state, Number(key));
	switch (key) {
		case "0":
			return [state, [{ kind: "follow-watcher" }]];
		case "x":
			return [state, [{ kind: "close-log" }]];
		case "n":
			return [turned(state, 1), []];
		case "p":
			return [turned(state, -1), []];
		case "r":
		case "\r":
		case "\n":
			return [state, [{ kind: "refresh" }]];
		case "q":
			return [state, [{ kind: "quit", exit: 0 }]];
		// In raw mode Ctrl-C is a key and no signal.
		case "\u0003":
			return [state, [{ kind: "quit", exit: 130 }]];
		default:
			return [before, []];
	}
}

/** Another key ends the number, and then counts for itself. */
function secondDigit(
	state: KeyState,
	digit: string,
	key: Key,
): readonly [KeyState, readonly Effect[]] {
	const done = { ...state, digit: null };
	if (typeof key === "string" && /^[0-9]$/.test(key))
		return follow(done, Number(digit + key));
	const [first, effects] = follow(done, Number(digit));
	if (typeof key !== "string" || key === "\r" || key === "\n")
		return [first, effects];
	const [second, more] = onKey(first, key);
	return [
		{ ...second, notice: second.notice ?? first.notice },
		[...effects, ...more],
	];
}

function follow(
	state: KeyState,
	position: number,
): readonly [KeyState, readonly Effect[]] {
	return position >= 1 && position <= state.services
		? [state, [{ kind: "follow", position }]]
		: [{ ...state, notice: `no service #${position}` }, []];
}

function turned(state: KeyState, by: 1 | -1): KeyState {
	if (state.pages <= 1) return state;
	const page = ((state.page - 1 + by + state.pages) % state.pages) + 1;
	return { ...state, page };
}

/**
 * The keys in what a terminal handed over at once. An escape sequence (arrows, a click) is none, and neither is a
 * paste: a `q` in somebody's text must not end the cockpit.
 */
export function keysIn(chunk: string): readonly string[] {
	if (chunk.startsWith("\u001b") || chunk.length > LONGEST_TYPED) return [];
	return [...chunk];
}

const LONGEST_TYPED = 8;
