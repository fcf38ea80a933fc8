/** `action-log.jsonl`: what agents and the watcher did, a JSON object a line (contract 05 §9). Here: reading it. */
import { basename, join } from "node:path";
import { type StateDoors, setAside } from "./damaged.ts";
import { followFile, rowsBy } from "./followed-file.ts";
import { isoEpoch, parseObject, textAt } from "./json-object.ts";
import { rotationsOf } from "./rotation.ts";

export interface ActionEvent {
	/** Epoch seconds; null when its `ts` is no time. */
	readonly at: number | null;
	readonly event: string;
	/** Null when it names none. */
	readonly window: string | null;
	/** A field with text in it, or null. */
	readonly field: (key: string) => string | null;
}

export function actionLogPath(stateDir: string): string {
	return join(stateDir, "action-log.jsonl");
}

/** The events, oldest first, from the log and from its newest rotation. Null: could not look. */
export type ActionLogReader = (
	doors: StateDoors,
	stateDir: string,
) => readonly ActionEvent[] | null;

/**
 * For whoever looks again and again: each look reads on where the last one ended. The newest rotation counts: a worker that
 * wrapped up before the log was rotated has wrapped up all the same.
 */
export function followActionLog(names: readonly string[]): ActionLogReader {
	const reading = rowsBy((lines) => parseActionLog(lines, names));
	const follow = followFile(reading, { kind: "atMost", bytes: MAX_BYTES });
	return (doors, stateDir) => {
		const path = actionLogPath(stateDir);
		const log = follow(doors.files, path);
		if (log.kind === "unreadable") return null;
		if (log.kind === "ok" && log.isBlank)
			setAside(doors, stateDir, path, "zero bytes, or nothing but NUL");
		const rotated = newestRotation(doors, stateDir);
		const all = rotated === null ? [log] : [follow(doors.files, rotated), log];
		return all.flatMap((file) => (file.kind === "ok" ? file.value : []));
	};
}

/** One look, at the events of these names. */
export function readActionLog(
	doors: StateDoors,
	stateDir: string,
	names: readonly string[],
): readonly ActionEvent[] | null {
	return followActionLog(names)(doors, stateDir);
}

/** Pure. A line that is no JSON object, or has no event, costs only itself. */
export function parseActionLog(
	text: string,
	names: readonly string[],
): readonly ActionEvent[] {
	// Most lines are of other events: they are not worth parsing.
	const mentions = new RegExp(`"(?:${names.map(RegExp.escape).join("|")})"`);
	return text.split("\n").flatMap((line) => {
		const event = mentions.test(line) ? parseLine(line) : null;
		return event !== null && names.includes(event.event) ? [event] : [];
	});
}

const MAX_BYTES = 64 * 1024 * 1024;

function newestRotation(
	{ files }: StateDoors,
	stateDir: string,
): string | null {
	const listed = files.list(stateDir);
	if (listed.kind !== "ok") return null;
	const base = basename(actionLogPath(stateDir));
	const newest = rotationsOf(listed.names, base).at(-1);
	return newest === undefined ? null : join(stateDir, newest);
}

function parseLine(line: string): ActionEvent | null {
	const raw = parseObject(line);
	const field = (key: string) => textAt(raw, key);
	const event = field("event");
	if (event === null) return null;
	return { at: isoEpoch(field("ts")), event, window: field("window"), field };
}
