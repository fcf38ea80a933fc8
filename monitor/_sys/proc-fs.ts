/** Reading /proc. Each question has three answers: what it says, no such process, could not look. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import type { Looked, ProcStat } from "./doors.ts";
import { errnoOf } from "./errno.ts";

/** Fields of `/proc/<pid>/stat`; the name in it may hold blanks and parentheses. */
export function procStat(pid: number): Looked<ProcStat> {
	const read = procFile(pid, "stat");
	if (read.kind !== "ok") return read;
	const stat = parseStat(read.value);
	return stat === null
		? { kind: "unknown", reason: "stat is not of its format" }
		: { kind: "ok", value: stat };
}

/** Every process; one that ends while we read is left out. */
export function procTable(): Looked<readonly ProcStat[]> {
	let names: string[];
	try {
		names = readdirSync("/proc");
	} catch (e) {
		return { kind: "unknown", reason: errnoOf(e) };
	}
	const value: ProcStat[] = [];
	for (const name of names) {
		if (!/^\d+$/.test(name)) continue;
		const stat = procStat(Number(name));
		if (stat.kind === "ok") value.push(stat.value);
	}
	return value.length === 0
		? { kind: "unknown", reason: "/proc lists no process" }
		: { kind: "ok", value };
}

/** argv slots. A kernel thread and a zombie have none. */
export function procArgv(pid: number): Looked<readonly string[]> {
	const read = procFile(pid, "cmdline");
	if (read.kind !== "ok") return read;
	const slots = read.value.split("\0");
	if (slots.at(-1) === "") slots.pop();
	return { kind: "ok", value: slots };
}

/**
 * The environment that the process was started with, not what it has set since. The first of two equal names wins, as
 * in libc.
 */
export function procEnviron(
	pid: number,
): Looked<Readonly<Record<string, string>>> {
	const read = procFile(pid, "environ");
	if (read.kind !== "ok") return read;
	const value: Record<string, string> = {};
	for (const pair of read.value.split("\0")) {
		const at = pair.indexOf("=");
		if (at > 0) value[pair.slice(0, at)] ??= pair.slice(at + 1);
	}
	return { kind: "ok", value };
}

/** `exe` or `cwd`; ` (deleted)` is stripped: an upgraded binary is still the one it was. */
export function procLink(pid: number, name: "exe" | "cwd"): Looked<string> {
	try {
		const target = readlinkSync(`/proc/${pid}/${name}`);
		return { kind: "ok", value: target.replace(/ \(deleted\)$/, "") };
	} catch (e) {
		return notRead(e);
	}
}

/** Effective user id: what its folder in /proc belongs to. */
export function procOwner(pid: number): Looked<number> {
	try {
		return { kind: "ok", value: statSync(`/proc/${pid}`).uid };
	} catch (e) {
		return notRead(e);
	}
}

/** Pure. The name stands in parentheses and may hold blanks and parentheses itself: fields count from the last `)`. */
export function parseStat(text: string): ProcStat | null {
	const open = text.indexOf("(");
	const close = text.lastIndexOf(")");
	if (open < 0 || close < open) return null;
	const fields = text
		.slice(close + 2)
		.trim()
		.split(" ");
	const field = (n: number) => Number(fields[n - 3]);
	const stat = {
		pid: Number(text.slice(0, open).trim()),
		comm: text.slice(open + 1, close),
		state: fields[0] ?? "",
		ppid: field(4),
		pgid: field(5),
		sid: field(6),
		utime: field(14),
		stime: field(15),
		startTicks: fields[22 - 3] ?? "",
	};
	const numbers = [stat.pid, stat.ppid, stat.pgid, stat.sid, stat.utime];
	return numbers.every(Number.isInteger) && /^\d+$/.test(stat.startTicks)
		? stat
		: null;
}

function procFile(pid: number, name: string): Looked<string> {
	try {
		return { kind: "ok", value: readFileSync(`/proc/${pid}/${name}`, "utf8") };
	} catch (e) {
		return notRead(e);
	}
}

function notRead(e: unknown): Looked<never> {
	const code = errnoOf(e);
	// ESRCH: it ended between the open and the read.
	return code === "ENOENT" || code === "ESRCH"
		? { kind: "absent" }
		: { kind: "unknown", reason: code };
}
