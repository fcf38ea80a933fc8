/**
 * The real `Tmux` door; with its neighbours `tmux-*.ts` the only code that starts tmux. The socket
 * comes from the environment (`TMUX`, `TMUX_TMPDIR`). Every call has its own limit, and an empty
 * answer with exit code 0 is "could not look" (contract 00 R3).
 */
import type {
	Captures,
	ExecResult,
	PaneRows,
	Proc,
	Random,
	Tmux,
	TmuxFailure,
	TmuxResult,
} from "./doors.ts";
import { captureScript, splitCaptures } from "./tmux-captures.ts";
import { buildCommand } from "./tmux-commands.ts";
import { PANE_FORMAT, parsePaneRows } from "./tmux-rows.ts";
import { parseSessionRows, sessionFormat } from "./tmux-sessions.ts";

const DEFAULT_LIMIT_MS = 5000;
/** A screen of 200 by 50 with colours is some 20 KB; 64 MiB is room for thousands. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface TmuxOptions {
	readonly limitMs?: number;
	/** Complete environment of the client; default: our own. */
	readonly env?: Readonly<Record<string, string>>;
}

/**
 * `limitMs` bounds each client; `env` picks another server. `random` marks the captures of one client apart from what
 * a pane may print.
 */
export function realTmux(
	proc: Pick<Proc, "exec">,
	random: Pick<Random, "hex">,
	opts: TmuxOptions = {},
): Tmux {
	async function client(
		words: readonly string[],
		signal?: AbortSignal,
		stdin?: string,
	): Promise<ExecResult> {
		// -u: without it a client in a C locale gets `_` for every letter beyond ASCII.
		return proc.exec(["tmux", "-u", ...words], {
			timeoutMs: opts.limitMs ?? DEFAULT_LIMIT_MS,
			maxBytes: MAX_BYTES,
			signal,
			stdin,
			env: opts.env,
		});
	}

	async function query(
		words: readonly string[],
		signal?: AbortSignal,
	): Promise<TmuxResult> {
		return answered(succeeded(await client(words, signal)));
	}

	/** Text of each pane that could be captured, by one client. */
	async function captureOnce(
		ids: readonly string[],
		signal?: AbortSignal,
	): Promise<Captures> {
		const nonce = `nx${random.hex(24)}`;
		const script = captureScript(ids, nonce);
		const done = await client(["source-file", "-"], signal, script);
		// rc 1 only says that one of the panes is gone; the end mark says that all were asked.
		const text =
			done.kind === "exited" ? splitCaptures(done.stdout, ids, nonce) : null;
		if (text !== null) return { kind: "ok", text };
		const failure = succeeded(done);
		return failure.kind === "ok"
			? unbelievable("the captures were cut short")
			: failure;
	}

	return {
		run: async (cmd, signal) => {
			const built = buildCommand(cmd);
			if (built.kind === "refused")
				return { kind: "failed", rc: 1, stderr: `refused: ${built.why}` };
			const done = succeeded(await client(built.argv, signal));
			return built.prints ? answered(done) : done;
		},
		panes: async (signal): Promise<PaneRows> => {
			// A client that somebody ended exits 0 with what it has printed so far; a window that is left out would pass for gone.
			const end = `nx${random.hex(12)}`;
			const list = ["list-panes", "-a", "-F", PANE_FORMAT];
			const told = ["display-message", "-p", end];
			const done = await query([...list, ";", ...told], signal);
			if (done.kind !== "ok") return done;
			const listed = beforeEnd(done.stdout, end);
			if (listed === null) return unbelievable("list-panes was cut short");
			const rows = parsePaneRows(listed);
			return rows === null
				? unbelievable("a row of list-panes cannot be read")
				: { kind: "ok", rows };
		},
		sessions: async (options, signal) => {
			const format = sessionFormat(options);
			const done = await query(["list-sessions", "-F", format], signal);
			if (done.kind !== "ok") return done;
			const rows = parseSessionRows(done.stdout, options);
			return rows === null
				? unbelievable("a row of list-sessions cannot be read")
				: { kind: "ok", rows };
		},
		globalEnvironment: (signal) => query(["show-environment", "-g"], signal),
		captureAll: async (paneIds, signal) => {
			const ids = paneIds.filter((id) => /^%\d+$/.test(id));
			if (ids.length === 0) return { kind: "ok", text: new Map() };
			const first = await captureOnce(ids, signal);
			if (first.kind !== "ok") return first;
			const missing = ids.filter((id) => !first.text.has(id));
			if (missing.length === 0) return first;
			// A pane that died in between left no rows; it may also have been respawned.
			const again = await captureOnce(missing, signal);
			if (again.kind !== "ok") return first;
			return { kind: "ok", text: new Map([...first.text, ...again.text]) };
		},
		version: (signal) => query(["-V"], signal),
		capture: async (paneId, { escapes, history }, signal) => {
			if (!/^%\d+$/.test(paneId))
				return unbelievable(`refused: not a pane id: ${paneId}`);
			const words = [
				"capture-pane",
				"-p",
				...(escapes ? ["-e", "-N"] : ["-J"]),
			];
			if (history !== undefined) words.push("-S", `-${history}`);
			return query([...words, "-t", paneId], signal);
		},
		exists: async (id, signal) => {
			if (!/^[@%$]\d+$/.test(id)) return "unknown";
			const format = "#{session_id} #{window_id} #{pane_id}";
			const words = ["list-panes", "-t", id, "-F", format];
			const done = await query(words, signal);
			if (done.kind === "ok")
				return done.stdout.split(/\s/).includes(id) ? "yes" : "unknown";
			const denied =
				done.kind === "failed" &&
				/^can't find (pane|window|session)/m.test(done.stderr);
			return denied ? "no" : "unknown";
		},
	};
}

function succeeded(done: ExecResult): TmuxResult {
	switch (done.kind) {
		case "exited":
			return done.rc === 0
				? { kind: "ok", stdout: done.stdout }
				: { kind: "failed", rc: done.rc, stderr: done.stderr.trim() };
		case "not-found":
			return { kind: "no-tmux" };
		case "timeout":
			return { kind: "hung" };
		case "aborted":
			return done;
		case "failed":
			return { kind: "failed", rc: -1, stderr: done.reason };
	}
}

/** Null without the end mark, and without anything before it. */
function beforeEnd(stdout: string, end: string): string | null {
	const tail = `${end}\n`;
	const isWhole = stdout.endsWith(tail) && stdout !== tail;
	return isWhole ? stdout.slice(0, -tail.length) : null;
}

/** A query that is answered with nothing was not answered: so a client ended from outside looks. */
function answered(done: TmuxResult): TmuxResult {
	return done.kind === "ok" && done.stdout === ""
		? unbelievable("tmux answered with nothing")
		: done;
}

function unbelievable(stderr: string): TmuxFailure {
	return { kind: "failed", rc: 0, stderr };
}
