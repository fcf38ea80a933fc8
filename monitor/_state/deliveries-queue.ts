/**
 * `deliveries-queue.lines`: blocks that their source finds only once, on their way to an emit (contract 02 §6).
 * There is a queue because what a task stages is replaced every 15 s, and whoever reads it comes more
 * seldom: three of four events were lost.
 */
import { basename, join } from "node:path";
import type { Files, Locks, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { mtimeOf } from "./peek.ts";

type Doors = StateDoors & { readonly locks: Locks };

/** What was taken out. Its files stand until the blocks were delivered or put back: a process that is killed in between loses none. */
export interface Drained {
	/** Leftovers of a process that died first. */
	readonly text: string;
	/** Modification time of the queue as it was, epoch seconds; null when there was none. */
	readonly mtime: number | null;
	readonly files: readonly string[];
}

export const NOTHING_DRAINED: Drained = { text: "", mtime: null, files: [] };

const LOCK_WAIT_MS = 5_000;
/** What came while nobody took anything for days, with room to spare. */
const MAX_BYTES = 128 * 1024 * 1024;

export function deliveriesQueuePath(stateDir: string): string {
	return join(stateDir, "deliveries-queue.lines");
}

function deliveriesQueueLockPath(stateDir: string): string {
	return join(stateDir, "deliveries-queue.lock");
}

/** Whole blocks, each line ended. Not written = not queued, and the caller must not go on as if it were. */
export async function appendQueue(
	doors: Doors,
	stateDir: string,
	text: string,
): Promise<WriteResult> {
	const path = deliveriesQueuePath(stateDir);
	return locked(doors, stateDir, (): WriteResult => {
		const cut = cutTornTail(doors.files, path);
		return cut.kind === "ok" ? doors.files.append(path, text) : cut;
	});
}

/**
 * What a writer left that died, or had no room: never to be sealed as if it were whole, for half an order may say the
 * opposite. Nobody counted it as queued, so that it comes again.
 */
function cutTornTail(files: Files, path: string): WriteResult {
	const found = files.stat(path);
	if (found.kind !== "ok" || found.stat.size === 0) return { kind: "ok" };
	const last = files.readFrom(path, found.stat.size - 1, 1);
	if (last.kind === "ok" && last.text === "\n") return { kind: "ok" };
	const read = files.read(path, MAX_BYTES);
	return read.kind === "ok"
		? files.writeAtomic(path, wholeBlocks(read.text))
		: { kind: "failed", code: "EIO", reason: `${path} cannot be read` };
}

export interface Drainer {
	readonly pid: number;
	/** Files of drains of this process that have not ended, this one's from now on; any other is what a dead process left. */
	readonly live: Set<string>;
}

/**
 * Takes the queue, and what dead processes left of it, under the lock. The text stays in `files` until `endDrain` or
 * `putBack`; what cannot be drained is logged and drains nothing.
 */
export async function drainQueue(
	doors: Doors,
	stateDir: string,
	{ pid, live }: Drainer,
): Promise<Drained> {
	const { files, log } = doors;
	const path = deliveriesQueuePath(stateDir);
	const left = () =>
		drainsIn(files, stateDir).filter((file) => !live.has(file));
	if (files.stat(path).kind === "absent" && left().length === 0)
		return NOTHING_DRAINED;
	const drained = await locked(doors, stateDir, () => {
		const mtime = mtimeOf(files, path);
		const taken = mtime === null ? null : takeQueue(doors, path, pid);
		const found = [...left().filter((file) => file !== taken), taken];
		const texts = found.flatMap((file) => readDrain(doors, file));
		for (const { file } of texts) live.add(file);
		return {
			kind: "ok" as const,
			text: texts.map(({ text }) => text).join(""),
			mtime,
			files: texts.map(({ file }) => file),
		};
	});
	if (drained.kind === "ok") return drained;
	log.warn(`deliveries queue could not be drained: ${drained.reason}`);
	return NOTHING_DRAINED;
}

/** The blocks arrived, or need not. */
export function endDrain(files: Files, drained: Drained): void {
	for (const file of drained.files) files.remove(file);
}

/**
 * `text` in front of what came meanwhile. Nothing new came with it, so the queue keeps its time and
 * hurries nobody. Not written: what was drained stays where it is, and the next drain finds it.
 */
export async function putBack(
	doors: Doors,
	stateDir: string,
	text: string,
	drained: Drained,
): Promise<void> {
	const { files, log } = doors;
	const path = deliveriesQueuePath(stateDir);
	if (text === "") return endDrain(files, drained);
	const written = await locked(doors, stateDir, (): WriteResult => {
		const read = files.read(path, MAX_BYTES);
		if (read.kind === "unreadable")
			return { kind: "failed", code: "EIO", reason: read.reason };
		const came = read.kind === "ok" ? read.text : "";
		const at = came === "" ? drained.mtime : mtimeOf(files, path);
		const wrote = files.writeAtomic(path, text + came);
		if (wrote.kind === "ok" && at !== null) files.touch(path, { at });
		return wrote;
	});
	if (written.kind === "ok") return endDrain(files, drained);
	log.warn(`deliveries could not be put back: ${written.reason}`);
}

function drainsIn(files: Files, stateDir: string): readonly string[] {
	const listed = files.list(stateDir);
	const front = `${basename(deliveriesQueuePath(stateDir))}.draining.`;
	return listed.kind === "ok"
		? listed.names
				.filter((name) => name.startsWith(front))
				.map((name) => join(stateDir, name))
		: [];
}

/** The name of the drain; null when the queue stays where it is. */
function takeQueue(
	{ files, log }: Doors,
	path: string,
	pid: number,
): string | null {
	let aside = `${path}.draining.${pid}`;
	for (let n = 1; files.stat(aside).kind === "ok"; n++)
		aside = `${path}.draining.${pid}.${n}`;
	const moved = files.rename(path, aside);
	if (moved.kind === "ok") return aside;
	log.warn(`deliveries queue could not be drained: ${moved.reason}`);
	return null;
}

function readDrain({ files, log }: Doors, file: string | null) {
	const read = file === null ? null : files.read(file, MAX_BYTES);
	if (file === null || read === null || read.kind === "absent") return [];
	if (read.kind === "ok") return [{ file, text: wholeBlocks(read.text) }];
	log.warn(`${file} could not be read: ${read.reason}`);
	return [];
}

/** A lock that cannot be had says so: two that rename and append at once would lose blocks. */
async function locked<T>(
	{ locks }: Doors,
	stateDir: string,
	act: () => T,
): Promise<T | Extract<WriteResult, { kind: "failed" }>> {
	const path = deliveriesQueueLockPath(stateDir);
	const lock = await locks.acquireWithin(path, LOCK_WAIT_MS);
	if (lock.kind === "held")
		return { kind: "failed", code: "EAGAIN", reason: `${path} is held` };
	try {
		return act();
	} finally {
		// Without a lock file there is no guard, and no reason to stand still: one watcher has this state dir.
		if (lock.kind === "acquired") lock.lock.release();
	}
}

/** Without a last line that has no end; of a block whose body it is, without the header. */
function wholeBlocks(text: string): string {
	const end = text.lastIndexOf("\n") + 1;
	const isBody = /^\s/.test(text.slice(end));
	return text.slice(0, isBody ? text.lastIndexOf("\n", end - 2) + 1 : end);
}
