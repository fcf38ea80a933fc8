/** `last-emit-stable-hash.ring` and the older single pair: bodies that were delivered lately (contract 01 §11.5). */
import { join } from "node:path";
import type { Files, Locks } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";

export interface RingEntry {
	/** Epoch seconds of the delivery. */
	readonly epoch: number;
	readonly hash: string;
}

const LOCK_WAIT_MS = 5000;

function emitRingPath(stateDir: string): string {
	return join(stateDir, "last-emit-stable-hash.ring");
}
function lastEmitHashPath(stateDir: string): string {
	return join(stateDir, "last-emit-stable-hash");
}
function lastEmitHashTimePath(stateDir: string): string {
	return join(stateDir, "last-emit-stable-ts");
}

/** A line that does not parse costs only itself; null when no line does. */
export function parseEmitRing(text: string): readonly RingEntry[] | null {
	const entries = text.split("\n").flatMap((line) => {
		const [epoch, hash, rest] = line.split("\t");
		const at = digits(epoch);
		return at !== null && hash && rest === undefined
			? [{ epoch: at, hash }]
			: [];
	});
	return entries.length === 0 ? null : entries;
}

/** `<epoch>\t<hash>` a line, in the order given. */
export function renderEmitRing(entries: readonly RingEntry[]): string {
	return entries.map(({ epoch, hash }) => `${epoch}\t${hash}\n`).join("");
}

/** Newest last. Without a ring the pair speaks; a damaged ring mutes nothing. */
export function readEmitRing(
	doors: StateDoors,
	stateDir: string,
): readonly RingEntry[] {
	const read = readState(
		doors,
		stateDir,
		emitRingPath(stateDir),
		parseEmitRing,
	);
	if (read.kind === "ok") return read.value;
	return read.kind === "absent" ? readPair(doors.files, stateDir) : [];
}

/** Replaces the ring by `next(ring)` under its lock; after 5 s it goes on without, since a lost entry only repeats an emit. */
export async function updateEmitRing(
	doors: StateDoors & { readonly locks: Locks },
	stateDir: string,
	next: (ring: readonly RingEntry[]) => readonly RingEntry[],
): Promise<void> {
	const path = emitRingPath(stateDir);
	const lock = await doors.locks.acquireWithin(`${path}.lock`, LOCK_WAIT_MS);
	try {
		const ring = next(readEmitRing(doors, stateDir));
		doors.files.writeAtomic(path, renderEmitRing(ring));
		const newest = ring.at(-1);
		if (newest === undefined) return;
		doors.files.writeAtomic(lastEmitHashPath(stateDir), `${newest.hash}\n`);
		doors.files.writeAtomic(
			lastEmitHashTimePath(stateDir),
			`${newest.epoch}\n`,
		);
	} finally {
		if (lock.kind === "acquired") lock.lock.release();
	}
}

function readPair(files: Files, stateDir: string): readonly RingEntry[] {
	const hash = files.read(lastEmitHashPath(stateDir));
	const at = files.read(lastEmitHashTimePath(stateDir));
	if (hash.kind !== "ok" || at.kind !== "ok") return [];
	const epoch = digits(at.text.trim());
	const value = hash.text.trim();
	return epoch === null || value === "" ? [] : [{ epoch, hash: value }];
}
