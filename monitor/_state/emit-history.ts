/** Stamps by which comments and alerts are damped, a file each (contract 02 §10): `emit-history/`, `reemit-backoff/`, `alert-history/`. */
import { join } from "node:path";

/** A folder of stamps, and what the names of its stamps look like. */
export interface StampFolder {
	readonly dir: string;
	readonly isStamp: (name: string) => boolean;
}

export function emitStampFolders(stateDir: string): readonly StampFolder[] {
	return [
		{
			dir: join(stateDir, "emit-history"),
			isStamp: (name) => /^comment-.*\.meta$/.test(name),
		},
		{
			dir: join(stateDir, "reemit-backoff"),
			isStamp: (name) => name.endsWith(".ts"),
		},
		{
			dir: join(stateDir, "alert-history"),
			isStamp: (name) => name.endsWith(".meta"),
		},
	];
}
