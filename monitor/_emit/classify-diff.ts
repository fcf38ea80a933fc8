/** Signal or noise: which lines of a snapshot diff are worth a turn of the orchestrator (contract 01 §6.1). Pure. */
import { GIT_HEADER, REPORTS_HEADER, TMUX_HEADER } from "./snapshot.ts";

export interface DiffClass {
	readonly signal: boolean;
	/** For the log: `2 git-section update(s), 1 interim report(s)`; empty when nothing was noise. */
	readonly summary: string;
}

type LineClass = "signal" | "git" | "interim";
type Section = "tmux" | "reports" | "git" | null;

const SECTION_OF_CONTEXT: Readonly<Record<string, Section>> = {
	[` ${TMUX_HEADER}`]: "tmux",
	[` ${REPORTS_HEADER}`]: "reports",
	[` ${GIT_HEADER}`]: "git",
};

/** `null` = the diff could not be read: signal. The shape of a line outranks its section, because a short hunk often lacks the header. */
export function classifyDiff(diff: string | null): DiffClass {
	if (diff === null) return { signal: true, summary: "" };
	let section: Section = null;
	let inHunk = false;
	let signal = false;
	const noise = { git: 0, interim: 0 };
	for (const line of diff.split("\n")) {
		if (line.startsWith("@@")) inHunk = true;
		else if (line in SECTION_OF_CONTEXT)
			section = SECTION_OF_CONTEXT[line] ?? null;
		else if (/^[+-]/.test(line) && !isFileHeader(line, inHunk)) {
			const kind = classifyLine(line.slice(1), section);
			if (kind === "signal") signal = true;
			else noise[kind]++;
		}
	}
	return { signal, summary: summaryOf(noise) };
}

/** First match wins; what nothing matches is a signal. */
function classifyLine(content: string, section: Section): LineClass {
	if (/^\S+ ([0-9a-f]+|none) (clean|dirty)$/.test(content)) return "git";
	if (/-interim.*\.md( \d+)?$/.test(content)) return "interim";
	if (/\.md( \d+)?$/.test(content)) return "signal";
	if (/^\S+ bell=\d+$/.test(content)) return "signal";
	return section === "git" ? "git" : "signal";
}

/** `--- <path>\t<mtime>`. Inside a hunk only the tab tells it from a removed line that starts with dashes. */
function isFileHeader(line: string, inHunk: boolean): boolean {
	return /^(---|\+\+\+) /.test(line) && (!inHunk || line.includes("\t"));
}

function summaryOf(noise: { readonly git: number; readonly interim: number }) {
	return [
		noise.git > 0 ? `${noise.git} git-section update(s)` : "",
		noise.interim > 0 ? `${noise.interim} interim report(s)` : "",
	]
		.filter((part) => part !== "")
		.join(", ");
}
