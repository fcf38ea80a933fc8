/** The fake disk's questions: read, stat, list, links. */

import { sortedByBytes } from "../../monitor/_sys/byte-order.ts";
import type {
	Files,
	ListResult,
	ReadResult,
	StatResult,
} from "../../monitor/_sys/doors.ts";
import { type Disk, nodeAt, statOf } from "./disk.ts";
import type { Gate } from "./faults.ts";

const MAX_READ = 16 * 1024 * 1024;

export interface Ctx {
	readonly disk: Disk;
	readonly gate: Gate;
	readonly changed: (path: string) => void;
}

type Lookers = Pick<
	Files,
	| "read"
	| "readFrom"
	| "readBytes"
	| "stat"
	| "lstat"
	| "list"
	| "realpath"
	| "readlink"
>;

export function lookers({ disk, gate }: Ctx): Lookers {
	const look = (path: string, follow: boolean): StatResult => {
		const code = gate.check("stat", path);
		if (code !== null) return { kind: "unreadable", reason: code };
		const found = disk.find(path, follow);
		if (found === "ELOOP") return { kind: "unreadable", reason: found };
		if (typeof found === "string" || found.node === null)
			return { kind: "absent" };
		return { kind: "ok", stat: statOf(found.node) };
	};
	const bytes = (
		path: string,
		follow = true,
	): Exclude<ReadResult, { kind: "ok" }> | { bytes: Buffer } => {
		const code = gate.check("read", path);
		if (code !== null) return { kind: "unreadable", reason: code };
		const found = disk.find(path, follow);
		if (found === "ELOOP") return { kind: "unreadable", reason: found };
		if (typeof found === "string" || found.node === null)
			return { kind: "absent" };
		if (found.node.kind === "symlink")
			return { kind: "unreadable", reason: "ELOOP" };
		if (found.node.kind !== "file")
			return { kind: "unreadable", reason: "not a regular file" };
		return { bytes: found.node.bytes };
	};
	return {
		read: (path, maxBytes = MAX_READ) => {
			const got = bytes(path);
			if (!("bytes" in got)) return got;
			if (got.bytes.length > maxBytes)
				return { kind: "unreadable", reason: `larger than ${maxBytes} bytes` };
			return { kind: "ok", text: textOf(got.bytes) };
		},
		readFrom: (path, from, maxBytes = MAX_READ) => {
			const got = bytes(path);
			if (!("bytes" in got)) return got;
			const { bytes: all } = got;
			if (from === 0 && all.length <= maxBytes)
				return { kind: "ok", text: textOf(all) };
			const part = all.subarray(from, from + maxBytes);
			return { kind: "ok", text: part.toString("utf8") };
		},
		readBytes: (path, maxBytes) => {
			const got = bytes(path, false);
			if (!("bytes" in got)) return got;
			if (got.bytes.length > maxBytes)
				return { kind: "unreadable", reason: `larger than ${maxBytes} bytes` };
			return { kind: "ok", bytes: got.bytes };
		},
		stat: (path) => look(path, true),
		lstat: (path) => look(path, false),
		list: (dir): ListResult => {
			const code = gate.check("list", dir);
			if (code !== null) return { kind: "unreadable", reason: code };
			const found = disk.find(dir);
			if (typeof found === "string" || found.node === null)
				return found === "ELOOP" || found === "ENOTDIR"
					? { kind: "unreadable", reason: found }
					: { kind: "absent" };
			if (found.node.kind !== "dir")
				return { kind: "unreadable", reason: "ENOTDIR" };
			const { node } = found;
			node.sorted ??= sortedByBytes(node.children.keys());
			return { kind: "ok", names: [...node.sorted] };
		},
		realpath: (path) => {
			const found = disk.find(path);
			return typeof found === "string" || found.node === null
				? null
				: found.real;
		},
		readlink: (path) => {
			const node = nodeAt(disk, path, false);
			return node?.kind === "symlink" ? node.target : null;
		},
	};
}

/** A change puts other bytes in their place, so those that stay have one text. */
const TEXTS = new WeakMap<Buffer, string>();

function textOf(bytes: Buffer): string {
	const known = TEXTS.get(bytes);
	if (known !== undefined) return known;
	const text = bytes.toString("utf8");
	TEXTS.set(bytes, text);
	return text;
}
