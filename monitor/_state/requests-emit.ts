/** `requests-emit-state.tsv`, `<id>\t<last delivered epoch>\t<delivered count>`: which requests the orchestrator has seen (contract 08 §6.1, §6.3). */
import { join } from "node:path";
import type { Files, Locks } from "../_sys/doors.ts";
import { type StateDoors, setAside } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column } from "./rows-file.ts";

export interface RequestStamp {
	readonly id: string;
	readonly deliveredAt: number;
	readonly count: number;
}

type Doors = StateDoors & { readonly locks: Locks };

const LOCK_WAIT_MS = 2000;

function requestsEmitPath(stateDir: string): string {
	return join(stateDir, "requests-emit-state.tsv");
}

/** Two columns are an older writer's: delivered once. A line that does not parse costs only itself. */
export function parseRequestStamps(text: string): readonly RequestStamp[] {
	return text.split("\n").flatMap((line) => {
		const [id, epoch, count, rest] = line.split("\t");
		const deliveredAt = digits(epoch);
		const times = count === undefined ? 1 : digits(count);
		if (!id || deliveredAt === null || times === null || rest !== undefined)
			return [];
		return [{ id, deliveredAt, count: times }];
	});
}

/** A row a line; epoch seconds. */
export function renderRequestStamps(stamps: readonly RequestStamp[]): string {
	return stamps
		.map((s) => [s.id, s.deliveredAt, s.count].map(column))
		.map((columns) => `${columns.join("\t")}\n`)
		.join("");
}

/** Null: could not look. A file without one good line is damaged; its requests are due again, which is allowed. */
export function readRequestStamps(
	doors: StateDoors,
	stateDir: string,
): readonly RequestStamp[] | null {
	const path = requestsEmitPath(stateDir);
	const read = doors.files.read(path);
	if (read.kind === "absent") return [];
	if (read.kind === "unreadable") return null;
	const stamps = parseRequestStamps(read.text);
	// Empty is what the rule "nothing claimed" leaves behind.
	if (stamps.length === 0 && read.text !== "")
		setAside(doors, stateDir, path, "not of its format");
	return stamps;
}

/**
 * Replaces the stamps by `next(stamps)` under their lock; after 2 s it goes on without. `next` gets null when nobody
 * could look, and answers null to leave the file alone.
 */
export async function updateRequestStamps(
	doors: Doors,
	stateDir: string,
	next: (
		stamps: readonly RequestStamp[] | null,
	) => readonly RequestStamp[] | null,
): Promise<void> {
	const path = requestsEmitPath(stateDir);
	const lock = await doors.locks.acquireWithin(`${path}.lock`, LOCK_WAIT_MS);
	try {
		const stamps = next(readRequestStamps(doors, stateDir));
		if (stamps !== null) write(doors.files, path, stamps);
	} finally {
		if (lock.kind === "acquired") lock.lock.release();
	}
}

/** The orchestrator's session was replaced: everything is due again. */
export function resetDeliveryState(
	doors: Doors,
	stateDir: string,
): Promise<void> {
	return updateRequestStamps(doors, stateDir, () => []);
}

function write(
	files: Files,
	path: string,
	stamps: readonly RequestStamp[],
): void {
	const text = renderRequestStamps(stamps);
	const read = files.read(path);
	const same = read.kind === "ok" ? read.text === text : text === "";
	if (!same) files.writeAtomic(path, text);
}
