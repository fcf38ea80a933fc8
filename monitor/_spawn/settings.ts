/** Settings that we hand to Claude Code (contract 08 §1): a template in the checkout, rendered with absolute paths. Pure. */

/**
 * Puts the paths of bun and of the checkout in the place of `@BUN@` and `@ROOT@`. The marks stand inside double quotes of
 * a shell command inside a JSON string: a path is escaped for both.
 */
export function renderSettings(
	template: string,
	bun: string,
	root: string,
): string {
	return template
		.replaceAll("@BUN@", () => quoted(bun))
		.replaceAll("@ROOT@", () => quoted(root));
}

function quoted(path: string): string {
	const inShell = path.replace(/["$`\\]/g, "\\$&");
	return JSON.stringify(inShell).slice(1, -1);
}
