/** Dialogs that an Enter would answer: trust gates and selections (contract 09 §8). Pure; the whole pane counts. */
import { withoutCsi } from "./window.ts";

const NEAR = 400;
const FRAME = "[ \\t│┃]*";
const YES_NO = new RegExp(
	`^${FRAME}(?<cursor>❯[ \\t]*)?(?<number>\\d+[.)][ \\t]*)?(?<word>Yes|No)(?!\\w)`,
);
const CHOSEN = new RegExp(`^${FRAME}❯[ \\t]*\\d+[.)]`);
const NUMBERED = new RegExp(`^${FRAME}(?:❯[ \\t]*)?\\d+[.)][ \\t]`);
const FOOTER = /^(?:Enter to confirm|Enter to select)\b.*Esc to cancel/;

/** Renders at the top of an otherwise empty screen. */
export function isTrustGate(runtime: string, pane: string): boolean {
	const text = plain(pane);
	if (
		runtime === "codex" &&
		text.includes("Do you trust the contents of this directory")
	)
		return true;
	if (
		runtime === "claude" &&
		/Quick safety check[\s\S]{0,500}?trust this folder/.test(text)
	)
		return true;
	return asksYesOrNoOnTrust(text);
}

/** Two numbered rows and a chosen one, or a footer that names the keys. */
export function isSelectionPrompt(pane: string): boolean {
	const lines = plain(pane).split("\n");
	const options = lines.filter((line) => NUMBERED.test(line)).length;
	if (options >= 2 && lines.some((line) => CHOSEN.test(line))) return true;
	const last = lines.findLast((line) => line.trim() !== "") ?? "";
	return FOOTER.test(last.trim());
}

/** Two neighbouring options, one yes, one no, and the word `trust` near by. */
function asksYesOrNoOnTrust(text: string): boolean {
	const lines = text.split("\n");
	let at = 0;
	for (const [i, line] of lines.entries()) {
		const next = lines[i + 1] ?? "";
		const end = at + line.length + 1 + next.length;
		if (isYesNoPair(line, next)) {
			const near = text.slice(Math.max(0, at - NEAR), end + NEAR);
			if (/\btrust/i.test(near)) return true;
		}
		at += line.length + 1;
	}
	return false;
}

function isYesNoPair(first: string, second: string): boolean {
	const a = YES_NO.exec(first)?.groups;
	const b = YES_NO.exec(second)?.groups;
	if (a === undefined || b === undefined || a.word === b.word) return false;
	const numbered = a.number !== undefined && b.number !== undefined;
	return numbered || a.cursor !== undefined || b.cursor !== undefined;
}

function plain(pane: string): string {
	return withoutCsi(pane).replaceAll("\r\n", "\n");
}
