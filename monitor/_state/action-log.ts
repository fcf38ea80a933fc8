/** `action-log.jsonl`: what agents and the watcher did, a JSON object a line (contract 05 §9). Here: reading it. */
import { basename, join } from "node:path";
import { type StateDoors, setAside } from "./damaged.ts";
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

/**
 * The events of these names, oldest first, from the log and from its newest rotation: a worker that wrapped up before
 * the log was rotated has wrapped up all the same. Null: could not look.
 */
export function readActionLog(
	doors: StateDoors,
	stateDir: string,
	names: readonly string[],
): readonly ActionEvent[] | null {
	const path = actionLogPath(stateDir);
	const read = doors.files.read(path, MAX_BYTES);
	if (read.kind === "unreadable") return null;
	const text = read.kind === "ok" ? read.text : "";
	if (read.kind === "ok" && /^\0*$/.test(text)) {
		const why = text === "" ? "zero bytes" : "nothing but NUL";
		setAside(doors, stateDir, path, why);
	}
	return [
		...rotatedEvents(doors, stateDir, names),
		...parseActionLog(text, names),
	];
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

function rotatedEvents(
	{ files }: StateDoors,
	stateDir: string,
	names: readonly string[],
): readonly ActionEvent[] {
	const listed = files.list(stateDir);
	if (listed.kind !== "ok") return [];
	const base = basename(actionLogPath(stateDir));
	const newest = rotationsOf(listed.names, base).at(-1);
	if (newest === undefined) return [];
	const read = files.read(join(stateDir, newest), MAX_BYTES);
	return read.kind === "ok" ? parseActionLog(read.text, names) : [];
}

function parseLine(line: string): ActionEvent | null {
	const raw = parseObject(line);
	const field = (key: string) => textAt(raw, key);
	const event = field("event");
	if (event === null) return null;
	return { at: isoEpoch(field("ts")), event, window: field("window"), field };
}
