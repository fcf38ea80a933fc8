/** A worker's whole prompt (contract 08 §8.3): environment, what came before, the floor, the task. Pure. */
import type { SkepticRecord } from "../_state/window-provenance.ts";

export interface PromptParts {
	readonly workdir: string;
	readonly root: string;
	readonly reportsDir: string;
	readonly skeptic: SkepticRecord;
	/** The worker is sent into the checkout that everything else runs from. */
	readonly inPrimaryClone: boolean;
	readonly prior: { readonly path: string; readonly text: string } | null;
	readonly floor: string;
	/** The prompt file, byte for byte. */
	readonly task: string;
}

/** The prompt is ONE word of a command line, and Linux ends words at 128 KiB. */
export const MAX_PROMPT_BYTES = 120 * 1024;

/** In this order, with a rule between; the floor stands before the task, which may be anything. */
export function composePrompt(parts: PromptParts): string {
	const { prior, floor, task } = parts;
	return [
		environmentBlock(parts),
		...(prior === null ? [] : [priorBlock(prior)]),
		floor,
		task,
	].join("\n\n---\n\n");
}

/** Where the resume of a worker finds its folder again: the `- Workdir: ` line of a composed prompt; null without one. */
export function workdirOfPrompt(prompt: string): string | null {
	return /^- Workdir: (.+)$/m.exec(prompt)?.[1] ?? null;
}

function environmentBlock(p: PromptParts): string {
	const { role, target, orig, depth } = p.skeptic;
	const origin =
		orig === target ? "" : `, which goes back to window \`${orig}\``;
	return [
		"## Worker environment",
		"",
		`- Workdir: ${p.workdir}`,
		`- Primary nexus root: ${p.root}`,
		`- Reports dir: ${p.reportsDir}`,
		...(role
			? [
					`- Skeptic role: YES. You review the work of window \`${target}\` (depth ${depth})${origin}; you do not continue it.`,
				]
			: []),
		...(p.inPrimaryClone
			? [
					"",
					"Note: your workdir is the primary clone itself, which the watcher runs from. Leave its branch checked out as it is; work on a branch in a clone of your own.",
				]
			: []),
	].join("\n");
}

function priorBlock(prior: { readonly path: string; readonly text: string }) {
	return [
		"## Prior context",
		"",
		`Path: ${prior.path}`,
		"",
		"An earlier worker wrote the report below. Take it as what was known then, not as fact: check what you build on, and go on from it instead of starting over.",
		"",
		"---",
		"",
		prior.text.trimEnd(),
	].join("\n");
}
