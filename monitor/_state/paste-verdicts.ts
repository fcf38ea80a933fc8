/**
 * `paste-verdicts/<window>.<ledger stamp>`: how one follow-up ended, `key=value` lines (contract 04 §7). Written before
 * the paste without `rc`, and again after it: a program that died in between leaves a paste without a verdict.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { renderKv } from "./kv.ts";
import { paneKey } from "./pane-key.ts";
import { mtimeOf } from "./peek.ts";

export interface PasteVerdict {
	readonly window: string;
	/** As in `machine-input.tsv`. */
	readonly stamp: number;
	/** Of the cleaned text, by `pasteDigest`. */
	readonly digest: string;
	/** Null: it is under way. */
	readonly end: { readonly rc: number; readonly outcome: string } | null;
}

function pasteVerdictPath(
	stateDir: string,
	window: string,
	stamp: number,
): string {
	return join(verdictsDir(stateDir), `${paneKey(window)}.${stamp}`);
}

/** SHA-256 hex of the text as a transcript has it: each TAB as four blanks. */
export function pasteDigest(text: string): string {
	return createHash("sha256")
		.update(text.replaceAll("\t", "    "))
		.digest("hex");
}

function renderPasteVerdict(verdict: PasteVerdict): string {
	const { end } = verdict;
	return renderKv([
		...(end === null ? [] : [["rc", end.rc] as const]),
		["window", verdict.window],
		["epoch", verdict.stamp],
		["digest", verdict.digest],
		["outcome", end?.outcome ?? ""],
	]);
}

/** Makes the folder; the second writing replaces the first. */
export function writePasteVerdict(
	files: Files,
	stateDir: string,
	verdict: PasteVerdict,
): WriteResult {
	files.mkdir(verdictsDir(stateDir));
	return files.writeAtomic(
		pasteVerdictPath(stateDir, verdict.window, verdict.stamp),
		renderPasteVerdict(verdict),
	);
}

/** Removes those that were last written before `oldest`, epoch seconds. */
export function prunePasteVerdicts(
	files: Files,
	stateDir: string,
	oldest: number,
): void {
	const dir = verdictsDir(stateDir);
	const listed = files.list(dir);
	if (listed.kind !== "ok") return;
	for (const name of listed.names) {
		const at = mtimeOf(files, join(dir, name));
		if (at !== null && at < oldest) files.remove(join(dir, name));
	}
}

function verdictsDir(stateDir: string): string {
	return join(stateDir, "paste-verdicts");
}
