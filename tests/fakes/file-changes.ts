/** The fake disk's changes, step by step as the real ones, so that a crash or a fault can fall between two steps. */
import type { Clock, Files, WriteResult } from "../../monitor/_sys/doors.ts";
import { type FileNode, type Found, makeDirs, nodeAt } from "./disk.ts";
import type { FileOp } from "./faults.ts";
import type { Ctx } from "./file-looks.ts";

const OK: WriteResult = { kind: "ok" };
const LF = 10;

type Changers = Omit<
	Files,
	| "read"
	| "readFrom"
	| "readBytes"
	| "stat"
	| "lstat"
	| "list"
	| "listSlow"
	| "realpath"
	| "readlink"
	| "makeTempDir"
	| "watch"
>;

export function changers(
	{ disk, gate, changed }: Ctx,
	clock: Clock,
	unique: () => number,
): Changers {
	/** The place a path names, or the failure that keeps us from changing it. */
	function open(op: FileOp, path: string, follow = true): Found | WriteResult {
		const code = gate.check(op, path);
		if (code !== null) return failed(code, path);
		const found = disk.find(path, follow);
		return typeof found === "string" ? failed(found, path) : found;
	}

	/** Adds bytes as far as the disk takes them. */
	function store(node: FileNode, path: string, bytes: Buffer): WriteResult {
		const took = gate.admit(path, bytes.length);
		node.bytes = grown(node.bytes, bytes.subarray(0, took.bytes));
		node.mtimeMs = clock.nowMs();
		if (took.code === "crash") gate.crashed();
		return took.code === null ? OK : failed(took.code, path);
	}

	function fileAt(found: Found, mode: number): FileNode | string {
		if (found.node?.kind === "dir") return "EISDIR";
		if (found.node?.kind === "file") return found.node;
		if (found.node?.kind === "symlink") return "ELOOP";
		if (found.node !== null || found.parent === null) return "ENXIO";
		const made = disk.file(Buffer.alloc(0), mode);
		disk.put(found.parent, found.name, made);
		return made;
	}

	function move(from: string, to: string, replace: boolean): WriteResult {
		const code = gate.check("rename", from, to);
		if (code !== null) return failed(code, from);
		const a = disk.find(from, false);
		const b = disk.find(to, false);
		if (typeof a === "string") return failed(a, from);
		if (typeof b === "string") return failed(b, to);
		if (a.node === null || a.parent === null) return failed("ENOENT", from);
		if (b.parent === null) return failed("EBUSY", to);
		if (b.node !== null && !replace) return failed("EEXIST", to);
		if (b.node?.kind === "dir" && a.node.kind !== "dir")
			return failed("EISDIR", to);
		disk.drop(a.parent, a.name);
		disk.put(b.parent, b.name, a.node);
		changed(from);
		changed(to);
		return OK;
	}

	function drop(path: string, tree: boolean): WriteResult {
		const found = open("remove", path, false);
		if ("kind" in found)
			return found.kind === "failed" && isAbsence(found.code) ? OK : found;
		if (found.node === null || found.parent === null) return OK;
		if (found.node.kind === "dir" && !tree) return failed("EISDIR", path);
		disk.drop(found.parent, found.name);
		changed(path);
		return OK;
	}

	const self: Changers = {
		writeAtomic: (path, text, opts) => {
			const temp = `${path}.tmp.${unique()}`;
			const found = open("write", path);
			if ("kind" in found) return found;
			const place = disk.find(temp);
			if (typeof place === "string" || place.parent === null)
				return failed("ENOENT", path);
			const node = disk.file(Buffer.alloc(0), opts?.mode ?? 0o644);
			disk.put(place.parent, place.name, node);
			const wrote = store(node, path, bytesOf(text));
			if (opts?.fsync && wrote.kind === "ok") node.durable = node.bytes;
			const moved = wrote.kind === "ok" ? move(temp, path, true) : wrote;
			if (moved.kind === "failed") disk.drop(place.parent, place.name);
			return moved;
		},
		writeNew: (path, text, opts) => {
			const found = open("write", path, false);
			if ("kind" in found) return found;
			if (found.node !== null || found.parent === null)
				return failed("EEXIST", path);
			const node = disk.file(Buffer.alloc(0), opts?.mode ?? 0o644);
			disk.put(found.parent, found.name, node);
			const stored = store(node, path, Buffer.from(text));
			changed(path);
			return stored;
		},
		append: (path, lines, opts) => {
			if (lines === "") return OK;
			const found = open("append", path, false);
			if ("kind" in found) return found;
			const node = fileAt(found, opts?.mode ?? 0o644);
			if (typeof node === "string") return failed(node, path);
			const torn = node.bytes.length > 0 && node.bytes.at(-1) !== LF;
			const tail = lines.endsWith("\n") ? "" : "\n";
			const bytes = Buffer.from(`${torn ? "\n" : ""}${lines}${tail}`);
			const stored = store(node, path, bytes);
			changed(path);
			return stored;
		},
		truncate: (path) => {
			const found = open("write", path, false);
			if ("kind" in found) return found;
			const node = fileAt(found, 0o644);
			if (typeof node === "string") return failed(node, path);
			node.bytes = Buffer.alloc(0);
			node.mtimeMs = clock.nowMs();
			changed(path);
			return OK;
		},
		touch: (path, opts) => {
			const found = open("touch", path, false);
			if ("kind" in found) return found;
			const node = opts?.create ? fileAt(found, 0o644) : found.node;
			if (node === null) return failed("ENOENT", path);
			if (typeof node === "string") return failed(node, path);
			node.mtimeMs = opts?.at !== undefined ? opts.at * 1000 : clock.nowMs();
			changed(path);
			return OK;
		},
		remove: (path) => drop(path, false),
		removeTree: (path) => drop(path, true),
		rename: (from, to) => move(from, to, true),
		renameNew: (from, to) => move(from, to, false),
		copy: (from, to) => {
			const source = nodeAt(disk, from);
			if (source?.kind !== "file") return failed("ENOENT", from);
			const found = open("write", to);
			if ("kind" in found) return found;
			const node = fileAt(found, source.mode);
			if (typeof node === "string") return failed(node, to);
			node.bytes = Buffer.alloc(0);
			const stored = store(node, to, source.bytes);
			changed(to);
			return stored;
		},
		mkdir: (dir, mode = 0o755) => {
			const code = gate.check("mkdir", dir);
			if (code !== null) return failed(code, dir);
			const made = makeDirs(disk, dir, mode);
			if (typeof made === "string") return failed(made, dir);
			changed(dir);
			return OK;
		},
		mkdirNew: (dir, mode = 0o755) => {
			const found = open("mkdir", dir, false);
			if ("kind" in found) return found;
			if (found.node !== null || found.parent === null)
				return failed("EEXIST", dir);
			disk.put(found.parent, found.name, disk.dir(mode));
			changed(dir);
			return OK;
		},
		probeWritable: (dir) => {
			const found = open("probe", dir);
			if ("kind" in found) return found;
			if (found.node === null) return failed("ENOENT", dir);
			return found.node.kind === "dir" ? OK : failed("ENOTDIR", dir);
		},
	};
	return self;
}

function isAbsence(code: string): boolean {
	return code === "ENOENT" || code === "ENOTDIR";
}

function failed(code: string, path: string): WriteResult {
	return { kind: "failed", code, reason: `${code}: ${path}` };
}

function bytesOf(text: string | Uint8Array): Buffer {
	// Two calls for the types: each has a signature of its own.
	return typeof text === "string" ? Buffer.from(text) : Buffer.from(text);
}

/** Room behind the bytes of files that grow: copying a log at every line would cost more than all the rest. */
const ROOM = new WeakMap<Buffer, Buffer>();

function grown(old: Buffer, more: Buffer): Buffer {
	if (old.length === 0) return more;
	const length = old.length + more.length;
	let room = ROOM.get(old);
	if (room === undefined || room.length < length) {
		room = Buffer.alloc(2 * length);
		old.copy(room);
	}
	more.copy(room, old.length);
	const bytes = room.subarray(0, length);
	ROOM.set(bytes, room);
	// Whoever held the old bytes may grow them again, into a copy of their own.
	ROOM.delete(old);
	return bytes;
}
