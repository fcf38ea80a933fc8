/** The demo's words for what can be checked afterwards. Pure. */
import { isEligible } from "../../_github/eligibility.ts";
import { shellWord } from "../../_sys/shell-quote.ts";
import { type DemoEmit, type Outcome, timesCarried } from "./emits.ts";
import type { Errand, ErrandEnd } from "./errand.ts";
import { foldRepeated } from "./fold.ts";
import { type DemoWorld, OPERATOR } from "./world.ts";

/** One emit: as composed, where it lies, its signature, its proof. `lines`: what is shown of its body. */
export function describeEmit(
	emit: DemoEmit,
	at: number,
	transcript: string | null,
	lines: readonly string[] = emit.body.trimEnd().split("\n"),
): readonly string[] {
	const { proof } = emit;
	return [
		"",
		`--- emit ${at + 1}, as composed ---`,
		...lines,
		`--- emit ${at + 1}, the proof ---`,
		...table([
			["archived as", emit.path],
			["signature", proof?.signature ?? "none"],
			["transcript", transcript ?? "none"],
			["user messages that hold it", describeLines(proof?.lines ?? [])],
			["text equal to the archive", proof?.whole ? "byte for byte" : "NO"],
		]),
	];
}

/** What became of the comment, as anybody sees it at GitHub. */
export function describeErrand(
	{ comment }: Errand,
	end: ErrandEnd,
	emits: readonly DemoEmit[],
): readonly string[] {
	const marks = end.marks?.map((m) => `${m.content} by ${m.user}`);
	return [
		"",
		`--- the comment ${comment}, the proof ---`,
		...table([
			["reactions", marks?.join(", ") ?? "could not be read"],
			["may be surfaced again", isEligible(end.marks, OPERATOR) ? "YES" : "no"],
			["emits that carry it", String(timesCarried(comment, emits))],
			["comments of the bot", String(end.replies.length)],
			...end.replies.flatMap((body) =>
				body
					.trimEnd()
					.split("\n")
					.map((line): [string, string] => ["", line]),
			),
			["uploaded", end.asset ?? "nothing"],
			["equal to the report", end.isSame ? "byte for byte" : "NO"],
		]),
	];
}

/** In the order of the reports; text that an earlier one had is folded. */
export function describeOutcome(outcome: Outcome): readonly string[] {
	const { emits, transcript } = outcome;
	const shown = foldRepeated(emits.map(({ body }) => body));
	return emits.flatMap((emit, at) =>
		describeEmit(emit, at, transcript, shown[at]),
	);
}

/** How to look at a demo that goes on, and how to end it. */
export function describeDoors(world: DemoWorld): readonly string[] {
	return [
		"",
		`attach:  env -u TMUX TMUX_TMPDIR=${shellWord(world.tmuxDir)} tmux attach`,
		`state:   ${world.stateDir}`,
		"stop:    ./nexus demo --stop",
	];
}

function table(
	rows: readonly (readonly [name: string, value: string])[],
): readonly string[] {
	return rows.map(([name, value]) => {
		const head = name === "" ? "" : `${name}:`;
		return `${head.padEnd(28)}${value}`.trimEnd();
	});
}

function describeLines(lines: readonly number[]): string {
	if (lines.length === 0) return "0";
	return `${lines.length} (line ${lines.join(", ")})`;
}
