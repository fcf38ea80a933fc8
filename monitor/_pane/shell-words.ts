/** Shell text cut into commands and words, roughly: for patterns that look for danger, not for running it. */

/**
 * Commands as lists of words. Quotes are blanks here, so that what `sh -c "…"` would run is seen
 * too; redirections are left out.
 */
export function shellCommands(text: string): readonly (readonly string[])[] {
	return text
		.replace(/\\\n/g, " ")
		.split(/[\n;&|()`]+/)
		.map((command) =>
			command
				.replace(/\d*[<>]+&?\s*\S+/g, " ")
				.replace(/["']/g, " ")
				.split(/\s+/)
				.filter((word) => word !== ""),
		)
		.filter((words) => words.length > 0);
}

/** Arguments of each call of a program, by its name or a path to it. */
export function callsOf(
	commands: readonly (readonly string[])[],
	program: string,
): readonly (readonly string[])[] {
	return commands.flatMap((words) =>
		words.flatMap((word, i) =>
			programOf(word) === program ? [words.slice(i + 1)] : [],
		),
	);
}

/** `/usr/bin/rm` and `\rm` are `rm`. */
export function programOf(word: string): string {
	return word.replace(/^\\/, "").replace(/^.*\//, "");
}
