/** A report: sections in, one body out (contract 01 §10). */
import { capSections } from "./cap.ts";
import { cleanLines } from "./clean-text.ts";
import type { EmitReason } from "./emit-decision.ts";
import {
	headerOf,
	SECTIONS,
	type SectionTexts,
	SIGNATURE_PREFIX,
} from "./sections.ts";

export interface ReportInput {
	/** Local time with offset; stands in the header and in the trailer. */
	readonly iso: string;
	readonly reason: EmitReason;
	/** Six lower-case hex characters, fresh for each emit. */
	readonly nonce: string;
	/** The `workspace:` lines; null in the comments fast path. */
	readonly workspace: string | null;
	readonly sections: SectionTexts;
	/** The footer section, header included; null in the comments fast path. */
	readonly footer: string | null;
	readonly sectionMaxLines: number;
}

const GUIDANCE = "*If unsure how to proceed: see CLAUDE.md.*";

/**
 * The whole body, trailer included, ending in one newline. A section without text is not printed. Whatever a source
 * let through, no control character leaves here.
 */
export function composeReport(i: ReportInput): string {
	const parts = [
		`=== nexus state changed at ${i.iso} (${i.reason}) ===`,
		GUIDANCE,
		...payload(i.workspace ?? ""),
		...SECTIONS.flatMap(({ id, title, closing }) => {
			const rows = payload(i.sections[id] ?? "");
			return rows.length === 0 ? [] : [headerOf(title), ...rows, ...closing];
		}),
		...payload(i.footer ?? ""),
		`${SIGNATURE_PREFIX}${i.iso} ${i.nonce} ---`,
	];
	return capSections(`${parts.join("\n")}\n`, i.sectionMaxLines);
}

/** Clean text without the newlines at its end, or nothing when it is blank: each payload ends in exactly one newline. */
function payload(text: string): readonly string[] {
	const clean = cleanLines(text);
	return clean.trim() === "" ? [] : [clean.replace(/\n+$/, "")];
}
