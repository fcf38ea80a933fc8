/** The sections of a report: their order, headers and closing lines, as data (contract 01 §10.2, §10.4). */

export interface SectionSpec {
	readonly id: SectionId;
	readonly title: string;
	/** Lines printed after the rows. */
	readonly closing: readonly string[];
	/** Only a section that may be read elsewhere is ever cut. */
	readonly cut: boolean;
}

export type SectionId =
	| "revived"
	| "arm"
	| "install"
	| "hosting"
	| "drift"
	| "serviceHealth"
	| "ccUpdate"
	| "reportsRoll"
	| "localDiff"
	| "gh"
	| "bells"
	| "decisions"
	| "requests"
	| "idle"
	| "fullState";

/** Text of each section that has something to say. */
export type SectionTexts = Readonly<Partial<Record<SectionId, string>>>;

/** In printing order. */
export const SECTIONS: readonly SectionSpec[] = [
	whole("revived", "watcher revived (was down)"),
	whole("arm", "arm watcher supervisor"),
	whole("install", "install failure"),
	whole("hosting", "watcher hosting migration"),
	whole("drift", "component drift (restart needed)"),
	whole("serviceHealth", "service health"),
	whole("ccUpdate", "claude code update available"),
	whole("reportsRoll", "reports archived"),
	{ id: "localDiff", title: "local state changes", closing: [], cut: true },
	whole("gh", "eligible github comments"),
	whole(
		"bells",
		"standing bells",
		"(silenced after emit; agents will re-ring on the next event)",
	),
	whole(
		"decisions",
		"pending decisions",
		"(read the cited file for full JSON; ack with the ng decision-ack line on each row — removing the file does not stick)",
	),
	whole(
		"requests",
		"requests",
		"(read the cited file; the `handling:` line under each request says how THAT request closes)",
	),
	whole(
		"idle",
		"idle workers",
		"(emitted on transitions only; see skills/nexus.window-cleanup)",
	),
	whole(
		"fullState",
		"workspace snapshot",
		"(full snapshot; transitions only between snapshots)",
	),
];

/** The footer is one of these two (contract 01 §10.3). */
export const FOOTER_TITLES = {
	dashboard: "dashboard",
	statusSurface: "status surface",
} as const;

/** The trailer looks like a section header and is one line (contract 04 §6.1). */
export const SIGNATURE_PREFIX = "--- nexus-emit-sig ";

/** The line that opens a section; foreign text is kept from looking like one (`clean-text.ts`). */
export function headerOf(title: string): string {
	return `--- ${title} ---`;
}

/** Any line that a reader takes for the start of a section. */
export function isHeader(line: string): boolean {
	return /^--- .+ ---$/.test(line);
}

/** A line of others as a line of text: two blanks in front of what reads as the start of a section or of a report. */
export function asText(line: string): string {
	return isHeader(line) || line.startsWith("=== ") ? `  ${line}` : line;
}

/** Headers of sections that are never cut. */
export const EXEMPT_HEADERS: ReadonlySet<string> = new Set([
	...SECTIONS.filter((s) => !s.cut).map((s) => headerOf(s.title)),
	...Object.values(FOOTER_TITLES).map(headerOf),
]);

/** The lines of one section of a finished report, closing lines included; none when it has no such section. */
export function sectionLines(body: string, id: SectionId): readonly string[] {
	const title = SECTIONS.find((s) => s.id === id)?.title;
	const lines = body.split("\n");
	const start = title === undefined ? -1 : lines.indexOf(headerOf(title));
	if (start < 0) return [];
	const rest = lines.slice(start + 1);
	const end = rest.findIndex(isHeader);
	return end < 0 ? rest : rest.slice(0, end);
}

function whole(
	id: SectionId,
	title: string,
	...closing: readonly string[]
): SectionSpec {
	return { id, title, closing, cut: false };
}
