/** The words of issues and values (contract 07 §4, §6.2, §6.3). Pure; where they are printed is the caller's. */
import type { ConfigIssue } from "./issues.ts";
import { plainNumber } from "./numbers.ts";
import { expandHome } from "./texts.ts";
import { leavesOf } from "./tree.ts";

export const REDACTED = "(redacted)";
const GOT_LIMIT = 60;

/** `config: <path>:<line>:<col>: <key>: expected <what>, got <value>`. */
export function issueLine(path: string, issue: ConfigIssue): string {
	if (issue.env !== undefined)
		return inOneLine(`config: env ${issue.env}: ${issue.message}`);
	const place = [path, issue.line, issue.col].filter((p) => p !== undefined);
	const key = issue.key === "" ? "" : `${issue.key}: `;
	return inOneLine(`config: ${place.join(":")}: ${key}${issue.message}`);
}

/** A warning names the line alone: `config: <path>:<line>: <message>`. */
export function warningLine(path: string, warning: ConfigIssue): string {
	if (warning.env !== undefined)
		return inOneLine(`config: env ${warning.env}: ${warning.message}; ignored`);
	const place = [path, warning.line].filter((p) => p !== undefined);
	return inOneLine(`config: ${place.join(":")}: ${warning.message}`);
}

/** The §6.2 lines of an unusable file, the summary last. */
export function issueLines(
	path: string,
	issues: readonly ConfigIssue[],
): readonly string[] {
	return [
		...issues.map((issue) => issueLine(path, issue)),
		`config: ${issues.length} problem(s); nothing was started`,
	];
}

/** `<who>: no config found; tried: …` */
export function notFoundLine(who: string, tried: readonly string[]): string {
	return `${who}: no config found; tried: ${tried.join(", ")}`;
}

/** Whether a key names something that must not be shown: a key, token, secret or password. */
export function isSecret(key: string): boolean {
	return /(_key|_token|_secret|password)$/i.test(key);
}

/** The value of an issue: JSON, cut, and never a secret. */
export function printGot(key: string, value: unknown): string {
	if (isSecret(key)) return REDACTED;
	const json = withoutLogins(safeJson(value));
	return json.length > GOT_LIMIT ? `${json.slice(0, GOT_LIMIT)}…` : json;
}

/** A value as `load` prints it: plain text, plain numbers, compact JSON for mappings and lists. */
export function printValue(value: unknown, home: string): string {
	if (typeof value === "object" && value !== null) return JSON.stringify(value);
	return printScalar(value, home);
}

/** One `key=value` line per leaf, in file order; safe to paste. */
export function dump(tree: unknown, home: string): readonly string[] {
	return [...leavesOf(tree)].map(({ key, value }) =>
		inOneLine(`${key}=${printSafely(key, value, home)}`),
	);
}

/** As `printValue`, without what must not be shown. */
export function printSafely(key: string, value: unknown, home: string): string {
	if (isSecret(key)) return REDACTED;
	if (typeof value === "object" && value !== null)
		return withoutLogins(safeJson(value));
	return withoutLogins(printScalar(value, home));
}

/** `https://user:pass@host` without its first part, in whatever key it stands. */
function withoutLogins(text: string): string {
	return text.replace(/(:\/\/)[^\s/?#"]+@/g, `$1${REDACTED}@`);
}

/** A key or value of a file may hold a line break, or what steers a terminal: shown as JSON writes it. */
export function inOneLine(text: string): string {
	return text.replace(
		/[\0-\x1f\x7f-\x9f]/g,
		(c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

function printScalar(value: unknown, home: string): string {
	if (value === null || value === undefined) return "";
	if (typeof value === "string") return expandHome(value, home);
	if (typeof value === "number" && Number.isFinite(value))
		return plainNumber(value);
	return String(value);
}

function safeJson(value: unknown): string {
	if (typeof value === "number" && !Number.isFinite(value))
		return String(value);
	const json = JSON.stringify(value, (name: string, inner: unknown) =>
		isSecret(name) ? REDACTED : inner,
	);
	return json ?? String(value);
}
