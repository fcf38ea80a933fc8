/**
 * A Claude Code on the fake tmux, drawn as the real one draws itself and read by the real pane
 * reader: box, dialogs, transcript, process, session. A test changes its state at any moment.
 */
import type { FakeDoors } from "../fakes/doors.ts";
import type { FakeWindow } from "../fakes/tmux-model.ts";

export const RULE = "─".repeat(120);
const CC = "/cc";

export type Dialog =
	| {
			readonly kind: "permission";
			readonly command: string;
			/** Default `Do you want to proceed?` */
			readonly question?: string;
			readonly options?: readonly string[];
			readonly selected?: number;
			readonly footer?: string;
			/** The top of the dialog does not fit. */
			readonly isCut?: boolean;
			readonly isNumbered?: boolean;
	  }
	| { readonly kind: "rate-limit"; readonly selected?: number }
	| { readonly kind: "question"; readonly question?: string }
	| {
			readonly kind: "start";
			readonly rows: readonly string[];
			readonly options: readonly string[];
			readonly selected: number;
	  };

export interface ClaudeState {
	dialog: Dialog | null;
	/** What is in the box. */
	box: string;
	busy: boolean;
	/** Rows above box or dialog. */
	transcript: readonly string[];
	/** false: sent texts leave no record. */
	records: boolean;
	/** false: a dialog does not care for keys. */
	answers: boolean;
}

export interface FakeClaude extends Readonly<ClaudeState> {
	readonly window: FakeWindow;
	readonly sessionId: string;
	/** Texts that were sent, in order. */
	readonly sent: readonly string[];
	/** Answers to dialogs: the label, or `Escape`. */
	readonly answered: readonly string[];
	/** Keys that arrived. */
	readonly keys: readonly string[];
	set(change: Partial<ClaudeState>): void;
}

export const PERMISSION_OPTIONS = [
	"Yes",
	"Yes, and don’t ask again for: curl *",
	"No",
];
const LIMIT_OPTIONS = [
	"Stop and wait for limit to reset",
	"Upgrade plan",
	"Add extra usage",
];

export function fakeClaude(
	doors: FakeDoors,
	name: string,
	opts: { readonly environ?: Readonly<Record<string, string>> } = {},
): FakeClaude {
	const window = doors.tmux.window(name);
	const { pane } = window;
	const shell = pane.pid ?? 0;
	const pid = shell + 1_000;
	const sessionId = `0b9f1c52-6a3e-4c1d-9f55-${String(pid).padStart(12, "0")}`;
	const transcript = `${CC}/projects/-w/${sessionId}.jsonl`;
	doors.proc.add({ pid: shell, comm: "bash", exe: "/bin/bash" });
	doors.proc.add({
		pid,
		ppid: shell,
		comm: "claude",
		exe: "/opt/claude",
		startTicks: "188259",
		cwd: "/w/proj",
		environ: { CLAUDE_CONFIG_DIR: CC, ...opts.environ },
	});
	doors.proc.env.CLAUDE_CONFIG_DIR = CC;
	doors.files.seed(
		`${CC}/sessions/${pid}.json`,
		JSON.stringify({
			pid,
			sessionId,
			procStart: "188259",
			kind: "interactive",
			version: "2.1.332",
		}),
	);
	doors.files.seed(transcript, "");
	const state: ClaudeState = {
		dialog: null,
		box: "",
		busy: false,
		transcript: ["● All done."],
		records: true,
		answers: true,
	};
	const sent: string[] = [];
	const answered: string[] = [];
	const keys: string[] = [];
	const draw = () => {
		pane.screen = screenOf(state).join("\n");
	};
	const answer = (label: string) => {
		answered.push(label);
		state.dialog = null;
	};
	const submit = () => {
		if (state.box === "") return;
		sent.push(state.box);
		const content = state.box.replaceAll("\t", "    ").trimEnd();
		state.box = "";
		if (!state.records) return;
		const record = state.busy
			? { type: "queue-operation", operation: "enqueue", content }
			: { type: "user", promptSource: "typed", message: { content } };
		doors.files.append(transcript, JSON.stringify(record));
	};
	pane.onKey = (key) => {
		keys.push(key);
		const { dialog } = state;
		if (dialog === null) {
			if (key === "Enter") submit();
			else if (key === "BSpace") state.box = state.box.slice(0, -1);
			else if (key.length === 1) state.box += key;
		} else if (state.answers) {
			const options = optionsOf(dialog);
			const at = selectedOf(dialog);
			const step = key === "Down" ? 1 : key === "Up" ? -1 : 0;
			if (key === "Enter") answer(options[at] ?? "?");
			else if (key === "Escape") answer("Escape");
			else if (step !== 0 && dialog.kind !== "question")
				state.dialog = {
					...dialog,
					selected: (at + step + options.length) % options.length,
				};
		}
		draw();
	};
	pane.onPaste = (text) => {
		if (state.dialog === null) state.box += text;
		draw();
	};
	draw();
	return Object.assign(state, {
		window,
		sessionId,
		sent,
		answered,
		keys,
		set: (change: Partial<ClaudeState>) => {
			Object.assign(state, change);
			draw();
		},
	});
}

