/** Reading one record of `decisions/`, for whoever acts on it: what is damaged is reported and set aside. */
import { join } from "node:path";
import { type StateDoors, type StateRead, setAside } from "./damaged.ts";
import {
	type DecisionRecord,
	decisionsDir,
	parseDecision,
} from "./decisions.ts";

/** A record carries the tool's raw input, which can be large; more than this is not read. */
const MAX_BYTES = 1024 * 1024;

/** Only a plain file in the folder itself is a record: a symlink would show a stranger's file, a FIFO would hang. */
export function readDecision(
	doors: StateDoors,
	stateDir: string,
	name: string,
): StateRead<DecisionRecord> {
	const path = join(decisionsDir(stateDir), name);
	const found = doors.files.lstat(path);
	if (found.kind === "absent") return found;
	if (found.kind === "unreadable")
		return { kind: "unreadable", why: found.reason };
	if (found.stat.kind !== "file")
		return { kind: "unreadable", why: `not a plain file (${found.stat.kind})` };
	const read = doors.files.read(path, MAX_BYTES);
	if (read.kind === "absent") return read;
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: read.reason };
	const record = parseDecision(read.text);
	if (record !== null) return { kind: "ok", value: record };
	const why = read.text === "" ? "zero bytes" : "not a JSON object";
	setAside(doors, stateDir, path, why);
	return { kind: "damaged", why };
}
