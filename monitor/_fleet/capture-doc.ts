/** A pane as lines, with what is only suggested and what the footer says (contract 09 §6.3). Pure. */
import type { Grid, Row } from "../_pane/grid.ts";
import type { CaptureDoc, CaptureFooter } from "./fleet.ts";

const FOOTER_LINES = 8;
/** The composer's chevron; a no-break space or nothing follows it. */
const COMPOSER = /^[ \u2502]*❯(?:[ \u00a0]|$)/;

/**
 * Not `ok` when the pane shows nothing at all. Ghost lines are indexes into `lines`; a suggestion in the composer is
 * `composerText`.
 */
export function captureDocOf(
	agent: string,
	runtime: string | undefined,
	grid: Grid,
): CaptureDoc {
	const { rows } = grid;
	const lines = rows.map((row) => row.text);
	if (lines.every((line) => line.trim() === ""))
		return emptyDoc(agent, "empty output");
	const composer = rows.findLast(({ text }) => COMPOSER.test(text));
	const ghost = composer === undefined ? "" : dimText(composer);
	return {
		agent,
		runtime,
		ok: true,
		lines,
		lineCount: lines.length,
		footer: readFooter(lines),
		ghostLines: rows.flatMap((row, i) => (isGhost(row) ? [i] : [])),
		...(ghost === "" ? {} : { composerText: ghost }),
	};
}

/** Not `ok`, with the reason. */
export function emptyDoc(agent: string, error: string): CaptureDoc {
	return {
		agent,
		ok: false,
		lines: [],
		lineCount: 0,
		footer: null,
		ghostLines: [],
		error,
	};
}

/** The cells `Model:`, `Ctx:` and `Ctx Used:` of the status line; on the real one a no-break space follows the colon. */
export function readFooter(lines: readonly string[]): CaptureFooter | null {
	const cells = lines
		.slice(-FOOTER_LINES)
		.flatMap((line) => line.replaceAll("\u00a0", " ").split("|"));
	const cell = (name: string): string | undefined =>
		cells
			.map((text) => text.trim())
			.findLast((text) => text.startsWith(`${name}:`))
			?.slice(name.length + 1)
			.trim();
	const model = cell("Model");
	const ctx = cell("Ctx");
	const used = /^(\d+(?:\.\d+)?)\s*%?/.exec(cell("Ctx Used") ?? "")?.[1];
	if (model === undefined && ctx === undefined && used === undefined)
		return null;
	return {
		...(model === undefined ? {} : { model }),
		...(ctx === undefined ? {} : { ctx }),
		...(used === undefined ? {} : { ctxUsedPct: Number(used) }),
	};
}

/** Every visible cell is dim: the program suggests it, nobody said it. */
function isGhost(row: Row): boolean {
	return row.text.trim() !== "" && visible(row).every(({ dim }) => dim);
}

/** Of the composer's row, behind the chevron: the dim part. */
function dimText(row: Row): string {
	return visible(row)
		.filter(({ dim, text }) => dim && text !== "❯")
		.map(({ text }) => text)
		.join("")
		.trim();
}

function visible(
	row: Row,
): readonly { readonly text: string; readonly dim: boolean }[] {
	return row.runs.flatMap(({ start, end, style }) => {
		const text = row.text.slice(start, end);
		return text.trim() === "" ? [] : [{ text, dim: style.dim }];
	});
}
