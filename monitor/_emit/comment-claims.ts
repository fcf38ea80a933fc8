/**
 * What damps comments and alerts: stamps on disk, learned from deliveries alone, and claims in memory
 * (contract 02 §10, 01 §8.1). A block that passed counts as told while its view has not ended, so that of two
 * tasks only one carries it. Claims die with the process and with a release: then nothing was told.
 */
import { readAlertStamps, writeAlertStamps } from "../_state/alert-history.ts";
import type { StateDoors } from "../_state/damaged.ts";
import { readEmitStamp, writeEmitStamp } from "../_state/emit-history.ts";
import { readReemitStamp, writeReemitStamp } from "../_state/reemit-backoff.ts";
import type { Files } from "../_sys/doors.ts";
import type { Known, Stamp } from "./filters/ruling.ts";

/** Claims by the key of their stamp. One a process. */
export type Claims = Map<string, Claim>;

interface Claim {
	readonly stamp: Stamp;
	/** Epoch seconds. */
	readonly at: number;
}

export interface StampLooks {
	mention(stem: string): Known<{ readonly at: number }> | null;
	alert(
		name: string,
		kind: string,
	): Known<{ readonly at: number; readonly sha: string }> | null;
	comment(
		stem: string,
	): Known<{ readonly at: number; readonly bodySha: string }> | null;
}

/** A claim in memory wins over the stamp on disk; null when a stem was never told, or its stamp cannot be read. */
export function stampLooks(
	doors: StateDoors,
	stateDir: string,
	claims: Claims,
): StampLooks {
	return {
		mention: (stem) => {
			const claim = claims.get(keyOf({ of: "mention", stem }));
			if (claim !== undefined) return { at: claim.at, claimed: true };
			const at = readReemitStamp(doors, stateDir, stem);
			return at === null ? null : { at, claimed: false };
		},
		alert: (name, kind) => {
			const claim = claims.get(keyOf({ of: "alert", name, kind, sha: "" }));
			if (claim?.stamp.of === "alert")
				return { at: claim.at, sha: claim.stamp.sha, claimed: true };
			const stamps = readAlertStamps(doors, stateDir, name);
			const known = stamps.find((stamp) => stamp.kind === kind);
			return known === undefined ? null : { ...known, claimed: false };
		},
		comment: (stem) => {
			const claim = claims.get(keyOf({ of: "comment", stem, bodySha: "" }));
			if (claim?.stamp.of === "comment")
				return { at: claim.at, bodySha: claim.stamp.bodySha, claimed: true };
			const known = readEmitStamp(doors, stateDir, stem);
			return known === null ? null : { ...known, claimed: false };
		},
	};
}

/** Ends with the function that it returns. */
export function claim(
	claims: Claims,
	stamps: readonly Stamp[],
	now: number,
): () => void {
	const taken = stamps.map((stamp) => {
		const entry: Claim = { stamp, at: now };
		claims.set(keyOf(stamp), entry);
		return entry;
	});
	return () => {
		for (const entry of taken) {
			const key = keyOf(entry.stamp);
			// An edited text may have been claimed by another view since.
			if (claims.get(key) === entry) claims.delete(key);
		}
	};
}

/** `now`: the moment of the delivery. */
export function writeStamps(
	doors: StateDoors,
	stateDir: string,
	stamps: readonly Stamp[],
	now: number,
): void {
	const { files } = doors;
	for (const stamp of stamps)
		switch (stamp.of) {
			case "mention":
				writeReemitStamp(files, stateDir, stamp.stem, now);
				break;
			case "comment": {
				const { stem, bodySha } = stamp;
				writeEmitStamp(files, stateDir, stem, { at: now, bodySha });
				break;
			}
			case "alert":
				learnAlert(doors, stateDir, stamp, now);
		}
}

/** What one of a pair says takes the other back. */
const TAKES_BACK: Readonly<Record<string, string>> = {
	"ingest-degraded": "ingest-recovered",
	"ingest-recovered": "ingest-degraded",
};

function learnAlert(
	doors: StateDoors,
	stateDir: string,
	{ name, kind, sha }: Extract<Stamp, { of: "alert" }>,
	at: number,
): void {
	const kept = readAlertStamps(doors, stateDir, name).filter(
		(stamp) => stamp.kind !== kind && stamp.kind !== TAKES_BACK[kind],
	);
	const files: Files = doors.files;
	writeAlertStamps(files, stateDir, name, [...kept, { kind, at, sha }]);
}

function keyOf(stamp: Stamp): string {
	return stamp.of === "alert"
		? `alert ${stamp.name} ${stamp.kind}`
		: `${stamp.of} ${stamp.stem}`;
}
