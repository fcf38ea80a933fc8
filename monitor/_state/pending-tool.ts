/** `pending-tool/<window>.json`: the tool that is in flight there (contract 08 §2.1). What is asked about when a permission prompt comes, and what a dead session was at. */
import { join } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { firstCharacters } from "./first-characters.ts";
import { type JsonObject, textAt } from "./json-object.ts";
import { windowFile, writeWindowFile } from "./window-file.ts";

export interface PendingTool {
	readonly tool: string;
	/** The start of the tool's input as JSON text. */
	readonly inputSummary: string;
	/** Epoch seconds; null when its `ts` is no time. */
	readonly at: number | null;
}

const SUMMARY_CHARACTERS = 200;
/** A record is some 300 bytes; more is not ours. */
const MAX_BYTES = 64 * 1024;

/** Null for a name that is no file name. */
export function pendingToolPath(
	stateDir: string,
	window: string,
): string | null {
	return windowFile(join(stateDir, "pending-tool"), window, ".json");
}

/** From the payload of a PreToolUse event; null when it names no tool. `now` in epoch seconds. */
export function pendingRecord(
	payload: JsonObject,
	now: number,
): PendingTool | null {
	const tool = textAt(payload, "tool_name");
	if (tool === null) return null;
	const input = JSON.stringify(payload.tool_input ?? {});
	const inputSummary = firstCharacters(input, SUMMARY_CHARACTERS);
	return { tool, inputSummary, at: now };
}

function renderPendingTool(record: PendingTool): string {
	return `${JSON.stringify({
		tool: record.tool,
		input_summary: record.inputSummary,
		ts: record.at,
	})}\n`;
}

/** The record as text, as a decision carries it; empty when there is none. */
export function pendingToolText(
	files: EverydayFiles,
	stateDir: string,
	window: string,
): string {
	const path = pendingToolPath(stateDir, window);
	const read = path === null ? null : files.read(path, MAX_BYTES);
	return read?.kind === "ok" ? read.text.trimEnd() : "";
}

/** Replaces the tool before; a name that is no file name writes nothing. */
export function writePendingTool(
	files: EverydayFiles,
	stateDir: string,
	window: string,
	record: PendingTool,
): WriteResult {
	const path = pendingToolPath(stateDir, window);
	return writeWindowFile(files, path, renderPendingTool(record));
}

/** None there is fine. */
export function clearPendingTool(
	files: EverydayFiles,
	stateDir: string,
	window: string,
): WriteResult {
	const path = pendingToolPath(stateDir, window);
	return path === null ? { kind: "ok" } : files.remove(path);
}
