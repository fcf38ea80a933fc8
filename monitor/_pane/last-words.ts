/** Why a program ended in its pane, in its own words: tmux keeps a dead pane's screen, and a shell what ran in it. */
import type { Doors } from "../_sys/doors.ts";

/** The last line that stands there; null when there is none, or nobody could look. `command`: what was typed into a shell to start it. */
export async function lastWords(
	{ tmux }: Pick<Doors, "tmux">,
	paneId: string,
	command: string | null = null,
): Promise<string | null> {
	const shown = await tmux.capture(paneId, { escapes: false });
	if (shown.kind !== "ok") return null;
	return wordsOn(shown.stdout.split("\n"), command);
}

const LONGEST = 200;
/** The row that tmux itself writes below them. */
const TMUX_NOTE = /^Pane is dead/;

/** Pure. Below a typed command the shell's next prompt is no word of the program's. */
function wordsOn(
	rows: readonly string[],
	command: string | null,
): string | null {
	const typedAt =
		command === null ? -1 : rows.findLastIndex((row) => row.includes(command));
	const prompt =
		command === null ? "" : (rows[typedAt]?.split(command)[0] ?? "").trim();
	const last = rows
		.slice(typedAt + 1)
		.map((row) => row.trim())
		.findLast(
			(row) =>
				row !== "" && !TMUX_NOTE.test(row) && (prompt === "" || row !== prompt),
		);
	return last?.slice(0, LONGEST) ?? null;
}
