/** Words in a comment that decide whether it is for us (contract 02 §8.1, §10). Pure; each takes time in proportion to the text. */
import { withoutBot } from "./emit-block-target.ts";

/** Whether `@<handle>` stands in the text as a word of its own. A handle may be an App's, with or without `[bot]`; without one nobody is meant. */
export function mentions(text: string, handle: string): boolean {
	const name = withoutBot(handle);
	if (name === "") return false;
	return new RegExp(
		`(?:^|[^A-Za-z0-9_])@${RegExp.escape(name)}(?:[^A-Za-z0-9_-]|$)`,
		"i",
	).test(text);
}

/** Whether its author asks not to be heard. What is ambiguous does not ask. */
export function asksToSkip(text: string): boolean {
	return (
		text.includes("<!-- nexus:skip -->") ||
		/^\s*\/(?:nexus-)?skip(?:\s|$)/i.test(text)
	);
}
