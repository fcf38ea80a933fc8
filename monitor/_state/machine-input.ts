/**
 * `machine-input.tsv`, append-only: `<window>\t<epoch>\t<src>[\t<flag>]`, one row BEFORE each paste or
 * key of ours (contract 04 §7). Input without a row reads as an operator at the keyboard.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

export interface MachineInput {
	readonly window: string;
	/** As written: seconds, or microseconds from 10^14 on. It is the key of a sidecar. */
	readonly stamp: number;
	readonly src: string;
	readonly flag: string;
}

const FIRST_MICROSECONDS = 1e14;

export function machineInputPath(stateDir: string): string {
	return join(stateDir, "machine-input.tsv");
}

/** The stamp in seconds, whichever unit its writer used. */
export function machineInputSeconds(row: MachineInput): number {
	return row.stamp >= FIRST_MICROSECONDS ? row.stamp / 1e6 : row.stamp;
}

/** Rows in file order; a line that does not parse costs only itself. */
export function parseMachineInput(text: string): readonly MachineInput[] {
	return text.split("\n").flatMap((line) => {
		const [window = "", epoch, src, flag = ""] = line.split("\t");
		const stamp = stampOf(epoch);
		return stamp === null || src === undefined
			? []
			: [{ window, stamp, src, flag }];
	});
}

/** With its newline. Tabs and line breaks in a field become blanks; an empty flag has no column. */
export function renderMachineInput(row: MachineInput): string {
	const fields = [row.window, String(row.stamp), row.src];
	if (row.flag !== "") fields.push(row.flag);
	return `${fields.map(oneField).join("\t")}\n`;
}

/** The newest row of a window, or null. */
export function newestMachineInput(
	files: Files,
	stateDir: string,
	window: string,
): MachineInput | null {
	const rows = readMachineInput(files, stateDir) ?? [];
	return newestOf(rows.filter((r) => r.window === window));
}

/** All rows in file order; null: could not look. */
export function readMachineInput(
	files: Files,
	stateDir: string,
): readonly MachineInput[] | null {
	const read = files.read(machineInputPath(stateDir));
	if (read.kind === "unreadable") return null;
	return read.kind === "ok" ? parseMachineInput(read.text) : [];
}

/** Pure. The row with the latest stamp; of two equal ones the later in the file. */
export function newestOf(rows: readonly MachineInput[]): MachineInput | null {
	return rows.reduce<MachineInput | null>(
		(newest, row) =>
			newest === null || machineInputSeconds(row) >= machineInputSeconds(newest)
				? row
				: newest,
		null,
	);
}

/** More rows than this are compacted. */
const MANY_ROWS = 200;

/** Pure. Without the rows of windows that are gone; of a long file only the newest row of each window. */
export function keptMachineInput(
	rows: readonly MachineInput[],
	gone: ReadonlySet<string>,
): readonly MachineInput[] {
	const kept = rows.filter((row) => !gone.has(row.window));
	if (kept.length <= MANY_ROWS) return kept;
	const newest = Map.groupBy(kept, (row) => row.window)
		.values()
		.map(newestOf);
	const wanted = new Set(newest);
	return kept.filter((row) => wanted.has(row));
}

/** Takes out what `keptMachineInput` does not keep. Other programs append here: a file that grew meanwhile is left for the next time. */
export function pruneMachineInput(
	files: Files,
	stateDir: string,
	gone: ReadonlySet<string>,
): void {
	const path = machineInputPath(stateDir);
	const read = files.read(path);
	if (read.kind !== "ok") return;
	const rows = parseMachineInput(read.text);
	const kept = keptMachineInput(rows, gone);
	if (kept.length === rows.length) return;
	const now = files.stat(path);
	if (now.kind !== "ok" || now.stat.size !== Buffer.byteLength(read.text))
		return;
	const text = kept.map(renderMachineInput).join("");
	if (text === "") files.remove(path);
	else files.writeAtomic(path, text, { mode: 0o640 });
}

/** Before the key, not after: a row too many costs less than one that is missing. */
export function appendMachineInput(
	files: Files,
	stateDir: string,
	row: MachineInput,
): WriteResult {
	return files.append(machineInputPath(stateDir), renderMachineInput(row), {
		mode: 0o640,
	});
}

/** Microseconds have 16 digits, one more than `digits` takes. */
function stampOf(text: string | undefined): number | null {
	return text !== undefined && /^\d{16}$/.test(text)
		? Number(text)
		: digits(text);
}

function oneField(text: string): string {
	return text.replace(/[\t\r\n]+/g, " ");
}
