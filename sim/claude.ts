/**
 * A Claude Code on the simulated machine: it draws itself as the real one does, keeps a transcript and
 * a session file, runs our real hooks, takes time for its turns, and remembers every key and paste
 * that no careful hand would have sent.
 */
import type { FakeWindow } from "../tests/fakes/tmux-model.ts";
import { type Dialog, screenOf } from "../tests/unstick/fake-claude.ts";
import { inputBox } from "./claude-box.ts";
import { CLAUDE_HOME, runsIn, sessionText } from "./claude-outside.ts";
import type { ClaudeParts, SimClaude } from "./claude-types.ts";
import { runHooks } from "./run-hooks.ts";

const OVERLOADED = {
	error: "overloaded",
	text: "API Error: 529 Overloaded. Please try again later.",
};

export function simClaude(parts: ClaudeParts, window: FakeWindow): SimClaude {
	const { doors, sessionId, pid } = parts;
	const { pane } = window;
	const { clock, files, proc } = doors;
	const transcript = `${CLAUDE_HOME}/projects/-nexus/${sessionId}.jsonl`;
	const sessionFile = `${CLAUDE_HOME}/sessions/${pid}.json`;
	const sent: { text: string; atMs: number }[] = [];
	const wrongs: string[] = [];
	const box = inputBox(parts.time.steadyMs);
	let dialog: Dialog | null = null;
	let dialogSinceMs = 0;
	let lines: readonly string[] = ["● Ready."];
	let busy = false;
	let busySinceMs = 0;
	let hung = false;
	let turn = 0;
	let isAlive = true;
	let queue: readonly string[] = [];
	/** When the usage comes back, in the program's own words and in fact. */
	let limit = { words: "", untilMs: 0 };
	const isLimited = () => parts.time.outsideMs() < limit.untilMs;
	let willCrash = false;

	const startTicks = runsIn(pane, parts);
	if (!files.has(transcript)) files.seed(transcript, "");

	const status = () => (dialog !== null ? "waiting" : busy ? "busy" : "idle");
	let told = "";
	const show = () => {
		window.activity = clock.now();
		pane.screen = screenOf({
			dialog,
			box: box.shown,
			busy,
			transcript: lines,
			records: true,
			answers: true,
		}).join("\n");
		if (!isAlive || told === status()) return;
		told = status();
		const facts = { pid, sessionId, startTicks, status: told, dialog };
		files.seed(sessionFile, sessionText(facts));
	};
	const record = (entry: Readonly<Record<string, unknown>>) => {
		const line = { sessionId, timestamp: iso(), ...entry };
		files.append(transcript, JSON.stringify(line));
	};
	const iso = () => new Date(clock.nowMs()).toISOString();
	const wrong = (what: string) =>
		wrongs.push(`${iso()} ${window.name}: ${what}`);

	const begin = (text: string, ms = parts.turnMs()) => {
		busy = true;
		busySinceMs = parts.time.steadyMs();
		const mine = ++turn;
		const end = () => {
			if (mine !== turn || !isAlive) return;
			if (hung || dialog !== null) return void clock.aside.after(1_000, end);
			busy = false;
			if (isLimited())
				return fails({
					error: "rate_limit",
					text: `You've hit your limit · resets ${limit.words}`,
				});
			if (willCrash) return fails(OVERLOADED);
			record({
				type: "assistant",
				message: {
					role: "assistant",
					content: [{ type: "text", text: "Done." }],
				},
			});
			runHooks(parts, parts.wiring.stop, { hook_event_name: "Stop" });
			parts.onTurn(text);
			lines = [...lines, "● Done."].slice(-12);
			const [next, ...rest] = queue;
			queue = rest;
			if (next !== undefined) begin(next);
			show();
		};
		clock.after(ms, end);
		show();
	};
	/** A turn that a limit or an error ended: StopFailure instead of Stop, and the rest of the queue with it. */
	const fails = (how: { readonly error: string; readonly text: string }) => {
		const { error, text } = how;
		willCrash = false;
		runHooks(parts, parts.wiring.failure, {
			hook_event_name: "StopFailure",
			error,
			last_assistant_message: text,
		});
		record({
			type: "assistant",
			isApiErrorMessage: true,
			error,
			message: { role: "assistant", content: [{ type: "text", text }] },
		});
		lines = [...lines, `  ⎿  ${text}`].slice(-12);
		queue = [];
		show();
	};
	const submit = () => {
		const { text } = box;
		if (text.trim() === "") return;
		const content = text.replaceAll("\t", "    ").trimEnd();
		sent.push({ text, atMs: clock.monoMs() });
		box.empty();
		lines = [...lines, `❯ ${content.split("\n")[0]}`].slice(-12);
		runHooks(parts, parts.wiring.prompt, {
			hook_event_name: "UserPromptSubmit",
			prompt: content,
		});
		if (busy) {
			record({ type: "queue-operation", operation: "enqueue", content });
			queue = [...queue, content];
		} else {
			record({
				type: "user",
				promptSource: "typed",
				message: { role: "user", content },
			});
			begin(content);
		}
		show();
	};
	pane.onKey = (key) => {
		if (!isAlive) return;
		if (dialog !== null) {
			if (!parts.mayPress(dialog, key) && box.isKnown(dialog, dialogSinceMs))
				wrong(`${key} pressed on a ${dialog.kind} dialog`);
			if (key === "Enter" || key === "Escape") dialog = null;
			show();
			return;
		}
		const draft = box.knownDraft();
		if (draft !== undefined)
			wrong(`${key} pressed on the draft '${draft.text}'`);
		if (key === "Enter") {
			if (box.hasUnseenPaste())
				wrong("Enter sent a paste that nobody had looked at");
			submit();
		} else if (key === "BSpace") box.empty();
		else if (key === "Escape" && busy) wrong("Escape ended a turn");
		else if (key.length === 1) box.put(key, "machine");
		show();
	};
	pane.onPaste = (text) => {
		if (!isAlive) return;
		const draft = box.knownDraft();
		if (draft !== undefined) wrong(`pasted into the draft '${draft.text}'`);
		// A dialog swallows a paste.
		if (dialog !== null) {
			if (box.isKnown(dialog, dialogSinceMs))
				wrong(`pasted into a ${dialog.kind} dialog`);
		} else box.put(text, "machine");
		show();
	};
	show();

	return {
		window,
		sessionId,
		pid,
		sent,
		wrongs,
		get isAlive() {
			return isAlive;
		},
		get dialog() {
			return dialog;
		},
		get box() {
			return box.text;
		},
		get neededSinceMs() {
			const since = [
				busy ? busySinceMs : null,
				dialog === null ? null : dialogSinceMs,
				box.draftSinceMs,
			].filter((ms) => ms !== null);
			return since.length === 0 ? null : Math.min(...since);
		},
		get answers() {
			return isAlive && !hung && dialog === null && !isLimited();
		},
		looked: () => box.looked(dialog),
		aimed: box.aimed,
		types: (text) => {
			if (!isAlive || dialog !== null) return;
			box.put(text, "person");
			show();
		},
		sends: () => {
			if (isAlive && dialog === null) submit();
		},
		erases: () => {
			box.erase();
			show();
		},
		asks: (next) => {
			if (!isAlive) return;
			dialog = next;
			dialogSinceMs = parts.time.steadyMs();
			show();
		},
		works: (ms) => {
			if (isAlive && !busy && dialog === null) begin("", ms);
		},
		hang: (isHung) => {
			hung = isHung;
		},
		hitsLimit: (words, ms) => {
			limit = { words, untilMs: parts.time.outsideMs() + ms };
		},
		crashes: () => {
			willCrash = true;
		},
		exits: () => {
			if (!isAlive) return;
			isAlive = false;
			proc.end(pid);
			files.remove(sessionFile);
			pane.dead = "1";
			pane.screen = "Pane is dead";
		},
		prints: (line) => {
			lines = [...lines, line].slice(-12);
			show();
		},
	};
}
