/** The input box of a simulated session: who put what into it, and what of the screen somebody had seen before he touched it. */
import { type Dialog, shown } from "../tests/unstick/fake-claude.ts";

export interface Piece {
	readonly text: string;
	readonly by: "person" | "machine";
	/** Steady time, ms. */
	readonly atMs: number;
}

/** What stood longer than this before a hand set out was there to be seen. */
const SEEN_MS = 6_000;

export interface Box {
	readonly text: string;
	/** As the screen shows it: a long paste as a placeholder, what was typed as it is. */
	readonly shown: string;
	/** Since when something stands there that a person has typed (steady ms); null: nothing does. */
	readonly draftSinceMs: number | null;
	put(text: string, by: Piece["by"]): void;
	empty(): void;
	/** A person takes back what he typed. */
	erase(): void;
	/** The screen was looked at, with this dialog on it. */
	looked(dialog: Dialog | null): void;
	/** A hand sets out for the keyboard; what is seen from now on comes too late for it. */
	aimed(): void;
	/** Known to whoever looked before he typed; what came in between nobody can help. */
	isKnown(what: Dialog | Piece, sinceMs: number): boolean;
	/** A person's text that must not be touched. */
	knownDraft(): Piece | undefined;
	/** Nobody has looked since it was pasted. */
	hasUnseenPaste(): boolean;
}

export function inputBox(steadyMs: () => number): Box {
	let pieces: readonly Piece[] = [];
	let seen: readonly (Dialog | Piece)[] = [];
	let known = seen;
	let aimedMs = 0;
	const of = (by: Piece["by"]) => pieces.filter((piece) => piece.by === by);
	const isKnown = (what: Dialog | Piece, sinceMs: number) =>
		known.includes(what) || aimedMs - sinceMs > SEEN_MS;
	return {
		get text() {
			return pieces.map(({ text }) => text).join("");
		},
		get shown() {
			return pieces
				.map(({ text, by }) => (by === "machine" ? shown(text) : text))
				.join("");
		},
		get draftSinceMs() {
			return of("person")[0]?.atMs ?? null;
		},
		put: (text, by) => {
			pieces = [...pieces, { text, by, atMs: steadyMs() }];
		},
		empty: () => {
			pieces = [];
		},
		erase: () => {
			pieces = of("machine");
		},
		looked: (dialog) => {
			seen = dialog === null ? pieces : [...pieces, dialog];
		},
		aimed: () => {
			known = seen;
			aimedMs = steadyMs();
		},
		isKnown,
		knownDraft: () => of("person").find((p) => isKnown(p, p.atMs)),
		hasUnseenPaste: () => of("machine").some((p) => !known.includes(p)),
	};
}
