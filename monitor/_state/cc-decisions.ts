/** `cc-auto-update/decisions.tsv`, `iso⇥candidate⇥decision⇥detail`, append only: what became of each candidate (contract 06 §13.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { ccAutoUpdateDir } from "./cc-auto-update.ts";

export interface CcDecision {
	readonly iso: string;
	/** `-` where none was known. */
	readonly candidate: string;
	readonly decision: string;
	readonly detail: string;
}

export function ccDecisionsPath(stateDir: string): string {
	return join(ccAutoUpdateDir(stateDir), "decisions.tsv");
}

/** Makes the folder; one row, never changed. */
export function appendCcDecision(
	files: Files,
	stateDir: string,
	row: CcDecision,
): WriteResult {
	files.mkdir(ccAutoUpdateDir(stateDir));
	return files.append(ccDecisionsPath(stateDir), renderCcDecision(row));
}

function renderCcDecision(row: CcDecision): string {
	const cells = [row.iso, row.candidate || "-", row.decision, row.detail];
	return `${cells.map((cell) => cell.replace(/[\t\r\n]+/g, " ")).join("\t")}\n`;
}
