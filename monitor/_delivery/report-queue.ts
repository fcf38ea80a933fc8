/**
 * Reports that wait behind a turn. An `enqueue` proves that a report arrived, and it is learned; but Claude Code keeps its
 * queue in memory alone: it dies with the process, and a session that is resumed never sees it.
 */
import { followFile, type Reading } from "../_state/followed-file.ts";
import { isObject, parseJson, textAt } from "../_state/json-object.ts";
import type { Doors } from "../_sys/doors.ts";
import { classifyRecord, deliveredText } from "./evidence.ts";
import { emitSignature } from "./needle.ts";
import { ccHomes, transcriptsOf } from "./transcript.ts";

export interface QueuedReport {
	readonly signature: string;
	/** Epoch seconds; null: its record does not say. */
	readonly queuedAt: number | null;
}

/** What one transcript says of reports. */
export interface InTranscript {
	/** Queued, and in no prompt of it since; oldest first. */
	readonly waiting: readonly QueuedReport[];
	/** Signatures that stand in its prompts: of reports that were read, and of those that a brief named. */
	readonly taken: ReadonlySet<string>;
}

export const IN_TRANSCRIPT: Reading<InTranscript> = {
	empty: { waiting: [], taken: new Set() },
	add: (known, lines) => {
		const records = recordsOf(lines);
		const waiting = untaken(records, known.waiting);
		const taken = records.flatMap((record) => [
			...(takenText(record) ?? "").matchAll(SIGNATURES),
		]);
		const signatures = taken.map(([signature]) => signature);
		return { waiting, taken: new Set([...known.taken, ...signatures]) };
	},
};

const SIGNATURES = /nexus-emit-sig \S+ [0-9a-f]{6}/g;

/** A queue that waits now is some minutes old. */
const WAITING_BYTES = 1024 * 1024;

/**
 * Pure: what was queued in these transcripts and never read, oldest first; twice what waits in two of them. In the order in
 * which their sessions lived: what waited in one may have been named in a later one.
 */
export function neverTaken(
	transcripts: readonly InTranscript[],
): readonly QueuedReport[] {
	return transcripts.reduce<readonly QueuedReport[]>(
		(before, { waiting, taken }) => {
			const kept = before.filter(({ signature }) => !taken.has(signature));
			return [...kept, ...waiting];
		},
		[],
	);
}

/** What waits behind the turn that runs in this session. */
export type WaitingReports = (
	doors: Pick<Doors, "files" | "proc">,
	sessionId: string,
) => readonly QueuedReport[];

/** For whoever looks again and again: each look reads on where the last one ended. */
export function followWaiting(): WaitingReports {
	const reading: Reading<readonly QueuedReport[]> = {
		empty: [],
		add: (waiting, lines) => stillWaiting(recordsOf(lines), waiting),
	};
	const follow = followFile(reading, { kind: "last", bytes: WAITING_BYTES });
	return ({ files, proc }, sessionId) => {
		const paths = transcriptsOf(files, ccHomes(proc.env), sessionId) ?? [];
		return paths.flatMap((path) => {
			const found = follow(files, path);
			return found.kind === "ok" ? found.value : [];
		});
	};
}

/** Pure: since the queue last moved. What a person took out of it waits no more, and was not read either. */
export function stillWaiting(
	records: readonly unknown[],
	before: readonly QueuedReport[] = [],
): readonly QueuedReport[] {
	const moved = records.findLastIndex(
		(record) =>
			isObject(record) &&
			record.type === "queue-operation" &&
			record.operation !== "enqueue",
	);
	return untaken(records.slice(moved + 1), moved < 0 ? before : []);
}

/** Most of a transcript is neither about its queue nor about a report: it is not worth parsing. */
function recordsOf(lines: string): readonly unknown[] {
	return lines
		.split("\n")
		.filter((line) => /"queue-operation"|nexus-emit-sig /.test(line))
		.map(parseJson);
}

/**
 * Pure: the signed reports that were queued and stand in no prompt since, neither in one of their own, nor in one that was put
 * into a running turn, nor in a brief that named them.
 */
export function untaken(
	records: readonly unknown[],
	before: readonly QueuedReport[] = [],
): readonly QueuedReport[] {
	const waiting = new Map(before.map((report) => [report.signature, report]));
	for (const record of records) {
		if (classifyRecord(record) === "enqueue") {
			const signature = emitSignature(deliveredText(record) ?? "");
			if (signature === null || waiting.has(signature)) continue;
			waiting.set(signature, { signature, queuedAt: timeOf(record) });
			continue;
		}
		// Several that waited may have become one prompt.
		const taken = takenText(record) ?? "";
		for (const signature of waiting.keys())
			if (taken.includes(signature)) waiting.delete(signature);
	}
	return [...waiting.values()];
}

function timeOf(record: unknown): number | null {
	const iso = isObject(record) ? textAt(record, "timestamp") : null;
	const ms = iso === null ? Number.NaN : Date.parse(iso);
	return Number.isFinite(ms) ? ms / 1000 : null;
}

function takenText(record: unknown): string | null {
	if (classifyRecord(record) === "submission") return deliveredText(record);
	const attachment = isObject(record) ? record.attachment : null;
	if (!isObject(attachment) || attachment.type !== "queued_command")
		return null;
	// In the form of a prompt, so that what is around a paste is taken off the same way.
	return deliveredText({ content: attachment.prompt });
}
