/**
 * Which demos run: `<runtime dir>/nexus-demo-<uid>/<name>.json`, 0600 in a 0700 folder of our own. It
 * outlives a demo that was killed, so that `--stop` finds what is left of it.
 */
import { basename, join } from "node:path";
import { parseObject, textAt } from "../../_state/json-object.ts";
import type { Doors, Files } from "../../_sys/doors.ts";
import { firstFolder } from "../../_sys/temp-dir.ts";

export interface DemoRecord {
	readonly root: string;
	/** ISO. */
	readonly startedAt: string;
}

/** The folder of the records; null when somebody else made it. */
export function recordDir({
	files,
	proc,
}: Pick<Doors, "files" | "proc">): string | null {
	const { XDG_RUNTIME_DIR, TMPDIR } = proc.env;
	// A `su` keeps the caller's runtime folder in the environment, there or not.
	const above = firstFolder(files, [XDG_RUNTIME_DIR, TMPDIR]);
	const dir = join(above, `nexus-demo-${proc.uid}`);
	files.mkdir(dir, 0o700);
	const found = files.lstat(dir);
	if (found.kind !== "ok" || found.stat.kind !== "dir") return null;
	return found.stat.uid === proc.uid ? dir : null;
}

/** For the owner's eyes alone. */
export function writeRecord(
	files: Files,
	dir: string,
	record: DemoRecord,
): void {
	const text = `${JSON.stringify(record)}\n`;
	files.writeAtomic(pathOf(dir, record.root), text, { mode: 0o600 });
}

/** Nothing of that demo is left. */
export function removeRecord(files: Files, dir: string, root: string): void {
	files.remove(pathOf(dir, root));
}

/** All records of the folder; what is torn or foreign is skipped. */
export function readRecords(files: Files, dir: string): readonly DemoRecord[] {
	const listed = files.list(dir);
	if (listed.kind !== "ok") return [];
	return listed.names
		.filter((name) => name.endsWith(".json"))
		.flatMap((name) => {
			const read = files.read(join(dir, name));
			const record = read.kind === "ok" ? parseRecord(read.text) : null;
			return record === null ? [] : [record];
		});
}

/** Null unless it names a folder that a demo can have made: all of it will be removed. */
export function parseRecord(text: string): DemoRecord | null {
	const json = parseObject(text);
	const root = textAt(json, "root");
	const startedAt = textAt(json, "startedAt");
	if (root === null || startedAt === null) return null;
	return /^\/([^/]+\/)*nexus-demo-[^/]+$/.test(root) && !/\/\.\.?\//.test(root)
		? { root, startedAt }
		: null;
}

function pathOf(dir: string, root: string): string {
	return join(dir, `${basename(root)}.json`);
}
