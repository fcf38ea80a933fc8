/** The disk's door. Types only. */

export interface FileStat {
	readonly kind: "file" | "dir" | "symlink" | "other";
	readonly size: number;
	/** Modification time, milliseconds since the epoch (fractional). */
	readonly mtimeMs: number;
	readonly mode: number;
	readonly uid: number;
	readonly ino: number;
	readonly dev: number;
}

/** Three answers (style rule 4): there, provably not there, could not look. */
export type ReadResult =
	| { readonly kind: "ok"; readonly text: string }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };
export type BytesResult =
	| { readonly kind: "ok"; readonly bytes: Uint8Array }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };
export type StatResult =
	| { readonly kind: "ok"; readonly stat: FileStat }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };
export type ListResult =
	| { readonly kind: "ok"; readonly names: readonly string[] }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };
export type WriteResult =
	| { readonly kind: "ok" }
	| { readonly kind: "failed"; readonly code: string; readonly reason: string };

/**
 * What every program needs of the disk, hooks included. Calls are synchronous: local files only, each bounded in size.
 * None throws. Readers follow a symlink in a file's place; nothing is written through one (ELOOP, or it is replaced).
 */
export interface EverydayFiles {
	/** UTF-8 text; `maxBytes` (default 16 MiB): a larger file is `unreadable`. A folder or FIFO is `unreadable`, never a hang. */
	read(path: string, maxBytes?: number): ReadResult;
	/** Follows symlinks. */
	stat(path: string): StatResult;
	/** Does not follow symlinks. */
	lstat(path: string): StatResult;
	/** Base names in byte order. */
	list(dir: string): ListResult;
	/** Temporary file `<path>.tmp.<unique>` in the same folder, then rename. Default mode 0644; `fsync` where loss would hurt. */
	writeAtomic(
		path: string,
		text: string | Uint8Array,
		opts?: { readonly mode?: number; readonly fsync?: boolean },
	): WriteResult;
	/** Creates a file and writes it; fails with code `EEXIST` when something is there. A short lock: a folder takes a hundred times as long. */
	writeNew(
		path: string,
		text: string,
		opts?: { readonly mode?: number },
	): WriteResult;
	/** One write(2) of whole lines on an O_APPEND descriptor; seals a torn tail first (contract 00 C9). Adds the final newline when missing. */
	append(
		path: string,
		lines: string,
		opts?: { readonly mode?: number },
	): WriteResult;
	/** Creates or truncates in place (keeps the inode). Only where an inode matters; else `writeAtomic`. */
	truncate(path: string): WriteResult;
	/** mtime := now (or the given time, epoch seconds); does not create unless `create`. */
	touch(
		path: string,
		opts?: { readonly create?: boolean; readonly at?: number },
	): WriteResult;
	/** Removing what is absent is `ok`. */
	remove(path: string): WriteResult;
	/** Replaces `to`. */
	rename(from: string, to: string): WriteResult;
	copy(from: string, to: string): WriteResult;
	/** With parents; existing is `ok`. */
	mkdir(dir: string, mode?: number): WriteResult;
}

/** The disk. `listSlow` is for folders that may stand on a slow disk. */
export interface Files extends EverydayFiles {
	/** Bytes from `from` (inclusive) to the end, at most `maxBytes`, decoded leniently. For growing logs and transcripts. */
	readFrom(path: string, from: number, maxBytes?: number): ReadResult;
	/** The whole file as it is; a symlink is not followed (`unreadable`, ELOOP), and a larger file than `maxBytes` is `unreadable`. */
	readBytes(path: string, maxBytes: number): BytesResult;
	/** As `list`, off the event loop; `unreadable` when `ms` pass first or `signal` aborts. */
	listSlow(dir: string, ms: number, signal?: AbortSignal): Promise<ListResult>;
	/** Removes a folder with its contents; absent is `ok`. */
	removeTree(path: string): WriteResult;
	/** Fails with code `EEXIST` when `to` exists (link + unlink). */
	renameNew(from: string, to: string): WriteResult;
	/** Without parents; fails with code `EEXIST` when something is there: a lock that other programs respect. */
	mkdirNew(dir: string, mode?: number): WriteResult;
	/** Real path, or null when it does not resolve. */
	realpath(path: string): string | null;
	/** Target of a symlink, or null. */
	readlink(path: string): string | null;
	/** A fresh private folder under the temporary directory. */
	makeTempDir(prefix: string): string;
	/** Create-and-unlink probe of a folder (contract 01 §2.2). */
	probeWritable(dir: string): WriteResult;
	/**
	 * Calls `onChange` (gathered by the caller) on any change below `dir`; a hint, never the only way.
	 * Returns the stop function; a folder that cannot be watched yields null.
	 */
	watch(dir: string, onChange: () => void): (() => void) | null;
}
