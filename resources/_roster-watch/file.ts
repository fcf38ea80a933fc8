/** The capture file: everybody's picture under a heading (contract 09 §12.2 step 5). Pure. */
import type { Picture } from "./capture.ts";

export interface Section {
	readonly picture: Picture;
	/** Of the picture in the file, from 1; an empty picture ends before it starts. */
	readonly lineStart: number;
	readonly lineEnd: number;
}
export interface CaptureFile {
	readonly text: string;
	readonly sections: readonly Section[];
}

/** Lines are counted from 1, both ends included. */
export function assemble(pictures: readonly Picture[]): CaptureFile {
	const lines: string[] = [];
	const sections = pictures.map((picture): Section => {
		lines.push(`=== ${picture.agent} ===`);
		const lineStart = lines.length + 1;
		lines.push(...shownLines(picture));
		const lineEnd = lines.length;
		lines.push("");
		return { picture, lineStart, lineEnd };
	});
	return { text: `${lines.join("\n")}\n`, sections };
}

/** As it was, but for a line that would pass for one of the file's own; the archive keeps that, too, as it was. */
function shownLines({ kind, raw }: Picture): readonly string[] {
	const own = kind === "seen" ? HEAD_OR_VERDICT : HEAD;
	const lines = raw.replace(/\n$/, "").split("\n");
	return lines.map((line) => (own.test(line) ? `> ${line}` : line));
}

const HEAD = /^\s*===\s.*\s===\s*$/;
const HEAD_OR_VERDICT =
	/^\s*(?:===\s.*\s===\s*$|--- (?:CAPTURE FAILED|DEGRADED-KNOWN|SSH fallback failed) for )/;
