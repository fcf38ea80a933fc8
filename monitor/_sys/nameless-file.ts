/** A temporary file without a name: whatever ends us, nothing of it stays behind. */
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface NamelessFile {
	readonly fd: number;
	/** Its first bytes, decoded leniently. */
	text(maxBytes: number): string;
	close(): void;
}

/** Null where none can be made: a full disk must not keep a program from being run. */
export function namelessFile(): NamelessFile | null {
	const path = join(tmpdir(), `nexus-${crypto.randomUUID()}`);
	let fd: number;
	try {
		fd = openSync(path, "wx+", 0o600);
		unlinkSync(path);
	} catch {
		return null;
	}
	return {
		fd,
		text: (maxBytes) => {
			const bytes = Buffer.alloc(Math.min(maxBytes, fstatSync(fd).size));
			return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
		},
		close: () => closeSync(fd),
	};
}
