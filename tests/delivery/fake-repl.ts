/**
 * An agent's input box on the fake tmux: takes keys and pastes as Claude Code does, draws its
 * screen, writes its transcript, and answers looks. A test sets what goes wrong, at any moment.
 */
import type {
	ComposerView,
	LookAt,
	LookResult,
	PaneLook,
} from "../../monitor/_pane/types.ts";
import type { FakeDoors } from "../fakes/doors.ts";
import type { FakePane, FakeWindow } from "../fakes/tmux-model.ts";

export const SESSION = "0b9f1c52-6a3e-4c1d-9f55-0d7c2a1b3e44";
const HOME = "/home/op/.claude";

interface Piece {
	readonly text: string;
	readonly pasted: boolean;
}

export interface ReplState {
	/** What is in the box. */
	box: readonly Piece[];
	vim: "off" | "insert" | "normal";
	busy: boolean;
	overlay: string | null;
	/** Selected entry of an open completion menu. */
	menu: string | null;
	/** So many Enters do nothing but keep the text. */
	holds: number;
	/** false: what is sent gets no record in the transcript. */
	records: boolean;
	/** false: what is sent does not show on the screen. */
	shows: boolean;
	/** So many looks still show the box empty. */
	lateLooks: number;
	/** Answers to looks instead of the truth, or changes to it; the last one stays. */
	script: readonly (LookResult | Partial<PaneLook>)[];
	/** null: a session that nobody can name. */
	sessionId: string | null;
}

export interface FakeRepl extends ReplState {
	readonly window: FakeWindow;
	readonly lookAt: LookAt;
	readonly transcript: string;
	/** Texts that were sent, whole, in order. */
	readonly sent: readonly string[];
	/** Number of Enters that arrived. */
	readonly enters: number;
	/** Keys and pastes that no careful hand would have sent. */
	readonly wrongs: readonly string[];
	/** Changes the state and draws the screen anew. */
	set(change: Partial<ReplState>): void;
	/** A human types at the end of the box. */
	humanTypes(text: string): void;
	/** Appends a record to the transcript. */
	record(record: Readonly<Record<string, unknown>>): void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function fakeRepl(doors: FakeDoors, name = "orchestrator"): FakeRepl {
	const window = doors.tmux.window(name);
	const transcript = `${HOME}/projects/-w/${SESSION}.jsonl`;
	doors.proc.env.CLAUDE_CONFIG_DIR = HOME;
	doors.files.seed(transcript, "");
	const sent: string[] = [];
	const wrongs: string[] = [];
	const repl: Mutable<FakeRepl> = {
		...START,
		window,
		transcript,
		sent,
		wrongs,
		enters: 0,
		lookAt: async (pane) => {
			const [scripted] = repl.script;
			if (repl.script.length > 1) repl.script = repl.script.slice(1);
			if (scripted !== undefined && "kind" in scripted) return scripted;
			if (doors.tmux.model.find(pane.paneId) === null)
				return { kind: "unreadable", reason: "capture failed" };
			if (window.pane.dead === "1")
				return { kind: "gone", evidence: "the pane is dead" };
			const late = repl.lateLooks > 0 && repl.box.length > 0;
			if (late) repl.lateLooks--;
			const seen = lookOf(late ? { ...repl, box: [] } : repl);
			return { kind: "ok", look: { ...seen, ...scripted } };
		},
		set: (change) => {
			Object.assign(repl, change);
			draw(window.pane, repl);
		},
		humanTypes: (text) =>
			repl.set({ box: [...repl.box, { text, pasted: false }] }),
		record: (record) => {
			doors.files.append(transcript, JSON.stringify(record));
		},
	};

	function enter(): void {
		repl.enters++;
		if (repl.overlay !== null) wrongs.push(`Enter answered ${repl.overlay}`);
		else if (repl.menu !== null && repl.menu !== textOf(repl.box))
			wrongs.push(`Enter chose ${repl.menu}`);
		else if (repl.holds > 0) repl.holds--;
		else if (repl.box.length > 0) submit();
	}

	function submit(): void {
		const text = textOf(repl.box);
		if (repl.box.some((piece) => !piece.pasted))
			wrongs.push(`Enter sent a human's words: ${text}`);
		sent.push(text);
		repl.box = [];
		const shown = repl.shows ? `> ${text}`.split("\n") : [];
		window.pane.history = [...window.pane.history, ...shown];
		if (!repl.records) return;
		const content =
			text === repl.menu
				? `<command-name>${text}</command-name>`
				: text.replaceAll("\t", "    ").trimEnd();
		repl.record(
			repl.busy
				? { type: "queue-operation", operation: "enqueue", content }
				: { type: "user", promptSource: "typed", message: { content } },
		);
	}

	window.pane.onKey = (key) => {
		if (key === "Enter") enter();
		else if (key === "i" && repl.vim === "normal") repl.vim = "insert";
		else if (key === "BSpace") repl.box = repl.box.slice(0, -1);
		else repl.box = [...repl.box, { text: key, pasted: false }];
		draw(window.pane, repl);
	};
	window.pane.onPaste = (text) => {
		if (repl.vim === "normal") wrongs.push("a paste was read as vim commands");
		// A dialog swallows a paste.
		if (repl.overlay === null) repl.box = [...repl.box, { text, pasted: true }];
		draw(window.pane, repl);
	};
	draw(window.pane, repl);
	return repl;
}

const START: ReplState = {
	box: [],
	vim: "off",
	busy: false,
	overlay: null,
	menu: null,
	holds: 0,
	records: true,
	shows: true,
	lateLooks: 0,
	script: [],
	sessionId: SESSION,
};

function lookOf(state: ReplState): PaneLook {
	const typed = textOf(state.box).trim() !== "";
	const input = typed ? "typed" : "blank";
	const blocked = state.overlay !== null;
	const name = typed ? "user-typing" : state.busy ? "busy" : "idle";
	return {
		state: blocked ? "blocked" : name,
		input: blocked ? null : input,
		overlay: state.overlay,
		menu: state.menu !== null,
		menuSelected: state.menu,
		queued: false,
		composer: blocked ? null : composerOf(state),
		dialog: null,
		line: `state=${blocked ? "blocked" : name}`,
		sessionId: state.sessionId,
	};
}

function composerOf(state: ReplState): ComposerView {
	const shown = state.box.map((piece, n) => shownPiece(piece, n + 1)).join("");
	const rows = shown.replaceAll("\t", "    ").trimEnd().split("\n");
	return {
		input: shown.trim() === "" ? "blank" : "typed",
		row: (rows[0] ?? "").trimStart(),
		rest: rows.slice(1),
		shellMode: false,
	};
}

function shownPiece(piece: Piece, n: number): string {
	const breaks = piece.text.split("\n").length - 1;
	const short = breaks <= 2 && piece.text.length <= 800;
	if (!piece.pasted || short) return piece.text;
	return breaks > 0
		? `[Pasted text #${n} +${breaks} lines]`
		: `[Pasted text #${n}]`;
}

function draw(pane: FakePane, state: ReplState): void {
	const { row, rest } = composerOf(state);
	const box = [`❯ ${row}`, ...rest.map((line) => `  ${line}`)];
	const dialog = ["Do you want to proceed?", "❯ 1. Yes", "  2. No"];
	pane.screen = (state.overlay === null ? box : dialog).join("\n");
}

function textOf(box: readonly Piece[]): string {
	return box.map((piece) => piece.text).join("");
}
