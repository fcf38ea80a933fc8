/** Why a program ended in its pane, in its own words: tmux keeps a dead pane's screen, and a shell what ran in it. */
import type { Doors } from "../_sys/doors.ts";

/** How the program was started where a shell is: the words that were typed, and the row its next prompt stands in, from 0. */
export interface TypedStart {
	readonly command: string;
	readonly cursorY: number;
}

/** The last line that stands there; null when there is none, or nobody could look. `typed`: a shell shows what it says. */
export async function lastWords(
	{ tmux }: Pick<Doors, "tmux">,
	paneId: string,
	typed: TypedStart | null = null,
): Promise<string | null> {
	const shown = await tmux.capture(paneId, { escapes: false });
	if (shown.kind !== "ok") return null;
	const rows = shown.stdout.split("\n");
	const words = (typed === null ? rows : belowCommand(rows, typed))
		.map((row) => row.trim())
		.findLast((row) => row !== "" && !TMUX_NOTE.test(row));
	return words?.slice(0, LONGEST) ?? null;
}

const LONGEST = 200;
/** The row that tmux itself writes below them. */
const TMUX_NOTE = /^Pane is dead/;

/**
 * Pure. What stands below the command, without the shell's prompts. The next one need not look like the one before: fish,
 * and many a PS1, put the exit status into it. Yet the cursor waits in it.
 */
function belowCommand(
	rows: readonly string[],
	{ command, cursorY }: TypedStart,
): readonly string[] {
	const typedAt = rows.findLastIndex((row) => row.includes(command));
	const prompt = (rows[typedAt]?.split(command)[0] ?? "").trim();
	const next = rows[cursorY]?.trim() ?? "";
	// A prompt may have a row above the one that is typed in.
	const prompts = [prompt, rows[typedAt - 1]?.trim()];
	return rows.flatMap((row, at) => {
		if (at <= typedAt || prompts.includes(row.trim())) return [];
		if (at === cursorY) return withoutEnd(row.trim(), prompt);
		// What was typed before the shell asked stands above its prompt, and the words behind that.
		const isBehind = next !== "" && row.startsWith(`${next} `);
		return [isBehind ? row.slice(next.length) : row];
	});
}

/** What did not end its line has the prompt behind it; without one the whole row is the prompt. */
function withoutEnd(row: string, prompt: string): readonly string[] {
	return prompt !== "" && row.endsWith(prompt)
		? [row.slice(0, -prompt.length)]
		: [];
}
