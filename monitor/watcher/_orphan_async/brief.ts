/** What a woken worker is told (contract 08 §4.3). Pure. */
import { oneLine } from "../../_emit/clean-text.ts";
import { formatAge } from "../../_sys/age.ts";
import { programPath } from "../../_sys/names.ts";
import { shellWord } from "../../_sys/shell-quote.ts";
import type { ResolvedWait } from "./resolve.ts";

const DESC_CHARACTERS = 120;

/** It is read in the worker's own folder: what it names is named in full. */
export function composeWakeBrief(
	idleSeconds: number,
	waits: readonly ResolvedWait[],
): string {
	const isAllOver = waits.every((wait) => wait.class === "terminal");
	const inDoubt = waits.some(
		(wait) => wait.class === "died" || wait.class === "unresolvable",
	);
	return [
		"--- async wait resolved (watcher) ---",
		`You have been idle for ${formatAge(idleSeconds)} with declared outside work and no wake-up of your own.`,
		...waits.map(waitLine),
		...(isAllOver ? ["None is running."] : []),
		"Resume now. This message clears nothing: only a wait that is terminal is taken off your list, once you have it; the others are not cleared.",
		...(inDoubt
			? [
					"What is died or unresolvable may still be running: a missing process is not a finished job. Validate its output by an expectation (a row count, a checksum), not by its being non-empty.",
				]
			: []),
		`The exception: when you have confirmed independently that there is nothing to wait for, \`${shellWord(programPath("declareNoWait"))} <kind> <id>\` takes a wait off the list for good.`,
		"",
	].join("\n");
}

function waitLine({ kind, id, desc, class: is, detail }: ResolvedWait): string {
	const what = desc === undefined ? "" : ` (${oneLine(desc, DESC_CHARACTERS)})`;
	return `- ${kind}:${id}${what}: ${is}: ${oneLine(detail)}`;
}
