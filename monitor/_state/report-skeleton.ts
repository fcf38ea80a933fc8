/** A new report (contract 05 §7.1): its name and its skeleton. Pure. */
import { REPORT_HEADINGS } from "./report.ts";

export interface ReportHead {
	readonly project: string;
	readonly slug: string;
	/** ISO, local time: `2026-05-11T13:42:01-07:00`. */
	readonly iso: string;
	/** Null: unknown. */
	readonly sessionId: string | null;
	readonly window: string | null;
	/** Issue and comment that asked for the work. */
	readonly issue: string | null;
	readonly comment: string | null;
}

/** `<project>_<YYYY-MM-DD>_<HHMMSS>_<slug>.md` */
export function reportName({ project, slug, iso }: ReportHead): string {
	const time = iso.slice(11, 19).replaceAll(":", "");
	return `${project}_${iso.slice(0, 10)}_${time}_${slug}.md`;
}

/** Passes no check as it is: its placeholders are refused until somebody fills them in. */
export function reportSkeleton(head: ReportHead): string {
	const sections = REPORT_HEADINGS.map((heading, at) => [
		heading,
		"",
		at === 0
			? "_(one or two sentences that say what came of it; the wrap-up will quote them)_"
			: "_(fill in)_",
		"",
	]);
	return [
		"---",
		`project: ${head.project}`,
		`date: ${head.iso.slice(0, 10)}`,
		`session-id: ${head.sessionId ?? "unknown"}`,
		`window: ${head.window ?? "<unset>"}`,
		`trigger: ${trigger(head)}`.trimEnd(),
		"status: partial",
		"---",
		"",
		`# ${head.slug}`,
		"",
		...sections.flat(),
	].join("\n");
}

function trigger({ issue, comment }: ReportHead): string {
	if (issue === null) return "";
	return comment === null ? `#${issue}` : `#${issue} (comment ${comment})`;
}
