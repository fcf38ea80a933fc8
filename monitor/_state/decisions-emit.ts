/** `pending-decisions-emit-state.tsv`, `<window>\t<fingerprint>\t<epoch>`: when each decision row was last delivered (contract 08 §5.4). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { type StateDoors, setAside } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column } from "./rows-file.ts";

export interface DecisionStamp {
	readonly window: string;
	readonly fingerprint: string;
	/** Epoch seconds of the last delivery. */
	readonly deliveredAt: number;
}

export function decisionsEmitPath(stateDir: string): string {
	return join(stateDir, "pending-decisions-emit-state.tsv");
}

/** A line that does not parse costs only itself. */
export function parseDecisionStamps(text: string): readonly DecisionStamp[] {
	return text.split("\n").flatMap((line) => {
		const [window, fingerprint, epoch, rest] = line.split("\t");
		const deliveredAt = digits(epoch);
		if (!window || !fingerprint || deliveredAt === null || rest !== undefined)
			return [];
		return [{ window, fingerprint, deliveredAt }];
	});
}

/** A row a line; tabs and line breaks in a column become blanks. */
export function renderDecisionStamps(stamps: readonly DecisionStamp[]): string {
	return stamps
		.map((s) => [s.window, s.fingerprint, s.deliveredAt].map(column))
		.map((columns) => `${columns.join("\t")}\n`)
		.join("");
}

/** Null: could not look. A file without one good line is damaged; its rows are due again, which is allowed. */
export function readDecisionStamps(
	doors: StateDoors,
	stateDir: string,
): readonly DecisionStamp[] | null {
	const path = decisionsEmitPath(stateDir);
	const read = doors.files.read(path);
	if (read.kind === "absent") return [];
	if (read.kind === "unreadable") return null;
	const stamps = parseDecisionStamps(read.text);
	// Empty is what the rule "nothing pending" leaves behind.
	if (stamps.length === 0 && read.text !== "")
		setAside(doors, stateDir, path, "not of its format");
	return stamps;
}

/** Leaves an unchanged file alone. */
export function writeDecisionStamps(
	files: Files,
	stateDir: string,
	stamps: readonly DecisionStamp[],
): WriteResult {
	const path = decisionsEmitPath(stateDir);
	const text = renderDecisionStamps(stamps);
	const read = files.read(path);
	if (read.kind === "ok" ? read.text === text : text === "")
		return { kind: "ok" };
	return files.writeAtomic(path, text);
}
