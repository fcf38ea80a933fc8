/** Is a permission prompt on this pane, and may it be typed into? (contract 09 §8). Pure. */
import { isSelectionPrompt, isTrustGate } from "./permission/gates.ts";
import { PATTERNS, type Pattern } from "./permission/patterns.ts";
import { promptWindow } from "./permission/window.ts";

export { isSelectionPrompt, isTrustGate } from "./permission/gates.ts";

/**
 * What the watcher's own reader sees on a claude pane: the question of a live permission dialog, or null. It also reads
 * what a narrow pane wrapped.
 */
export type ReadQuestion = (pane: string) => string | null;

/** The first pattern of the runtime on the pane's last lines; null for an unknown runtime or an empty pane. */
export function detectPermission(
	runtime: string,
	pane: string,
	readQuestion?: ReadQuestion,
): Pattern | null {
	const text = promptWindow(pane);
	if (text === "") return null;
	const own = PATTERNS.filter((pattern) => pattern.runtime === runtime);
	const found = own.find((pattern) => matchAt(pattern, text) !== null);
	if (found !== undefined) return found;
	const question = runtime === "claude" ? readQuestion?.(pane) : undefined;
	if (!question) return null;
	const asked = (p: Pattern) => p.line.test(question);
	return own.find(asked) ?? own[0] ?? null;
}

/** Comma sequence that says no. Never a guess at `2`: in the prompt with two options it is a grant for the session. */
export function denyKeyFor(pattern: Pattern, pane: string): string {
	if (pattern.cancel !== "by-shape") return pattern.cancel;
	const text = promptWindow(pane);
	// A numbered list above the question is no option of it.
	const dialog = text.slice(matchAt(pattern, text) ?? 0);
	if (/^[ \t]*(?:❯[ \t]*)?3\./m.test(dialog)) return "3";
	if (/^[ \t]*(?:❯[ \t]*)?2\.[ \t]*No(?!\w)/m.test(dialog)) return "2";
	return "Escape";
}

/** Typing into an open dialog answers it: a nudge's Enter once took a human's decision. */
export function isPaneSafeToType(
	runtime: string,
	pane: string,
	readQuestion?: ReadQuestion,
): boolean {
	return (
		detectPermission(runtime, pane, readQuestion) === null &&
		!isTrustGate(runtime, pane) &&
		!isSelectionPrompt(pane)
	);
}

/** Where the pattern's last match starts, or null. */
function matchAt(pattern: Pattern, text: string): number | null {
	const lines = new RegExp(pattern.line, "gm");
	let found: number | null = null;
	for (const match of text.matchAll(lines)) {
		const end = match.index + match[0].length;
		if (isFollowed(pattern, text.slice(end))) found = match.index;
	}
	return found;
}

function isFollowed({ followed }: Pattern, rest: string): boolean {
	if (followed === undefined) return true;
	const near = rest.slice(0, followed.within);
	return followed.anyOf.some((all) => all.every((one) => one.test(near)));
}
