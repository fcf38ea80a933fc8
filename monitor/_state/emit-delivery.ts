/**
 * Health of emit delivery (contract 04 §6.4, 01 §14): `watcher-last-emit-delivery.ts` is the epoch of
 * the last one that arrived, `watcher-emit-delivery-fail.count` the failures since.
 */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

export interface EmitDelivery {
	/** Epoch seconds, or null: never. */
	readonly lastAt: number | null;
	readonly failures: number;
}

export function lastEmitDeliveryPath(stateDir: string): string {
	return join(stateDir, "watcher-last-emit-delivery.ts");
}

export function emitDeliveryFailPath(stateDir: string): string {
	return join(stateDir, "watcher-emit-delivery-fail.count");
}

/** Anything but digits counts as absent. */
export function readEmitDelivery(files: Files, stateDir: string): EmitDelivery {
	return {
		lastAt: integerIn(files, lastEmitDeliveryPath(stateDir)),
		failures: integerIn(files, emitDeliveryFailPath(stateDir)) ?? 0,
	};
}

/** No failures = no count file. */
export function writeEmitDelivery(
	files: Files,
	stateDir: string,
	next: EmitDelivery,
): void {
	if (next.lastAt !== null)
		files.writeAtomic(lastEmitDeliveryPath(stateDir), `${next.lastAt}\n`);
	const count = emitDeliveryFailPath(stateDir);
	if (next.failures === 0) files.remove(count);
	else files.writeAtomic(count, `${next.failures}\n`);
}

function integerIn(files: Files, path: string): number | null {
	const read = files.read(path);
	return read.kind === "ok" ? digits(read.text.trim()) : null;
}
