/** How much of a pane may leave the machine (contract 09 §13). Pure. */
import type { PaneState } from "./state.ts";

const MAX_LINES = 30;
const MAX_COLUMNS = 140;

export interface Bounded {
	readonly state: PaneState;
	/** Something was dropped or clipped: what is left may not be the whole truth. */
	readonly truncated: boolean;
}

/** The last lines, each cut to so many columns; suggestions keep their lines. */
export function boundState(state: PaneState): Bounded {
	const dropped = Math.max(0, state.lines.length - MAX_LINES);
	const kept = state.lines.slice(dropped);
	const lines = kept.map(clip);
	const ghostLines = state.ghostLines
		.map((at) => at - dropped)
		.filter((at) => at >= 0 && at < lines.length);
	const composerText =
		state.composerText === null ? null : boundText(state.composerText);
	return {
		state: { ...state, lines, ghostLines, composerText },
		truncated:
			dropped > 0 ||
			lines.some((line, n) => line !== kept[n]) ||
			composerText !== state.composerText,
	};
}

function boundText(text: string): string {
	return text.split("\n").slice(-MAX_LINES).map(clip).join("\n");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A wide character takes two columns, a combining one none. */
function clip(line: string): string {
	if (Bun.stringWidth(line) <= MAX_COLUMNS) return line;
	let columns = 0;
	let cut = "";
	for (const { segment } of graphemes.segment(line)) {
		columns += Bun.stringWidth(segment);
		if (columns > MAX_COLUMNS) break;
		cut += segment;
	}
	return cut;
}
