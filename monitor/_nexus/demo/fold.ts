/** A section that an earlier emit had word for word is named instead of shown again: five emits are to be read at a glance. Pure. */

const HEADER = /^--- [a-z][a-z ()-]* ---$/;

/** The lines of each body, in order; a repeated section keeps its header. */
export function foldRepeated(
	bodies: readonly string[],
): readonly (readonly string[])[] {
	const firstSeen = new Map<string, number>();
	return bodies.map((body, at) =>
		sectionsOf(body.trimEnd().split("\n")).flatMap((lines) => {
			const text = lines.join("\n");
			const seenAt = firstSeen.get(text);
			const [header = "", ...rest] = lines;
			const isWorthFolding = HEADER.test(header) && rest.length > 1;
			if (seenAt !== undefined && seenAt !== at && isWorthFolding)
				return [header, `(as in emit ${seenAt + 1})`];
			if (seenAt === undefined) firstSeen.set(text, at);
			return lines;
		}),
	);
}

function sectionsOf(lines: readonly string[]): readonly (readonly string[])[] {
	const sections: string[][] = [];
	for (const line of lines) {
		const open = sections.at(-1);
		// The signature ends the last one, and is nobody's.
		const isNew = HEADER.test(line) || line.startsWith("--- nexus-emit-sig ");
		if (open === undefined || isNew) sections.push([line]);
		else open.push(line);
	}
	return sections;
}
