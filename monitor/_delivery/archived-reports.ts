/** Which archived copy is that of a report, by its signature. */
import {
	archivePath,
	epochOfArchive,
	listArchives,
} from "../_state/emit-archive.ts";
import type { Files } from "../_sys/doors.ts";
import { emitSignature } from "./needle.ts";

/** Path by signature, of those that one of the newest archives is a copy of. Null: nobody could look. */
export type FindArchived = (
	signatures: readonly string[],
) => ReadonlyMap<string, string> | null;

/** A queue is some minutes old, and a busy watcher writes ten reports a minute. */
const NEWEST = 300;

/**
 * Of a report first the archive that was written when it was signed. No archive is read twice, unless it was written anew:
 * that of a report that was held is, with a new signature.
 */
export function followArchives(files: Files, stateDir: string): FindArchived {
	let known = new Map<string, Signed>();
	const signatureOf = (name: string, path: string): string | null => {
		const found = files.stat(path);
		if (found.kind !== "ok") return null;
		const { size, mtimeMs, ino } = found.stat;
		const version = `${size} ${mtimeMs} ${ino}`;
		const before = known.get(name);
		if (before?.version === version) return before.signature;
		const read = files.read(path);
		if (read.kind !== "ok") return null;
		const signature = emitSignature(read.text);
		known.set(name, { version, signature });
		return signature;
	};
	return (signatures) => {
		const names = signatures.length === 0 ? [] : listArchives(files, stateDir);
		if (names === null) return null;
		const newest = names.slice(-NEWEST);
		const isNew = new Set(newest);
		known = new Map([...known].filter(([name]) => isNew.has(name)));
		const found = new Map<string, string>();
		for (const signature of signatures)
			for (const name of nearest(newest, signedAt(signature))) {
				const path = archivePath(stateDir, name);
				if (signatureOf(name, path) !== signature) continue;
				found.set(signature, path);
				break;
			}
		return found;
	};
}

interface Signed {
	/** Another one: it was written anew. */
	readonly version: string;
	/** Null: it has none. */
	readonly signature: string | null;
}

/** Epoch seconds; NaN: it does not say. */
function signedAt(signature: string): number {
	return Date.parse(signature.split(" ")[1] ?? "") / 1000;
}

function nearest(
	names: readonly string[],
	epochSeconds: number,
): readonly string[] {
	return names
		.map((name) => {
			const away = Math.abs((epochOfArchive(name) ?? 0) - epochSeconds);
			return { name, away };
		})
		.sort((a, b) => a.away - b.away)
		.map(({ name }) => name);
}
