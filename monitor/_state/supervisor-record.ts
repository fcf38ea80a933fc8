/**
 * `services/<name>.pid`: who supervises a service (contract 06 §3). Written by the service's own first process, before
 * it becomes the service; everybody else only reads, moves aside or removes it.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv } from "./kv.ts";

export interface SupervisorRecord {
	readonly pid: number;
	/** `readlink /proc/self/ns/pid`; null = not known. */
	readonly ns: string | null;
	/** Field 22 of `/proc/<pid>/stat`; null = not known. */
	readonly startTicks: string | null;
}

/** `malformed` proves nothing about a process; `unreadable` is could not look. */
export type RecordRead =
	| { readonly kind: "absent" }
	| { readonly kind: "ok"; readonly record: SupervisorRecord }
	| { readonly kind: "malformed" }
	| { readonly kind: "unreadable"; readonly why: string };

/** Records, locks and stop marks of all services. */
export function supervisorDir(stateDir: string): string {
	return join(stateDir, "services");
}

export function supervisorRecordPath(stateDir: string, name: string): string {
	return join(supervisorDir(stateDir), `${name}.pid`);
}

/** Null when the first line is no integer. Records of old have that line only. */
export function parseRecord(text: string): SupervisorRecord | null {
	const pid = digits((text.split("\n", 1)[0] ?? "").trim());
	if (pid === null || pid <= 1) return null;
	const kv = parseKv(text);
	const known = (key: string) => {
		const value = kv.get(key)?.trim();
		return value === undefined || value === "" || value === "unknown"
			? null
			: value;
	};
	return { pid, ns: known("ns"), startTicks: known("start") };
}

/** `malformed` and `unreadable` are no leave to start a second process. */
export function readRecord(
	files: Pick<Files, "read">,
	stateDir: string,
	name: string,
): RecordRead {
	const read = files.read(supervisorRecordPath(stateDir, name));
	if (read.kind === "absent") return read;
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: read.reason };
	const record = parseRecord(read.text);
	return record === null ? { kind: "malformed" } : { kind: "ok", record };
}

/** Names of the services that have a record; none when the folder cannot be listed. */
export function listRecords(
	files: Pick<Files, "list">,
	stateDir: string,
): readonly string[] {
	const listed = files.list(supervisorDir(stateDir));
	if (listed.kind !== "ok") return [];
	return listed.names.flatMap((n) =>
		n.endsWith(".pid") ? [n.slice(0, -".pid".length)] : [],
	);
}

/** Out of the way of a new one, and kept as evidence: `<name>.pid.superseded`. Absent is `ok`. */
export function supersedeRecord(
	files: Pick<Files, "rename" | "stat">,
	stateDir: string,
	name: string,
): WriteResult {
	const path = supervisorRecordPath(stateDir, name);
	if (files.stat(path).kind === "absent") return { kind: "ok" };
	return files.rename(path, `${path}.superseded`);
}

/** None there is fine. */
export function removeRecord(
	files: Pick<Files, "remove">,
	stateDir: string,
	name: string,
): WriteResult {
	return files.remove(supervisorRecordPath(stateDir, name));
}
