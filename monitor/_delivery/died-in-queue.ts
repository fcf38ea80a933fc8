/**
 * Reports that waited behind a turn when their session's program died. An `enqueue` proves that a report arrived, and it is
 * learned; but Claude Code keeps its queue in memory alone, and a session that is resumed never sees it.
 */
import { isObject, parseJson } from "../_state/json-object.ts";
import type { Doors } from "../_sys/doors.ts";
import { classifyRecord, deliveredText } from "./evidence.ts";
import { emitSignature } from "./needle.ts";
import { ccHomes, transcriptsOf } from "./transcript.ts";

/** What was queued last is at the end of a transcript that may be hundreds of megabytes. */
const TAIL_BYTES = 8 * 1024 * 1024;

/** Signatures, oldest first; none where nobody could look. */
export function diedInQueue(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	sessionId: string,
): readonly string[] {
	const paths = transcriptsOf(files, ccHomes(proc.env), sessionId) ?? [];
	const records = paths.flatMap((path) => {
		const found = files.stat(path);
		const size = found.kind === "ok" ? found.stat.size : 0;
		const read = files.readFrom(path, Math.max(0, size - TAIL_BYTES));
		return read.kind === "ok" ? read.text.split("\n").map(parseJson) : [];
	});
	return untaken(records);
}

/**
 * Pure: the signed reports that were queued and stand in no prompt since, neither in one of their own, nor in one that was put
 * into a running turn, nor in a brief that named them.
 */
export function untaken(records: readonly unknown[]): readonly string[] {
	const waiting = new Set<string>();
	for (const record of records) {
		if (classifyRecord(record) === "enqueue") {
			const signature = emitSignature(deliveredText(record) ?? "");
			if (signature !== null) waiting.add(signature);
			continue;
		}
		// Several that waited may have become one prompt.
		const taken = takenText(record) ?? "";
		for (const signature of waiting)
			if (taken.includes(signature)) waiting.delete(signature);
	}
	return [...waiting];
}

function takenText(record: unknown): string | null {
	if (classifyRecord(record) === "submission") return deliveredText(record);
	const attachment = isObject(record) ? record.attachment : null;
	if (!isObject(attachment) || attachment.type !== "queued_command")
		return null;
	// In the form of a prompt, so that what is around a paste is taken off the same way.
	return deliveredText({ content: attachment.prompt });
}
