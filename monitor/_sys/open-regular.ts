/** Opening a file to hold or to hand on, in a folder where anything may lie in its place: a FIFO would hang its opener for ever. */
import { closeSync, constants, fstatSync, openSync } from "node:fs";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } =
	constants;
const FLAGS = {
	read: O_NONBLOCK | O_RDONLY,
	/** Makes a missing one. */
	append: O_APPEND | O_CREAT | O_NONBLOCK | O_RDWR,
	/** The same, but never through a symlink: whoever holds it empties the file and writes who holds it. */
	own: O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_RDWR,
} as const;

/** Its descriptor, close-on-exec. Throws the system's error, ENXIO for what is no regular file. */
export function openRegular(
	path: string,
	to: keyof typeof FLAGS,
	mode?: number,
): number {
	const fd = openSync(path, FLAGS[to], mode);
	if (fstatSync(fd).isFile()) return fd;
	closeSync(fd);
	throw Object.assign(new Error("not a regular file"), { code: "ENXIO" });
}
