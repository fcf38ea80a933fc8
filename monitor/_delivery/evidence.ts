/** What a transcript record proves (contract 04 §5.2, 00 R4). Pure; records are foreign JSON. */
import { isObject, type JsonObject } from "../_state/json-object.ts";

/** `submission`: the prompt began a turn. `enqueue`: it waits behind a running one. */
export type RecordKind = "submission" | "enqueue";

/** Prompts that the program made itself. */
const NOT_A_PERSON = new Set<unknown>(["system", "sdk"]);

/** Null for everything that no person or paste sent: tool results, subagents, summaries, notes. */
export function classifyRecord(record: unknown): RecordKind | null {
	if (!isObject(record) || record.isSidechain === true) return null;
	if (record.type === "queue-operation")
		return record.operation === "enqueue" && typeof record.content === "string"
			? "enqueue"
			: null;
	if (record.type !== "user") return null;
	if (record.isMeta === true || record.isCompactSummary === true) return null;
	const source = record.promptSource;
	if (source !== undefined && source !== null)
		return NOT_A_PERSON.has(source) ? null : "submission";
	return typeof contentOf(record) === "string" ? "submission" : null;
}

/**
 * Does this record prove the delivery of the payload that holds `needle`? Without a needle only a
 * prompt that was typed now counts: an earlier one, taken from the queue after our paste, once read as ours.
 */
export function provesDelivery(
	record: unknown,
	needle: string | null,
): RecordKind | null {
	const kind = classifyRecord(record);
	if (kind === null) return null;
	if (needle !== null)
		return (deliveredText(record) ?? "").includes(needle) ? kind : null;
	if (kind === "enqueue") return kind;
	const source = isObject(record) ? record.promptSource : null;
	return typeof source === "string" && source !== "queued" ? kind : null;
}

/**
 * Does this record prove that a `/command` line ran, or waits to run? A command is too short to be
 * looked for by its text: an earlier prompt, written late, once passed for it.
 */
export function provesCommand(
	record: unknown,
	line: string,
): RecordKind | null {
	if (!isObject(record) || record.isSidechain === true) return null;
	const text = rawText(record);
	if (text === null) return null;
	if (record.type === "queue-operation")
		return classifyRecord(record) === "enqueue" && text.trim() === line.trim()
			? "enqueue"
			: null;
	if (record.type !== "user" && record.type !== "system") return null;
	const name = line.trim().split(/\s/, 1)[0] ?? "";
	return text.includes(`<command-name>${name}</command-name>`)
		? "submission"
		: null;
}

/**
 * The prompt's text without Claude Code's own wrapper around a paste; null when the record has none.
 * Inside the wrapper, text that looks like one comes with a backslash, which is taken out again.
 */
export function deliveredText(record: unknown): string | null {
	const text = rawText(record);
	if (text === null) return null;
	const wrapped =
		/^\s*<pasted_content( [^>]*)?>\n([\s\S]*?)\n<\/pasted_content\1>\s*$/.exec(
			text,
		);
	return wrapped?.[2]?.replace(/<\\(?=\/?pasted_content\b)/g, "<") ?? text;
}

/**
 * "Byte for byte" (contract 00 R4): the record's text equals the cleaned payload with each TAB as
 * four blanks. Blanks at the very end are left out: Claude Code drops them from a prompt that it shows in full.
 */
export function arrivedWhole(record: unknown, payload: string): boolean {
	const expected = payload.replaceAll("\t", "    ").trimEnd();
	return deliveredText(record)?.trimEnd() === expected;
}

function rawText(record: unknown): string | null {
	const content = isObject(record) ? contentOf(record) : null;
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return null;
	return content
		.map((block: unknown) => (isObject(block) ? block.text : null))
		.filter((text) => typeof text === "string")
		.join("\n");
}

function contentOf(record: JsonObject): unknown {
	if (record.type !== "user") return record.content;
	return isObject(record.message) ? record.message.content : null;
}
