/** How large the last prompt of a session was, by its own transcript (contract 08 §10). */
import { numberAt, parseObject, valueAt } from "../_state/json-object.ts";
import type { Files } from "../_sys/doors.ts";

export type UsageRead =
	| { readonly kind: "ok"; readonly tokens: number }
	| { readonly kind: "missing" }
	/** No answer of the main chain says how large it was. */
	| { readonly kind: "none" };

/** The first look takes this much of the end; a transcript can have hundreds of MB. */
const FIRST_BYTES = 1024 * 1024;
const GROWTH = 8;

/** The end first, and only `lines` of it; then more and more, to the whole file. */
export function readUsage(
	files: Files,
	path: string,
	lines: number,
): UsageRead {
	const found = files.stat(path);
	if (found.kind !== "ok" || found.stat.kind !== "file")
		return { kind: "missing" };
	const { size } = found.stat;
	for (let bytes = FIRST_BYTES; ; bytes *= GROWTH) {
		const read = files.readFrom(path, Math.max(0, size - bytes), bytes);
		if (read.kind !== "ok") return { kind: "missing" };
		const all = read.text.split("\n");
		const isFirst = bytes === FIRST_BYTES;
		const tokens = lastMainChainUsage(isFirst ? all.slice(-lines) : all);
		if (tokens !== null) return { kind: "ok", tokens };
		if (bytes >= size && !(isFirst && all.length > lines))
			return { kind: "none" };
	}
}

/**
 * Prompt tokens of the newest answer of the main chain; null without one. The last, not the largest: a compaction must
 * show. Pure; torn lines are no records.
 */
export function lastMainChainUsage(lines: readonly string[]): number | null {
	for (const line of lines.toReversed()) {
		// Most lines carry no usage: they are not worth parsing.
		if (!line.includes('"usage"')) continue;
		const record = parseObject(line);
		if (record === null || record.isSidechain === true) continue;
		if (record.type !== "assistant") continue;
		const usage = valueAt(record, "message", "usage");
		const tokens = PARTS.reduce(
			(sum, part) => sum + (numberAt(usage, part) ?? 0),
			0,
		);
		if (tokens > 0) return tokens;
	}
	return null;
}

const PARTS = [
	"input_tokens",
	"cache_creation_input_tokens",
	"cache_read_input_tokens",
] as const;
