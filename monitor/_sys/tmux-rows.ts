/** The one listing of all panes: its format and its parser. Pure. */
import type { PaneRow } from "./doors.ts";
import { wholeNumber } from "./require-int.ts";

/**
 * Fields are separated by `|`, never TAB (some locales rewrite TAB to `_`). The two names come last,
 * because a name may hold anything, `|` included: the session's is measured (`n:` is its length in
 * bytes), the window's is the rest of the line.
 */
const FIELDS = [
	"session_id",
	"window_id",
	"window_index",
	"pane_id",
	"pane_index",
	"window_active",
	"pane_active",
	"pane_dead",
	"pane_pid",
	"pane_width",
	"pane_height",
	"cursor_x",
	"cursor_y",
	"window_bell_flag",
	"pid",
	"start_time",
	"window_activity",
	"n:session_name",
	"session_name",
	"window_name",
] as const;

export const PANE_FORMAT = FIELDS.map((f) => `#{${f}}`).join("|");

/** Number of fields in front of the names. */
const PLAIN = FIELDS.length - 2;

/**
 * All rows, or null when one cannot be read: then nobody looked. No window name can make a row
 * unreadable; only an answer of another shape can.
 */
export function parsePaneRows(stdout: string): readonly PaneRow[] | null {
	// An answer that was cut short does not end in a newline.
	if (stdout !== "" && !stdout.endsWith("\n")) return null;
	const rows: PaneRow[] = [];
	for (const line of stdout.split("\n").slice(0, -1)) {
		const row = parseRow(line);
		if (row === null) return null;
		rows.push(row);
	}
	return rows;
}

function parseRow(line: string): PaneRow | null {
	const parts = line.split("|");
	if (parts.length < FIELDS.length) return null;
	const text = (i: number) => parts[i] ?? "";
	const names = splitNames(parts.slice(PLAIN).join("|"), text(PLAIN - 1));
	const sessionId = text(0);
	const windowId = text(1);
	const paneId = text(3);
	const numbers = [2, 4, 9, 10, 11, 12, 14, 15].map((i) =>
		wholeNumber(text(i)),
	);
	if (!/^\$\d+$/.test(sessionId) || !/^@\d+$/.test(windowId)) return null;
	if (!/^%\d+$/.test(paneId) || names === null) return null;
	if (!numbers.every((n) => n !== null)) return null;
	const [
		windowIndex = 0,
		paneIndex = 0,
		width = 0,
		height = 0,
		cursorX = 0,
		cursorY = 0,
		pid = 0,
		startTime = 0,
	] = numbers;
	return {
		sessionId,
		session: names.session,
		windowId,
		windowIndex,
		paneId,
		paneIndex,
		windowActive: text(5) === "1",
		paneActive: text(6) === "1",
		paneDead: text(7),
		panePid: wholeNumber(text(8)),
		width,
		height,
		cursorX,
		cursorY,
		bell: text(13) === "1",
		server: { pid, startTime },
		windowActivity: wholeNumber(text(16)),
		windowName: names.window,
	};
}

function splitNames(
	rest: string,
	sessionLength: string,
): { session: string; window: string } | null {
	const bytes = Buffer.from(rest);
	const length = wholeNumber(sessionLength);
	if (length === null || bytes[length] !== "|".charCodeAt(0)) return null;
	return {
		session: bytes.subarray(0, length).toString(),
		window: bytes.subarray(length + 1).toString(),
	};
}
