/**
 * `watcher-unstick.log`: what the unstick pass saw and did, `[<iso>] [WARN ]window=<w> case=<A> action=<token> k=v…`
 * (contract 04 §8.1).
 */
import { join } from "node:path";
import type { Clock, Files } from "../_sys/doors.ts";

export interface UnstickNote {
	/** Null: it is about no window. */
	readonly window: string | null;
	/** `A`, `B`, `D`, `W` or `S`. */
	readonly case: string;
	readonly action: string;
	/** Somebody should look. */
	readonly warn?: true;
	readonly fields?: Readonly<Record<string, string | number>>;
}

export function unstickLogPath(stateDir: string): string {
	return join(stateDir, "watcher-unstick.log");
}

/** With its newline. Blanks in a value would read as the next field, so they are replaced. */
export function renderUnstickNote(iso: string, note: UnstickNote): string {
	const fields = Object.entries(note.fields ?? {}).map(
		([key, value]) => [key, value] as const,
	);
	const all = [
		...(note.window === null ? [] : [["window", note.window] as const]),
		["case", note.case] as const,
		["action", note.action] as const,
		...fields,
	];
	const words = all.map(([key, value]) => `${key}=${oneWord(value)}`);
	return `[${iso}] ${note.warn ? "WARN " : ""}${words.join(" ")}\n`;
}

/** Best effort: the work does not depend on its log. */
export function appendUnstickNote(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	note: UnstickNote,
): void {
	doors.files.append(
		unstickLogPath(stateDir),
		renderUnstickNote(doors.clock.iso(), note),
		{ mode: 0o640 },
	);
}

function oneWord(value: string | number): string {
	return String(value).replace(/\s+/g, "_");
}
