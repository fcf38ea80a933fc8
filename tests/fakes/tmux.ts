/**
 * The `Tmux` door over a model in memory. Tests change the model between any two calls (`before`,
 * `after`), make calls fail, and read what arrived in a pane. Passes the same conformance suite as
 * the real tmux.
 */
import type {
	Clock,
	SessionRows,
	Tmux,
	TmuxCommand,
	TmuxFailure,
	TmuxResult,
} from "../../monitor/_sys/doors.ts";
import type { FakeFiles } from "./files.ts";
import { carryOut, gone, noServer } from "./tmux-commands.ts";
import {
	type FakePane,
	type FakeWindow,
	type Model,
	makeModel,
	screenRows,
} from "./tmux-model.ts";

export type TmuxCall =
	| { readonly op: "run"; readonly cmd: TmuxCommand }
	| { readonly op: "panes" }
	| { readonly op: "sessions" }
	| { readonly op: "globalEnvironment" }
	| { readonly op: "captureAll"; readonly ids: readonly string[] }
	| {
			readonly op: "capture";
			readonly id: string;
			readonly opts: { readonly escapes: boolean; readonly history?: number };
	  }
	| { readonly op: "exists"; readonly id: string }
	| { readonly op: "version" };

/** An op (`panes`), a command's kind (`paste-buffer`), or a test of the whole call. */
export type CallMatch = string | ((call: TmuxCall) => boolean);

export interface FakeTmux extends Tmux {
	readonly model: Model;
	readonly calls: TmuxCall[];
	/** Kinds of the commands that were run and the other ops, in order. */
	trace(): string[];
	/** A window with one pane, in the first session (made when there is none). */
	window(name: string, screen?: string): FakeWindow;
	byName(name: string): FakeWindow;
	/** Called before each call is carried out; it may change the model and may take (fake) time. */
	before(hook: (call: TmuxCall) => void | Promise<void>): () => void;
	after(hook: (call: TmuxCall) => void | Promise<void>): () => void;
	/** Matching calls fail so, `times` times (default: for ever). Returns the heal function. `hung` uses up the limit first. */
	fail(
		match: CallMatch,
		failure: TmuxFailure,
		times?: number,
		/** `late`: tmux did it all the same, only its answer was lost. */
		when?: "late",
	): () => void;
	/** Every fault ends. */
	heal(): void;
}

export const NO_TMUX: TmuxFailure = { kind: "no-tmux" };
export const HUNG: TmuxFailure = { kind: "hung" };
export const REFUSED: TmuxFailure = {
	kind: "failed",
	rc: 1,
	stderr: "server version is too old for client",
};
/** rc 0 and not one row: could not look. */
export const ZERO_ROWS: TmuxFailure = {
	kind: "failed",
	rc: 0,
	stderr: "no rows",
};

const HUNG_MS = 5000;

