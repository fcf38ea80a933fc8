/** What the end of a turn says of the questions that were pending in it (contract 08 §5.2). */
import { join } from "node:path";
import type { EverydayFiles } from "../_sys/doors.ts";
import {
	type DecisionName,
	decisionFileName,
	decisionsDir,
	parseDecisionName,
} from "./decisions.ts";
import { type JsonObject, parseObject } from "./json-object.ts";

/** Pure. Null: nothing to add. A modal suspends the turn, so its end proves that the permission prompt is gone, and no other kind. */
export function markAtStop(record: JsonObject): JsonObject | null {
	if (record.resolved === true || record.unresolved === true) return null;
	return record.kind === "permission_prompt"
		? { ...record, resolved: true }
		: { ...record, unresolved: true };
}

/** Marks every live record of the window. One that cannot be read is left for whoever sets damaged files aside. */
export function markDecisionsAtStop(
	files: EverydayFiles,
	stateDir: string,
	window: string,
): void {
	const dir = decisionsDir(stateDir);
	const listed = files.list(dir);
	if (listed.kind !== "ok") return;
	const names = new Set(listed.names);
	const isLive = (d: DecisionName | null): d is DecisionName =>
		d !== null &&
		d.window === window &&
		!d.handled &&
		!names.has(decisionFileName({ ...d, handled: true }));
	for (const name of [...names].map(parseDecisionName).filter(isLive)) {
		const path = join(dir, decisionFileName(name));
		const read = files.read(path);
		const record = read.kind === "ok" ? parseObject(read.text) : null;
		const marked = record === null ? null : markAtStop(record);
		if (marked !== null) files.writeAtomic(path, `${JSON.stringify(marked)}\n`);
	}
}
