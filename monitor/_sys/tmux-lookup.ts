/** Names to ids by exact comparison in our own rows (contract 04 §4.1). Pure; only `absent` is a "no". */
import type { PaneRow, PaneRows, TmuxFailure, TmuxServer } from "./doors.ts";

export type Lookup<T> =
	| { readonly kind: "present"; readonly value: T }
	/** tmux answered, and no window has this name. */
	| { readonly kind: "absent" }
	/** There is no name to ask for. */
	| { readonly kind: "cannot-ask" }
	/** No tmux, a failed query, an unreadable row, or not one row. */
	| { readonly kind: "could-not-look"; readonly why: string };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Why `name` is no window name, or null when it is one. Dots are allowed on purpose. */
export function validateWindowName(name: string): string | null {
	if (name === "") return "the window name is empty";
	if (/[\0-\x1f\x7f-\x9f]/.test(name))
		return "the window name holds a control character";
	if (!NAME.test(name))
		return "a window name starts with a letter or digit and holds only letters, digits, `.`, `_` and `-`";
	return null;
}

/** `@N` of the first window with exactly this name. */
export function resolveWindowId(rows: PaneRows, name: string): Lookup<string> {
	return resolve(rows, name, (row) => row.windowId);
}

/** Index of the first window with exactly this name. */
export function resolveWindowIndex(
	rows: PaneRows,
	name: string,
): Lookup<number> {
	return resolve(rows, name, (row) => row.windowIndex);
}

/** The active pane's row of the first window with exactly this name. */
export function resolveActivePane(
	rows: PaneRows,
	name: string,
): Lookup<PaneRow> {
	const id = resolveWindowId(rows, name);
	if (id.kind !== "present" || rows.kind !== "ok")
		return id.kind === "present" ? { kind: "absent" } : id;
	const row = rows.rows.find((r) => r.windowId === id.value && r.paneActive);
	return row === undefined
		? { kind: "could-not-look", why: `no active pane in ${id.value}` }
		: { kind: "present", value: row };
}

/** Exit code of a look-up: 0 present, 1 absent, 2 cannot ask, 3 could not look. From 2 on, do not act. */
export function lookupExitCode(lookup: Lookup<unknown>): 0 | 1 | 2 | 3 {
	const codes = {
		present: 0,
		absent: 1,
		"cannot-ask": 2,
		"could-not-look": 3,
	} as const;
	return codes[lookup.kind];
}

/** Ids count only on the server that gave them (contract 00 C1). */
export function sameServer(a: TmuxServer, b: TmuxServer): boolean {
	return a.pid === b.pid && a.startTime === b.startTime;
}

function resolve<T>(
	rows: PaneRows,
	name: string,
	pick: (row: PaneRow) => T,
): Lookup<T> {
	if (name === "") return { kind: "cannot-ask" };
	if (rows.kind !== "ok")
		return { kind: "could-not-look", why: tmuxFailureText(rows) };
	if (rows.rows.length === 0)
		return { kind: "could-not-look", why: "tmux listed no pane at all" };
	const row = rows.rows.find((r) => r.windowName === name);
	return row === undefined
		? { kind: "absent" }
		: { kind: "present", value: pick(row) };
}

/** Why tmux gave no answer, in words. */
export function tmuxFailureText(failure: TmuxFailure): string {
	switch (failure.kind) {
		case "no-tmux":
			return "tmux is not installed";
		case "hung":
			return "tmux did not answer in time";
		case "aborted":
			return "the question was aborted";
		case "failed":
			return failure.stderr || `tmux exited ${failure.rc}`;
	}
}
