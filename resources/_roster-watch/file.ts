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

export function assemble(pictures: readonly Picture[]): CaptureFile {
	const lines: string[] = [];
	const sections = pictures.map((picture): Section => {
		lines.push(`=== ${picture.agent} ===`);
		const lineStart = lines.length + 1;
		lines.push(...picture.raw.replace(/\n$/, "").split("\n"));
		const lineEnd = lines.length;
		lines.push("");
		return { picture, lineStart, lineEnd };
	});
	return { text: `${lines.join("\n")}\n`, sections };
}
