/**
 * `pending-delivery/<archive>.json`: a report that is about to be pasted, written before its first key and gone once its
 * rows are learned. One that is found later was cut off in between, or lies unsent in the box (contract 01 §4.1).
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { parseObject } from "./json-object.ts";

export interface PendingDelivery {
	/** Name of the archived report. */
	readonly archive: string;
	/** As it was pasted. */
	readonly body: string;
	/** Epoch seconds. */
	readonly at: number;
	/** The snapshot that is the baseline once it is delivered; null: it moves none. */
	readonly baseline: string | null;
	/** Start of the watcher that is at it, epoch seconds; null: nobody is any more, and it may arrive late. */
	readonly sender: number | null;
}

function pendingDeliveryDir(stateDir: string): string {
	return join(stateDir, "pending-delivery");
}

function pathOf(stateDir: string, archive: string): string {
	return join(pendingDeliveryDir(stateDir), `${archive}.json`);
}

/** Flushed to disk: it must outlive what it is there for. */
export function writePendingDelivery(
	files: Files,
	stateDir: string,
	pending: PendingDelivery,
): WriteResult {
	files.mkdir(pendingDeliveryDir(stateDir));
	const text = `${JSON.stringify(pending)}\n`;
	const how = { mode: 0o600, fsync: true };
	return files.writeAtomic(pathOf(stateDir, pending.archive), text, how);
}

/** Its rows are learned, or it surely never arrived. */
export function dropPendingDelivery(
	files: Files,
	stateDir: string,
	archive: string,
): void {
	files.remove(pathOf(stateDir, archive));
}

/** Null for anything that is not whole. */
export function parsePendingDelivery(text: string): PendingDelivery | null {
	const { archive, body, at, baseline, sender } = parseObject(text) ?? {};
	return typeof archive === "string" &&
		typeof body === "string" &&
		typeof at === "number" &&
		(typeof baseline === "string" || baseline === null) &&
		(typeof sender === "number" || sender === null)
		? { archive, body, at, baseline, sender }
		: null;
}

/** Null: there is none, or it proves nothing. */
export function readPendingDelivery(
	files: Files,
	stateDir: string,
	archive: string,
): PendingDelivery | null {
	const read = files.read(pathOf(stateDir, archive));
	return read.kind === "ok" ? parsePendingDelivery(read.text) : null;
}

/** Oldest first. A damaged one is swept: it can prove nothing, and its rows are told again. */
export function readPendingDeliveries(
	files: Files,
	stateDir: string,
): readonly PendingDelivery[] {
	const dir = pendingDeliveryDir(stateDir);
	const listed = files.list(dir);
	if (listed.kind !== "ok") return [];
	return [...listed.names].sort().flatMap((name) => {
		const path = join(dir, name);
		const read = files.read(path);
		if (read.kind !== "ok") return [];
		const pending = parsePendingDelivery(read.text);
		const isItself = pending !== null && `${pending.archive}.json` === name;
		if (isItself) return [pending];
		files.remove(path);
		return [];
	});
}
