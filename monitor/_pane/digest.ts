/** A number that changes when the transcript says something new (contract 03 §8). */
import { textAt } from "./rows.ts";
import type { Screen } from "./screen.ts";

/** Decimal, stable across processes; ticking timers and blinking hints do not move it. */
export function contentHash(screen: Screen): string {
	const { rows } = screen.grid;
	const kept: string[] = [];
	for (let i = screen.transcript.from; i < screen.transcript.to; i++) {
		const text = textAt(rows, i);
		if (!isBlinkingHint(text)) kept.push(text);
	}
	const text = kept
		.join("\n")
		.replace(/\d+/g, "")
		.replace(/[\s\u00a0]+/g, " ");
	return String(Bun.hash.crc32(text.trim()));
}

/** `◐ medium · /effort`, `ctrl+y to paste …`: shown at the right edge for a while, far from any text. */
function isBlinkingHint(text: string): boolean {
	return /^ {32,}\S/.test(text);
}
