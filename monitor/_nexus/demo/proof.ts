/** The proof of a delivery: the orchestrator's own transcript, read after the fact (contract 00 R4). Pure. */
import { clean } from "../../_delivery/clean.ts";
import {
	arrivedWhole,
	classifyRecord,
	provesDelivery,
} from "../../_delivery/evidence.ts";
import { emitSignature } from "../../_delivery/needle.ts";
import { parseJson } from "../../_state/json-object.ts";

export interface Proof {
	readonly signature: string;
	/** Lines of the transcript, counted from 1, that are a prompt with the signature in it. */
	readonly lines: readonly number[];
	/** The first of them holds the archived text byte for byte. */
	readonly whole: boolean;
}

/** Null for an archive without a signature: no watcher of ours wrote it. */
export function proveDelivery(
	archived: string,
	transcript: string,
): Proof | null {
	const signature = emitSignature(archived);
	if (signature === null) return null;
	const found = transcript
		.split("\n")
		.map((line, at) => ({ line: at + 1, record: parseJson(line) }))
		.filter(({ record }) => classifyRecord(record) === "submission")
		.filter(({ record }) => provesDelivery(record, signature) !== null);
	return {
		signature,
		lines: found.map(({ line }) => line),
		whole: found
			.slice(0, 1)
			.some(({ record }) => arrivedWhole(record, clean(archived).text)),
	};
}

/** Delivered exactly once, whole, as one user message. */
export function isProven(proof: Proof | null): boolean {
	return proof?.lines.length === 1 && proof.whole;
}
