/** The `Files` door on a disk in memory, with faults on demand. Passes the same conformance suite as the real one. */
import type { Clock, Files } from "../../monitor/_sys/doors.ts";
import { makeDirs, makeDisk, nodeAt, plant, walk } from "./disk.ts";
import { type FaultControls, makeGate } from "./faults.ts";
import { changers } from "./file-changes.ts";
import { type Ctx, lookers } from "./file-looks.ts";

export interface FakeFiles extends Files {
	readonly faults: FaultControls;
	/** Puts a file there with its folders, past all faults. `mtime` in epoch seconds. */
	seed(path: string, text: string, opts?: SeedOptions): void;
	seedDir(path: string): void;
	seedLink(target: string, path: string): void;
	/** A FIFO or a device. */
	seedOther(path: string): void;
	/** The text of a file that must be there. */
	text(path: string): string;
	has(path: string): boolean;
	/** Paths of all files below `dir`, sorted. */
	paths(dir?: string): string[];
	/** `list` of `dir` takes so long. */
	slow(dir: string, ms: number): void;
	/** The dead process's disk, used by a new one. After a power cut, what was never synced is empty. */
	reboot(opts?: { readonly powerCut?: boolean }): void;
}
export interface SeedOptions {
	readonly mtime?: number;
	readonly mode?: number;
	readonly uid?: number;
}

export function fakeFiles(clock: Clock, uid = 1000): FakeFiles {
	const disk = makeDisk(() => clock.nowMs(), uid);
	const gate = makeGate();
	const watchers = new Set<{ inside: string; onChange: () => void }>();
	const slowDirs = new Map<string, number>();
	let unique = 0;
	const ctx: Ctx = {
		disk,
		gate,
		changed: (path) => {
			for (const w of watchers)
				if (path.startsWith(w.inside)) queueMicrotask(w.onChange);
		},
	};

	const files: FakeFiles = {
		...lookers(ctx),
		listSlow: async (dir, ms, signal) => {
			const takes = slowDirs.get(dir) ?? 0;
			const how = await clock.sleep(Math.min(takes, ms), signal);
			if (how === "aborted") return { kind: "unreadable", reason: "aborted" };
			if (takes > ms) return { kind: "unreadable", reason: "timed out" };
			return files.list(dir);
		},
		...changers(ctx, clock, () => ++unique),
		makeTempDir: (prefix) => {
			const dir = `/tmp/${prefix}${++unique}`;
			files.mkdir(dir, 0o700);
			return dir;
		},
		watch: (dir, onChange) => {
			if (nodeAt(disk, dir)?.kind !== "dir") return null;
			const entry = { inside: `${dir}/`, onChange };
			watchers.add(entry);
			return () => watchers.delete(entry);
		},
		faults: gate.controls,
		seed: (path, text, opts) => {
			const node = disk.file(Buffer.from(text), opts?.mode ?? 0o644);
			node.durable = node.bytes;
			node.mtimeMs = opts?.mtime ? opts.mtime * 1000 : clock.nowMs();
			node.uid = opts?.uid ?? uid;
			plant(disk, path, node);
		},
		seedDir: (path) => {
			makeDirs(disk, path, 0o755);
		},
		seedLink: (target, path) => plant(disk, path, disk.link(target)),
		seedOther: (path) => plant(disk, path, disk.other()),
		text: (path) => {
			const node = nodeAt(disk, path);
			if (node?.kind !== "file") throw new Error(`no such file: ${path}`);
			return node.bytes.toString("utf8");
		},
		has: (path) => nodeAt(disk, path) !== null,
		paths: (dir = "/") => {
			const found: string[] = [];
			const top = nodeAt(disk, dir);
			if (top?.kind !== "dir") return found;
			walk(top, dir, (path, node) => {
				if (node.kind !== "dir") found.push(path);
			});
			return found.sort();
		},
		slow: (dir, ms) => {
			slowDirs.set(dir, ms);
		},
		reboot: (opts) => {
			gate.revive();
			if (!opts?.powerCut) return;
			walk(disk.root, "/", (_path, node) => {
				if (node.kind === "file") node.bytes = node.durable ?? Buffer.alloc(0);
			});
		},
	};
	files.seedDir("/tmp");
	return files;
}
