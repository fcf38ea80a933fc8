/** A disk in memory: folders, files, symlinks, with the times, modes and inode numbers that the product looks at. No faults; those are in files.ts. */
import { posix } from "node:path";
import type { FileStat } from "../../monitor/_sys/doors.ts";

interface Meta {
	mtimeMs: number;
	mode: number;
	uid: number;
	readonly ino: number;
}
export interface FileNode extends Meta {
	kind: "file";
	bytes: Buffer;
	/** What a power cut leaves: the bytes of the last fsync, null when the file itself was never synced. */
	durable: Buffer | null;
}
export interface DirNode extends Meta {
	kind: "dir";
	readonly children: Map<string, Node>;
	/** Their names in the order of a listing; null: one has come or gone since. */
	sorted: readonly string[] | null;
}
export interface LinkNode extends Meta {
	kind: "symlink";
	target: string;
}
export interface OtherNode extends Meta {
	kind: "other";
}
export type Node = FileNode | DirNode | LinkNode | OtherNode;

interface Place {
	readonly parent: DirNode;
	readonly name: string;
}
const MOST_PLACES = 5_000;

export interface Found {
	readonly parent: DirNode | null;
	readonly name: string;
	readonly node: Node | null;
	/** The path with every symlink on the way resolved. */
	readonly real: string;
}
/** An errno name. */
export type Errno = "ENOENT" | "ENOTDIR" | "ELOOP";

export interface Disk {
	readonly root: DirNode;
	find(path: string, follow?: boolean): Found | Errno;
	put(parent: DirNode, name: string, node: Node): void;
	drop(parent: DirNode, name: string): void;
	file(bytes: Buffer, mode: number): FileNode;
	dir(mode: number): DirNode;
	link(target: string): LinkNode;
	/** A FIFO, socket or device: nothing to read, nothing to hang on. */
	other(): OtherNode;
}

/** Absolute, and without anything to resolve. */
const NORMAL = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/;