export function screenOf(state: ClaudeState): readonly string[] {
	const { dialog, box, busy, transcript } = state;
	if (dialog !== null) return [...transcript, ...dialogRows(dialog)];
	const [first = "", ...rest] = shown(box).split("\n");
	return [
		...transcript,
		...(busy ? ["", "✶ Weaving… (12s · ↓ 840 tokens)"] : []),
		"",
		RULE,
		`❯\u00a0${first}`,
		...rest.map((row) => `  ${row}`),
		RULE,
		"  ⏵⏵ bypass permissions on (shift+tab to cycle)",
	];
}

export function dialogRows(dialog: Dialog): readonly string[] {
	const at = selectedOf(dialog);
	const mark = (row: string, i: number) => `${i === at ? "❯" : " "} ${row}`;
	const numbered = (options: readonly string[]) =>
		options.map((option, i) => mark(`${i + 1}. ${option}`, i));
	switch (dialog.kind) {
		case "permission": {
			const options = optionsOf(dialog);
			return [
				...(dialog.isCut ? [] : [RULE, " Bash command", ""]),
				...dialog.command.split("\n").map((row) => `   ${row}`),
				"",
				" This command requires approval",
				"",
				` ${dialog.question ?? "Do you want to proceed?"}`,
				...(dialog.isNumbered === false
					? options.map(mark)
					: numbered(options)
				).map((row) => ` ${row}`),
				"",
				` ${dialog.footer ?? "Esc to cancel · Tab to amend"}`,
			];
		}
		case "rate-limit":
			return [
				"You've hit the limit.",
				"",
				"What do you want to do?",
				...numbered(LIMIT_OPTIONS),
			];
		case "question":
			return [
				RULE,
				" ☐ Database",
				"",
				dialog.question ?? "Which database should we use?",
				"",
				"❯ 1. SQLite",
				"     embedded",
				"  2. PostgreSQL",
				"     server",
				"  3. Type something.",
				RULE,
				"  4. Chat about this",
				"",
				"Enter to select · ↑/↓ to navigate · Esc to cancel",
			];
		case "start":
			return [
				RULE,
				...dialog.rows,
				"",
				...dialog.options.map((row, i) => ` ${mark(row, i)}`),
				"",
				" Enter to confirm · Esc to cancel",
			];
	}
}

function optionsOf(dialog: Dialog): readonly string[] {
	switch (dialog.kind) {
		case "permission":
			return dialog.options ?? PERMISSION_OPTIONS;
		case "rate-limit":
			return LIMIT_OPTIONS;
		case "question":
			return ["SQLite"];
		case "start":
			return dialog.options;
	}
}

function selectedOf(dialog: Dialog): number {
	return dialog.kind === "question" ? 0 : (dialog.selected ?? 0);
}

/** A long paste shows as a placeholder. */
export function shown(text: string): string {
	const breaks = text.split("\n").length - 1;
	if (breaks <= 2 && text.length <= 800) return text;
	return breaks > 0 ? `[Pasted text #1 +${breaks} lines]` : "[Pasted text #1]";
}
