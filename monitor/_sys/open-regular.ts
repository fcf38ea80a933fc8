/** Opening a file to write, in a folder where anything may lie in its place: a FIFO would hang its opener for ever. */
import {
	closeSync,
	constants,
	fstatSync,
	ftruncateSync,
	openSync,
} from "node:fs";

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
const APPEND = O_APPEND | O_CREAT | O_NONBLOCK | O_RDWR;
/** All but `read` make a missing file. */
const FLAGS = {
	read: O_NONBLOCK | O_RDONLY,
	append: APPEND,
	empty: APPEND,
} as const;

/** Its descriptor, close-on-exec. Throws the system's error, ENXIO for what is no regular file. */
export function openRegular(
	path: string,
	to: keyof typeof FLAGS,
	mode?: number,
): number {
	const fd = openSync(path, FLAGS[to], mode);
	try {
		if (!fstatSync(fd).isFile())
			throw systemError("ENXIO", "not a regular file");
		if (to === "empty") ftruncateSync(fd);
		return fd;
	} catch (e) {
		closeSync(fd);
		throw e;
	}
}

export function systemError(code: string, message: string): Error {
	return Object.assign(new Error(message), { code });
}