export function fakeTmux(files: FakeFiles, clock: Clock): FakeTmux {
	const model = makeModel(clock.now());
	const before = new Set<(call: TmuxCall) => void | Promise<void>>();
	const after = new Set<(call: TmuxCall) => void | Promise<void>>();
	const faults: {
		match: CallMatch;
		failure: TmuxFailure;
		left: number;
		late: boolean;
	}[] = [];

	async function call<T>(
		made: TmuxCall,
		signal: AbortSignal | undefined,
		act: () => T,
	): Promise<T | TmuxFailure> {
		if (signal?.aborted) return { kind: "aborted" };
		tmux.calls.push(made);
		for (const hook of before) await hook(made);
		const fault = faults.find((f) => f.left > 0 && matches(f.match, made));
		if (fault !== undefined) fault.left--;
		if (fault?.failure.kind === "hung") await clock.sleep(HUNG_MS, signal);
		if (signal?.aborted) return { kind: "aborted" };
		const done = fault === undefined || fault.late ? act() : null;
		const result = fault?.failure ?? done ?? HUNG;
		for (const hook of after) await hook(made);
		return result;
	}

	function capture(id: string): FakePane | TmuxFailure {
		const found = model.find(id);
		return found === null ? gone("pane", id) : found.pane;
	}

	const tmux: FakeTmux = {
		run: (cmd, signal) =>
			call({ op: "run", cmd }, signal, () => carryOut(tmux, files, cmd)),
		panes: (signal) =>
			call({ op: "panes" }, signal, () => {
				if (model.sessions.length === 0) return noServer();
				const rows = model.rows();
				return rows.length === 0 ? ZERO_ROWS : { kind: "ok" as const, rows };
			}),
		sessions: (options, signal) =>
			call({ op: "sessions" }, signal, (): SessionRows => {
				if (model.sessions.length === 0) return noServer();
				const rows = model.sessions.map(({ id, name, options: set }) => ({
					...{ sessionId: id, session: name, server: model.server },
					options: Object.fromEntries(
						options.map((option) => [option, set[option] ?? ""]),
					),
				}));
				return { kind: "ok", rows };
			}),
		globalEnvironment: (signal) =>
			call({ op: "globalEnvironment" }, signal, (): TmuxResult => {
				if (model.sessions.length === 0) return noServer();
				const pairs = Object.entries({ PATH: "/bin", ...model.environment });
				return { kind: "ok", stdout: lines(pairs.map((p) => p.join("="))) };
			}),
		captureAll: (ids, signal) =>
			call({ op: "captureAll", ids }, signal, () => {
				if (ids.length > 0 && model.sessions.length === 0) return noServer();
				const text = new Map<string, string>();
				for (const id of ids) {
					const found = model.find(id);
					if (found !== null) text.set(id, lines(screenRows(found.pane)));
				}
				return { kind: "ok" as const, text };
			}),
		capture: (id, opts, signal) =>
			call({ op: "capture", id, opts }, signal, (): TmuxResult => {
				const pane = capture(id);
				if ("kind" in pane) return pane;
				const above = opts.history ? pane.history.slice(-opts.history) : [];
				const text = lines([...above, ...screenRows(pane)]);
				return { kind: "ok", stdout: opts.escapes ? text : plain(text) };
			}),
		exists: async (id, signal) => {
			const found = await call({ op: "exists", id }, signal, () => {
				if (model.sessions.length === 0) return noServer();
				if (!/^[@%$]\d+$/.test(id)) return "unknown" as const;
				return model.find(id) === null ? ("no" as const) : ("yes" as const);
			});
			return typeof found === "string" ? found : "unknown";
		},
		version: (signal) =>
			call(
				{ op: "version" },
				signal,
				(): TmuxResult => ({
					kind: "ok",
					stdout: "tmux 3.3a\n",
				}),
			),
		model,
		calls: [],
		trace: () => tmux.calls.map((c) => (c.op === "run" ? c.cmd.kind : c.op)),
		window: (name, screen = "") => {
			const session = model.sessions[0] ?? model.session("main");
			const window = model.window(session, name);
			window.pane.screen = screen;
			return window;
		},
		byName: (name) => {
			for (const s of model.sessions)
				for (const { window } of s.windows)
					if (window.name === name) return window;
			throw new Error(`no window named ${name}`);
		},
		before: (hook) => {
			before.add(hook);
			return () => before.delete(hook);
		},
		after: (hook) => {
			after.add(hook);
			return () => after.delete(hook);
		},
		fail: (match, failure, times = Number.POSITIVE_INFINITY, when) => {
			const late = when === "late";
			const fault = { match, failure, left: times, late };
			faults.push(fault);
			return () => {
				fault.left = 0;
			};
		},
		heal: () => {
			faults.length = 0;
		},
	};
	return tmux;
}

function matches(match: CallMatch, call: TmuxCall): boolean {
	if (typeof match === "function") return match(call);
	return call.op === match || (call.op === "run" && call.cmd.kind === match);
}

function lines(rows: readonly string[]): string {
	return rows.map((row) => `${row}\n`).join("");
}
function plain(text: string): string {
	return text.replace(/\x1b\[[0-9;:]*m/g, "").replace(/[ ]+$/gm, "");
}
