/** The demo's words for what can be checked afterwards. Pure. */
import type { DemoEmit, Outcome } from "./emits.ts";
import type { DemoWorld } from "./world.ts";

/** One emit: as composed, where it lies, its signature, its proof. */
export function describeEmit(
	emit: DemoEmit,
	at: number,
	transcript: string | null,
): readonly string[] {
	const { proof } = emit;
	const facts: [string, string][] = [
		["archived as", emit.path],
		["signature", proof?.signature ?? "none"],
		["transcript", transcript ?? "none"],
		["user messages that hold it", describeLines(proof?.lines ?? [])],
		["text equal to the archive", proof?.whole ? "byte for byte" : "NO"],
	];
	return [
		"",
		`--- emit ${at + 1}, as composed ---`,
		...emit.body.trimEnd().split("\n"),
		`--- emit ${at + 1}, the proof ---`,
		...facts.map(([name, value]) => `${`${name}:`.padEnd(28)}${value}`),
	];
}

export function describeOutcome(outcome: Outcome): readonly string[] {
	return outcome.emits.flatMap((emit, at) =>
		describeEmit(emit, at, outcome.transcript),
	);
}

/** How to look at a demo that goes on, and how to end it. */
export function describeDoors(world: DemoWorld): readonly string[] {
	return [
		"",
		`attach:  env -u TMUX TMUX_TMPDIR=${world.tmuxDir} tmux attach`,
		`state:   ${world.stateDir}`,
		"stop:    ./nexus demo --stop",
	];
}

function describeLines(lines: readonly number[]): string {
	if (lines.length === 0) return "0";
	return `${lines.length} (line ${lines.join(", ")})`;
}
