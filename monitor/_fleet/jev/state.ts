/** What a classifier is shown of one pane (contract 09 §13). Types and their reading. */
import { isObject, textAt } from "../../_state/json-object.ts";
import type { CaptureDoc } from "../fleet.ts";

export interface PaneState {
	readonly agent: string;
	readonly runtime: string | null;
	readonly lines: readonly string[];
	/** Indices into `lines` of what the program only suggests. */
	readonly ghostLines: readonly number[];
	readonly composerText: string | null;
}

/** The document of a capture as it lies on the disk; null: none that can be trusted. */
export function paneStateOf(doc: unknown, agent: string): PaneState | null {
	if (!isObject(doc) || doc.ok !== true) return null;
	const { lines } = doc;
	const ghosts = doc.ghost_lines ?? [];
	if (!Array.isArray(lines) || !lines.every((l) => typeof l === "string"))
		return null;
	if (!Array.isArray(ghosts) || !ghosts.every(Number.isInteger)) return null;
	return {
		agent,
		runtime: textAt(doc, "runtime"),
		lines,
		ghostLines: ghosts,
		composerText: textAt(doc, "composer_text"),
	};
}

/** The last `count` lines of a document, as it lies on the disk; rows of padding at its end do not count. */
export function docJson(doc: CaptureDoc, count: number): object {
	const blank = doc.lines.findLastIndex((line) => line.trim() !== "") + 1;
	const from = Math.max(0, blank - count);
	const lines = doc.lines.slice(from, blank);
	return {
		agent: doc.agent,
		runtime: doc.runtime ?? null,
		ok: doc.ok,
		line_count: lines.length,
		footer: doc.footer && {
			model: doc.footer.model,
			ctx: doc.footer.ctx,
			ctx_used_pct: doc.footer.ctxUsedPct,
		},
		lines,
		ghost_lines: doc.ghostLines
			.map((at) => at - from)
			.filter((at) => at >= 0 && at < lines.length),
		...(doc.composerText === undefined
			? {}
			: { composer_text: doc.composerText }),
		...(doc.error === undefined ? {} : { error: doc.error }),
	};
}

/** The body's `state`. */
export function stateJson(state: PaneState): object {
	return {
		agent: state.agent,
		runtime: state.runtime,
		lines: state.lines,
		ghost_lines: state.ghostLines,
		composer_text: state.composerText,
	};
}
