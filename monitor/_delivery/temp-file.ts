/** A text as a file for as long as somebody works with it: tmux and the paste take files. */
import type { Files } from "../_sys/doors.ts";

/** Null: it could be put into no file, as on a full or read-only temporary folder; `act` did not run. */
export async function withTempFile<T>(
	files: Pick<Files, "makeTempDir" | "writeAtomic" | "removeTree">,
	text: string,
	act: (path: string) => Promise<T>,
): Promise<T | null> {
	let dir: string;
	try {
		dir = files.makeTempDir("nexus-text-");
	} catch {
		return null;
	}
	try {
		const path = `${dir}/text.md`;
		if (files.writeAtomic(path, text, { mode: 0o600 }).kind !== "ok")
			return null;
		return await act(path);
	} finally {
		files.removeTree(dir);
	}
}
