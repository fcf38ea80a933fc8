/** `emit-history/<stem>.meta`: when a comment was last delivered, and with which text (contract 02 §10, hop 9). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { type StampFolder, writeStamp } from "./stamp-folder.ts";

export interface EmitStamp {
	/** Epoch seconds. */
	readonly at: number;
	/** sha256 hex of the bare body line. */
	readonly bodySha: string;
}

/** For pruning; stamps that were set aside as damaged grow old like the others. */
export function emitHistory(stateDir: string): StampFolder {
	return {
		dir: join(stateDir, "emit-history"),
		isStamp: (name) => /\.meta(?:\.damaged\.\d+)?$/.test(name),
	};
}

function parseEmitStamp(text: string): EmitStamp | null {
	const kv = parseKv(text);
	const at = digits(kv.get("ts"));
	const bodySha = kv.get("body_sha");
	return at === null || !bodySha ? null : { at, bodySha };
}

/** Null: nothing to damp by. */
export function readEmitStamp(
	doors: StateDoors,
	stateDir: string,
	stem: string,
): EmitStamp | null {
	const read = readState(
		doors,
		stateDir,
		pathOf(stateDir, stem),
		parseEmitStamp,
	);
	return read.kind === "ok" ? read.value : null;
}

/** `at` in epoch seconds, `bodySha` of the text that was delivered. Best effort. */
export function writeEmitStamp(
	files: Files,
	stateDir: string,
	stem: string,
	{ at, bodySha }: EmitStamp,
): void {
	const text = renderKv([
		["ts", at],
		["body_sha", bodySha],
	]);
	writeStamp(files, pathOf(stateDir, stem), text);
}

function pathOf(stateDir: string, stem: string): string {
	return join(emitHistory(stateDir).dir, `${stem}.meta`);
}
