/** What a thread is told of a report: its title, and the first sentence of its summary (contract 05 §8.4). Pure. */
import { splitFrontmatter } from "../../_state/frontmatter.ts";

/** The first `# …` line; null: there is none. */
export function reportTitle(report: string): string | null {
	const { body } = splitFrontmatter(report);
	return /^#[ \t]+(.*\S)[ \t\r]*$/m.exec(body)?.[1] ?? null;
}

export type Teaser =
	| { readonly kind: "ok"; readonly text: string }
	/** The report has no summary. */
	| { readonly kind: "none" }
	/** It has one, but what could be quoted of it says nothing. */
	| { readonly kind: "degenerate" };

/** `none`: no summary at all. `degenerate`: there is one, and what is left of it tells nobody anything. */
export function teaser(report: string): Teaser {
	const source = summaryOf(splitFrontmatter(report).body);
	const whole = flatten(source);
	if (whole === "")
		return source.trim() === "" ? { kind: "none" } : { kind: "degenerate" };
	const text = shorten(whole);
	return saysNothing(text, text !== whole)
		? { kind: "degenerate" }
		: { kind: "ok", text };
}

const LONGEST = 200;
const SHORTEST_CUT = 150;
const SHORTEST_SENTENCE = 20;

/** The text of `## Summary`; when it is blank, what stands between the title and the first section. */
function summaryOf(body: string): string {
	const lines = body.split("\n");
	const until = (from: number) => {
		const rest = lines.slice(from + 1);
		const end = rest.findIndex((line) => line.startsWith("## "));
		return (end < 0 ? rest : rest.slice(0, end)).join("\n");
	};
	const heading = lines.findIndex((line) => /^##[ \t]+summary\s*$/i.test(line));
	const summary = heading < 0 ? "" : until(heading);
	if (summary.trim() !== "") return summary;
	const title = lines.findIndex((line) => /^#[ \t]/.test(line));
	return title < 0 ? "" : until(title);
}

/** One line. Labels such as `**Verdict:** …` are for the report's own reader. */
function flatten(text: string): string {
	return text
		.split("\n")
		.filter((line) => !/^\*\*[^*]+:\*\*/.test(line))
		.join(" ")
		.replace(/\s+/g, " ")
		.trim();
}

function shorten(whole: string): string {
	const end = firstSafeEnd(whole);
	const sentence = end === null ? null : whole.slice(0, end);
	// Later ends are not tried: the first sentence was too short to stand alone, so it belongs to the next.
	if (sentence !== null && !saysNothing(sentence, sentence !== whole))
		return sentence;
	const characters = [...whole];
	if (characters.length <= LONGEST) return whole;
	const cut = characters.slice(0, LONGEST).join("");
	const space = cut.lastIndexOf(" ");
	return `${space >= SHORTEST_CUT ? cut.slice(0, space) : cut}...`;
}

/** Index behind the period of the first sentence that surely ends there; null: none does. */
function firstSafeEnd(whole: string): number | null {
	for (const { index } of whole.matchAll(/\. /g)) {
		const end = index + 1;
		if ([...whole.slice(0, end)].length > LONGEST) return null;
		if (isSafe(whole.slice(0, index), whole.charAt(end + 1))) return end;
	}
	return null;
}

function isSafe(before: string, next: string): boolean {
	if (!/[A-Z*_`"'([#]/.test(next)) return false;
	const word = /[A-Za-z0-9.]+$/.exec(before)?.[0] ?? "";
	return (
		!/\d$/.test(word) &&
		!/^[A-Za-z]$/.test(word) &&
		!ABBREVIATIONS.has(word.toLowerCase())
	);
}

const ABBREVIATIONS = new Set(
	"e.g i.e etc vs cf approx est resp viz al dr mr mrs ms prof sr jr st inc ltd co fig eq no ref sec app vol ch pp cap min max".split(
		" ",
	),
);

/** `isCut`: something was left out, so what is left must carry more. */
function saysNothing(text: string, isCut: boolean): boolean {
	const plain = text.replace(/[*_`]/g, "");
	const words = plain.split(/\s+/).filter((w) => /[\p{L}\p{N}]/u.test(w));
	return words.length < 2 || (isCut && [...plain].length < SHORTEST_SENTENCE);
}