/** An empty disk with a root folder. `nowMs` dates every change. */
export function makeDisk(nowMs: () => number, uid: number): Disk {
	let ino = 100;
	const meta = (mode: number): Meta => ({
		mtimeMs: nowMs(),
		mode,
		uid,
		ino: ino++,
	});
	const dir = (mode: number): DirNode => ({
		kind: "dir",
		children: new Map(),
		sorted: null,
		...meta(mode),
	});
	const root = dir(0o755);

	/** Folders by their real path, and what was looked for in them; forgotten when a folder goes or comes. */
	const folders = new Map<string, DirNode>();
	const places = new Map<string, Place>();
	/** Paths that end at a name on the way that is not there; forgotten when a folder goes, or anything but a file comes. */
	const nowhere = new Map<string, Place>();
	const forget = () => {
		folders.clear();
		places.clear();
		nowhere.clear();
	};
	const isNowhere = (path: string): boolean => {
		const end = nowhere.get(path);
		return end !== undefined && !end.parent.children.has(end.name);
	};
	function placeNear(path: string): Place | null {
		const known = places.get(path);
		if (known !== undefined) return known;
		const slash = path.lastIndexOf("/");
		const parent = slash < 0 ? undefined : folders.get(path.slice(0, slash));
		if (parent === undefined) return null;
		const name = path.slice(slash + 1);
		if (name === "" || name === "." || name === "..") return null;
		const place = { parent, name };
		// Temporary files have a new name each.
		if (places.size >= MOST_PLACES) places.clear();
		places.set(path, place);
		return place;
	}
	/** As `find`, in a folder that was found before. */
	function findNear(path: string, follow: boolean): Found | null {
		const place = placeNear(path);
		if (place === null) return null;
		const { parent, name } = place;
		const node = parent.children.get(name) ?? null;
		if (node?.kind === "symlink" && follow) return null;
		return { parent, name, node, real: path };
	}
	const put = (parent: DirNode, name: string, node: Node) => {
		const old = parent.children.get(name);
		if (old?.kind === "dir" && old !== node) forget();
		if (node.kind !== "file") nowhere.clear();
		if (old === undefined) parent.sorted = null;
		parent.children.set(name, node);
		parent.mtimeMs = nowMs();
	};

	function find(path: string, follow = true, depth = 0): Found | Errno {
		const near = findNear(path, follow);
		if (near !== null) return near;
		if (isNowhere(path)) return "ENOENT";
		if (depth > 40) return "ELOOP";
		const whole = NORMAL.test(path) ? path : posix.resolve("/", path);
		const parts = whole.split("/").filter(Boolean);
		if (parts.length === 0)
			return { parent: null, name: "/", node: root, real: "/" };
		let parent = root;
		let at = "";
		for (const [i, name] of parts.entries()) {
			const node = parent.children.get(name) ?? null;
			const last = i === parts.length - 1;
			const here = `${at}/${name}`;
			if (node?.kind === "symlink" && (!last || follow)) {
				const rest = parts.slice(i + 1).join("/");
				const target = posix.resolve(at || "/", node.target, rest);
				return find(target, follow, depth + 1);
			}
			if (last) {
				folders.set(at, parent);
				return { parent, name, node, real: here };
			}
			if (node === null) {
				if (nowhere.size >= MOST_PLACES) nowhere.clear();
				nowhere.set(path, { parent, name });
				return "ENOENT";
			}
			if (node.kind !== "dir") return "ENOTDIR";
			parent = node;
			at = here;
		}
		return "ENOENT";
	}

	return {
		root,
		find,
		put,
		drop: (parent, name) => {
			if (parent.children.get(name)?.kind === "dir") forget();
			if (parent.children.delete(name)) parent.sorted = null;
			parent.mtimeMs = nowMs();
		},
		file: (bytes, mode) => ({
			kind: "file",
			bytes,
			durable: null,
			...meta(mode),
		}),
		dir,
		link: (target) => ({ kind: "symlink", target, ...meta(0o777) }),
		other: () => ({ kind: "other", ...meta(0o644) }),
	};
}

/** Every file below a folder with its text, by path. */
export function walk(
	dir: DirNode,
	at: string,
	visit: (path: string, node: Node) => void,
): void {
	for (const [name, node] of dir.children) {
		const path = posix.join(at, name);
		visit(path, node);
		if (node.kind === "dir") walk(node, path, visit);
	}
}

export function nodeAt(disk: Disk, path: string, follow = true): Node | null {
	const found = disk.find(path, follow);
	return typeof found === "string" ? null : found.node;
}

/** Puts a node at a path, making its folders. */
export function plant(disk: Disk, path: string, node: Node): void {
	const parent = makeDirs(disk, posix.dirname(path), 0o755);
	if (typeof parent === "string") throw new Error(`${parent}: ${path}`);
	disk.put(parent, posix.basename(path), node);
}

/** `mkdir -p`; the folder, or why not. */
export function makeDirs(
	disk: Disk,
	path: string,
	mode: number,
): DirNode | string {
	const found = disk.find(path);
	if (found === "ENOENT") {
		const up = makeDirs(disk, posix.dirname(path), mode);
		return typeof up === "string" ? up : makeDirs(disk, path, mode);
	}
	if (typeof found === "string") return found;
	if (found.node?.kind === "dir") return found.node;
	if (found.node !== null) return "EEXIST";
	const made = disk.dir(mode);
	if (found.parent !== null) disk.put(found.parent, found.name, made);
	return made;
}

export function statOf(node: Node): FileStat {
	return {
		kind: node.kind,
		size: node.kind === "file" ? node.bytes.length : 0,
		mtimeMs: node.mtimeMs,
		mode: node.mode,
		uid: node.uid,
		ino: node.ino,
		dev: 1,
	};
}
