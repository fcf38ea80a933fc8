/** Fingerprints of dialogs in captured text: is this the one that was seen before? (contract 04 §8.2). Pure. */
import { createHash } from "node:crypto";
import { PERMISSION_MENU } from "./menu.ts";
import { type PermissionPrompt, withoutCountdown } from "./permission.ts";

/** Of permission prompts and the rate-limit menu. All prompts with the same options share one. */
export function menuFingerprint(rows: readonly string[]): string {
	return hash(rows.filter((row) => MENU_ROWS.some((r) => r.test(row))));
}

/** Of a question dialog. The question's own rows part two dialogs with equal options. */
export function questionFingerprint(rows: readonly string[]): string {
	return hash(rows.filter((row) => QUESTION_ROWS.some((r) => r.test(row))));
}

/** Of a question dialog, wherever its cursor stands and whatever is ticked: keys in the middle of an answer change both. */
export function askedFingerprint(rows: readonly string[]): string {
	const still = rows.map((row) =>
		row.replace("❯", " ").replace(/\[[ ✔✓xX]\]/, "[ ]"),
	);
	return questionFingerprint(still.map((row) => row.trimEnd()));
}

/**
 * Of a permission prompt with what it asks for: records of refused prompts must not silence each
 * other. A blinking bullet and a countdown leave it unchanged.
 */
export function promptFingerprint(rows: readonly string[]): string {
	const title = PERMISSION_MENU.title(rows)?.to ?? -1;
	if (title < 0) return hash([]);
	const near = rows.slice(Math.max(0, title - 12), title + 7);
	return hash(
		near.map((row) => withoutCountdown(row.replace(/^(\s*)[●⏺]/, "$1 "))),
	);
}

/**
 * Of what a prompt asks for alone, without anything that stands around it. Null when its top is out
 * of sight: then the rows above it may be anybody's.
 */
export function requestFingerprint(prompt: PermissionPrompt): string | null {
	return prompt.isWhole ? hash([...prompt.body, prompt.question]) : null;
}

/** Of a start-up dialog: its rows as they stand, the cursor left out. */
export function dialogFingerprint(rows: readonly string[]): string {
	return hash(
		rows.map((row) => row.replace("❯", " ").trim()).filter((row) => row !== ""),
	);
}

const OPTION_ROWS: readonly RegExp[] = [/❯\s+\d+\./, /^\s*\d+\.\s/];
const MENU_ROWS: readonly RegExp[] = [
	/Do you want to proceed\?/,
	/\bDo you want to .*\?\s*$/,
	/What do you want to do\?/,
	/Stop and wait for limit/,
	...OPTION_ROWS,
];
const QUESTION_ROWS: readonly RegExp[] = [
	/Type something\./,
	/Chat about this/,
	/\?\s*$/,
	...OPTION_ROWS,
];

/** First 12 hex of the SHA-1 over the rows, each with its line end. */
function hash(rows: readonly string[]): string {
	const text = rows.map((row) => `${row}\n`).join("");
	return createHash("sha1").update(text).digest("hex").slice(0, 12);
}
