/** `boot-intent`: what the operator asked of the next orchestrator; one-shot, consumed by cold recovery (contract 01 §18). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateRead } from "./damaged.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { peekState } from "./peek.ts";

export interface BootIntent {
	readonly mode: "fresh" | "continue";
	/** Epoch seconds. */
	readonly ts: number;
	readonly source: string;
	readonly pid: number;
}

export function bootIntentPath(stateDir: string): string {
	return join(stateDir, "boot-intent");
}

/** Null without a known mode and a time; who asked is for the log alone. */
export function parseBootIntent(text: string): BootIntent | null {
	const kv = parseKv(text);
	const mode = kv.get("mode");
	const ts = digits(kv.get("ts"));
	if ((mode !== "fresh" && mode !== "continue") || ts === null) return null;
	return {
		mode,
		ts,
		source: kv.get("source") ?? "",
		pid: digits(kv.get("pid")) ?? 0,
	};
}

/** Four `key=value` lines; `ts` in epoch seconds. */
export function renderBootIntent(i: BootIntent): string {
	return renderKv([
		["mode", i.mode],
		["ts", i.ts],
		["source", i.source],
		["pid", i.pid],
	]);
}

/** Looks only: a damaged one is left where it is. */
export function peekBootIntent(
	files: Files,
	stateDir: string,
): StateRead<BootIntent> {
	return peekState(files, bootIntentPath(stateDir), parseBootIntent);
}

/** Replaces an older wish. */
export function writeBootIntent(
	files: Files,
	stateDir: string,
	i: BootIntent,
): WriteResult {
	return files.writeAtomic(bootIntentPath(stateDir), renderBootIntent(i));
}

/** It counts once. */
export function consumeBootIntent(files: Files, stateDir: string): WriteResult {
	return files.remove(bootIntentPath(stateDir));
}
