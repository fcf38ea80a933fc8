/** `cc-auto-update/last-eval`: how the newest candidate was judged (contract 06 §13). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { ccAutoUpdateDir } from "./cc-auto-update.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

export interface LastEval {
	readonly candidate: string;
	readonly decision: string;
	readonly detail: string;
	/** Epoch seconds. */
	readonly ts: number;
}

/** With one of these the operator has the next word, and no evaluator is sent for that candidate. */
const AWAITS_OPERATOR = ["block", "compat-pr-opened", "compat-pr-commented"];

/** Whether the newest judgement is of this candidate and left it to the operator: it is then not judged again. */
export function awaitsOperator(
	last: LastEval | null,
	candidate: string,
): boolean {
	return (
		last?.candidate === candidate && AWAITS_OPERATOR.includes(last.decision)
	);
}

/** Null without one, or when it cannot be read: then the candidate is judged anew. */
export function readLastEval(files: Files, stateDir: string): LastEval | null {
	const read = files.read(lastEvalPath(stateDir), 4096);
	if (read.kind !== "ok") return null;
	const kv = parseKv(read.text);
	const candidate = kv.get("candidate");
	const decision = kv.get("decision");
	if (!candidate || !decision) return null;
	const detail = kv.get("detail") ?? "";
	return { candidate, decision, detail, ts: digits(kv.get("ts")) ?? 0 };
}

/** Makes the folder; replaces the judgement of the candidate before. */
export function writeLastEval(
	files: Files,
	stateDir: string,
	last: LastEval,
): WriteResult {
	files.mkdir(ccAutoUpdateDir(stateDir));
	return files.writeAtomic(
		lastEvalPath(stateDir),
		renderKv([
			["candidate", last.candidate],
			["decision", last.decision],
			["detail", last.detail],
			["ts", last.ts],
		]),
	);
}

function lastEvalPath(stateDir: string): string {
	return join(ccAutoUpdateDir(stateDir), "last-eval");
}
