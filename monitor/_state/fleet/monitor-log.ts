/** `T/monitors/<name>.log.jsonl`: one row a run, the last 500 kept (contract 09 §6.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { numberAt, parseObject, textAt } from "../json-object.ts";
import { monitorsDir } from "./monitor-spec.ts";

export type RunOutcome =
	| "ok"
	| "matched"
	| "failed"
	| "timeout"
	| "not-started"
	/** The tick was skipped: the run before it had not ended. */
	| "overlap"
	/** Its scheduler died; nobody knows how it ended. */
	| "lost";
export interface RunRow {
	readonly at: string;
	readonly outcome: RunOutcome;
	readonly exitCode: number | null;
	readonly seconds: number;
	readonly matched: number;
	/** What was sent of it: the message's id, or null. */
	readonly messageId: string | null;
}

const KEPT = 500;
/** Rewriting at each row would cost more than it saves. */
const TRIM_ABOVE = KEPT + 50;

/** Trims to the newest 500 once there are clearly more. The answer is the append's. */
export function appendRun(
	files: Files,
	thrumDir: string,
	name: string,
	row: RunRow,
): WriteResult {
	const path = logPath(thrumDir, name);
	const done = files.append(path, renderRow(row), { mode: 0o600 });
	const read = files.read(path);
	const lines = read.kind === "ok" ? read.text.trimEnd().split("\n") : [];
	if (lines.length > TRIM_ABOVE)
		files.writeAtomic(path, `${lines.slice(-KEPT).join("\n")}\n`, {
			mode: 0o600,
		});
	return done;
}

/** The last `count` rows, oldest first; a torn line costs only itself. */
export function readRuns(
	files: Pick<Files, "read">,
	thrumDir: string,
	name: string,
	count = KEPT,
): readonly RunRow[] {
	const read = files.read(logPath(thrumDir, name));
	if (read.kind !== "ok") return [];
	const rows = read.text.split("\n").flatMap(parseRow);
	return rows.slice(-Math.min(count, KEPT));
}

/** With the job, so that another of its name starts with an empty log. */
export function removeRuns(
	files: Files,
	thrumDir: string,
	name: string,
): WriteResult {
	return files.remove(logPath(thrumDir, name));
}

function renderRow(row: RunRow): string {
	return JSON.stringify({
		at: row.at,
		outcome: row.outcome,
		exit_code: row.exitCode,
		seconds: row.seconds,
		matched: row.matched,
		message_id: row.messageId,
	});
}

const OUTCOMES: Readonly<Record<RunOutcome, true>> = {
	ok: true,
	matched: true,
	failed: true,
	timeout: true,
	"not-started": true,
	overlap: true,
	lost: true,
};

function isOutcome(word: string): word is RunOutcome {
	return Object.hasOwn(OUTCOMES, word);
}

function parseRow(line: string): readonly RunRow[] {
	const json = parseObject(line);
	const at = textAt(json, "at");
	const outcome = textAt(json, "outcome");
	if (at === null || outcome === null || !isOutcome(outcome)) return [];
	return [
		{
			at,
			outcome,
			exitCode: numberAt(json, "exit_code"),
			seconds: numberAt(json, "seconds") ?? 0,
			matched: numberAt(json, "matched") ?? 0,
			messageId: textAt(json, "message_id"),
		},
	];
}

function logPath(thrumDir: string, name: string): string {
	return join(monitorsDir(thrumDir), `${name}.log.jsonl`);
}
