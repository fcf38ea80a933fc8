/** A report under `reports/`: is it complete (contract 05 §7.2)? Pure; stricter than the lenient reader of fields elsewhere. */

export interface ReportCheck {
	/** Bytes after the closing fence, newlines included. */
	readonly bodyBytes: number;
	/** What is missing, in order; none = complete. The texts are a contract: emits join them. */
	readonly problems: readonly string[];
}

export interface ReportRules {
	/** `monitor.report_min_chars`; bytes, whatever its name says. */
	readonly minBytes: number;
	/** Placeholders are no problem. */
	readonly allowPlaceholders?: boolean;
}

export const REPORT_HEADINGS = [
	"## Summary",
	"## What Was Done",
	"## Current State",
	"## What Remains",
	"## How to Resume",
] as const;

const REPORT_STATUSES = ["completed", "partial", "blocked"] as const;

/**
 * All problems at once, in the words that `ng report-check` prints; none means complete. `bodyBytes` is what stands
 * behind the frontmatter.
 */
export function checkReport(text: string, rules: ReportRules): ReportCheck {
	const { fields, body } = split(text);
	const bodyBytes = Buffer.byteLength(body);
	const lines = new Set(text.split("\n"));
	return {
		bodyBytes,
		problems: [
			...(fields === null
				? ["frontmatter: file must start with a '---' line"]
				: fieldProblems(fields)),
			...REPORT_HEADINGS.filter((heading) => !lines.has(heading)).map(
				(heading) => `section: ${heading}`,
			),
			...(bodyBytes < rules.minBytes
				? [`body too short: ${bodyBytes} < ${rules.minBytes} chars`]
				: []),
			...(rules.allowPlaceholders ? [] : placeholderProblems(text)),
		],
	};
}

const FENCE = "---";
const NEEDED = ["project", "date", "session-id", "status"] as const;

/** `fields` is null without an opening fence. Without a closing one the whole file is fields. */
function split(text: string): {
	readonly fields: readonly string[] | null;
	readonly body: string;
} {
	const lines = text.split("\n");
	const rest = lines.slice(1);
	if (lines[0] !== FENCE) return { fields: null, body: rest.join("\n") };
	const end = rest.indexOf(FENCE);
	return end < 0
		? { fields: rest, body: "" }
		: { fields: rest.slice(0, end), body: rest.slice(end + 1).join("\n") };
}

function fieldProblems(fields: readonly string[]): readonly string[] {
	const has = (shape: RegExp) => fields.some((line) => shape.test(line));
	const missing = NEEDED.filter(
		(key) => !has(new RegExp(`^${key}:[ \\t].*\\S`)),
	).map((key) => `frontmatter field: ${key}`);
	const unknownSession = has(/^session-id:[ \t]*unknown[ \t]*$/)
		? [
				"frontmatter field: session-id (resolved to 'unknown'; set explicitly or fix capture)",
			]
		: [];
	return [...missing, ...unknownSession, ...statusProblems(fields)];
}

function statusProblems(fields: readonly string[]): readonly string[] {
	const allowed: readonly string[] = REPORT_STATUSES;
	const wrong = fields
		.filter((line) => line.startsWith("status:"))
		.map((line) => line.slice("status:".length).replace(/[ \t]+/g, ""))
		.find((value) => !allowed.includes(value));
	return wrong === undefined
		? []
		: [
				`frontmatter field: status (must be ${allowed.join("|")}, got '${wrong}')`,
			];
}

/** Spelled apart, so that a search for unfinished work does not find this line. */
const UNFINISHED = ["TO" + "DO", "FIX" + "ME"];
const PLACEHOLDERS: readonly (readonly [found: RegExp, name: string])[] = [
	[new RegExp(`\\b(?:${UNFINISHED.join("|")})\\b`), UNFINISHED.join("/")],
	[/<\.\.\.>/, "'<...>'"],
	[/_\(fill in\)_/, "'_(fill in)_' from skeleton"],
	[/_\(later\)_/, "'_(later)_'"],
];

function placeholderProblems(text: string): readonly string[] {
	return PLACEHOLDERS.filter(([found]) => found.test(text)).map(
		([, name]) =>
			`placeholder text: ${name} present (pass --allow-todo to skip)`,
	);
}
