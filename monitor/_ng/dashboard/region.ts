/** The part of the overview issue's text that is the dashboard (contract 05 §10.1). Pure. All else is the operator's, and survives byte for byte. */

export const START = "<!-- NEXUS_DASHBOARD_START -->";
export const END = "<!-- NEXUS_DASHBOARD_END -->";

export type Markers =
	| {
			readonly kind: "ok";
			/** Index of a line. */
			readonly start: number;
			readonly end: number;
	  }
	| { readonly kind: "refused"; readonly message: string };

/** Exactly one of each: with two pairs, every put once doubled the dashboard. */
export function findMarkers(body: string): Markers {
	const lines = body.split("\n");
	const at = (marker: string) =>
		lines.flatMap((line, i) => (line.includes(marker) ? [i] : []));
	const starts = at(START);
	const ends = at(END);
	const [start, moreStarts] = starts;
	const [end, moreEnds] = ends;
	if (start === undefined || end === undefined)
		return refused(
			`dashboard markers missing (START: ${starts.length}, END: ${ends.length})`,
		);
	if (moreStarts !== undefined || moreEnds !== undefined)
		return refused(
			`dashboard markers not unique: START ${starts.length} (${lineList(starts)}), END ${ends.length} (${lineList(ends)}); repair the issue's text by hand`,
		);
	return start < end
		? { kind: "ok", start, end }
		: refused(
				`dashboard markers are in the wrong order: START in line ${start + 1}, END in line ${end + 1}; repair the issue's text by hand`,
			);
}

/** Either of the two: a middle that holds one would end the region early. */
export function hasMarker(text: string): boolean {
	return text.includes(START) || text.includes(END);
}

/** The text strictly between the markers' lines; empty, or with its line end. */
export function middleOf(
	body: string,
	{ start, end }: Extract<Markers, { kind: "ok" }>,
): string {
	const lines = body.split("\n").slice(start + 1, end);
	return lines.map((line) => `${line}\n`).join("");
}

/** Everything outside the markers survives byte for byte. */
export function splice(
	body: string,
	{ start, end }: Extract<Markers, { kind: "ok" }>,
	middle: string,
): string {
	const lines = body.split("\n");
	const text = middle.endsWith("\n") ? middle.slice(0, -1) : middle;
	return [...lines.slice(0, start + 1), text, ...lines.slice(end)].join("\n");
}

/** Line ends as a browser makes them, and a last newline, make no difference. */
export function sameMiddle(a: string, b: string): boolean {
	const plain = (text: string) => text.replaceAll("\r", "").replace(/\n$/, "");
	return plain(a) === plain(b);
}

function lineList(indexes: readonly number[]): string {
	return `line ${indexes.map((i) => i + 1).join(", ")}`;
}

function refused(message: string): Markers {
	return { kind: "refused", message };
}
