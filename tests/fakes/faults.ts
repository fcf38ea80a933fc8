/** What goes wrong with a fake disk: refusals by path, a full or read-only disk, torn writes, a process killed between two steps. */

export type FileOp =
	| "read"
	| "stat"
	| "list"
	| "write"
	| "append"
	| "touch"
	| "remove"
	| "rename"
	| "mkdir"
	| "probe";

export interface FileFault {
	/** Exact path, or a pattern on it. For a rename: source or target. */
	readonly path: string | RegExp;
	/** Default: every operation. */
	readonly ops?: readonly FileOp[];
	/** errno name, for example `EACCES`. */
	readonly code: string;
	/** Heals by itself after so many refusals. */
	readonly times?: number;
}

/** The process died here. The code under test may catch it, but every further call to the disk throws it again, until `reboot`. */
export class SimulatedCrash extends Error {}

export interface FaultControls {
	/** Every change fails with EROFS while true. */
	readOnly: boolean;
	/** Bytes that can still be written; a write that does not fit is cut there and fails with ENOSPC. */
	freeBytes: number;
	/** Refuses operations; the returned function heals. */
	fail(fault: FileFault): () => void;
	/** Every fault of `fail` ends. */
	heal(): void;
	/** The next write or append to `path` stores only its first `bytes` bytes, then fails with EIO; the returned function heals. */
	tear(path: string, bytes: number): () => void;
	/** Called before every operation; may change the disk, or throw. The returned function removes it. */
	before(hook: (op: FileOp, path: string) => void): () => void;
	/** The process dies before the n-th change from now (0 = the next); with `tear`, half of that change's bytes are on the disk. */
	crashAt(n: number, opts?: { readonly tear?: boolean }): void;
	/** Number of changes so far: drive `crashAt` over all of them. */
	changes(): number;
}

export interface Gate {
	readonly controls: FaultControls;
	/** errno name when the operation is refused. */
	check(op: FileOp, ...paths: readonly string[]): string | null;
	/** How many of `size` bytes reach the disk, and the errno when not all do. */
	admit(
		path: string,
		size: number,
	): { readonly bytes: number; readonly code: string | null };
	/** Called after a partial change that ended in a crash. */
	crashed(): never;
	revive(): void;
}

const CHANGES: readonly FileOp[] = [
	"write",
	"append",
	"touch",
	"remove",
	"rename",
	"mkdir",
	"probe",
];

export function makeGate(): Gate {
	const faults: { fault: FileFault; left: number }[] = [];
	const hooks = new Set<(op: FileOp, path: string) => void>();
	const tears = new Map<string, number>();
	let dead = false;
	let changes = 0;
	let crash: { at: number; tear: boolean } | null = null;
	let tearing = false;

	const controls: FaultControls = {
		readOnly: false,
		freeBytes: Number.POSITIVE_INFINITY,
		fail: (fault) => {
			const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
			faults.push(entry);
			return () => {
				entry.left = 0;
			};
		},
		heal: () => {
			faults.length = 0;
		},
		tear: (path, bytes) => {
			tears.set(path, bytes);
			return () => tears.delete(path);
		},
		before: (hook) => {
			hooks.add(hook);
			return () => hooks.delete(hook);
		},
		crashAt: (n, opts) => {
			crash = { at: changes + n, tear: opts?.tear ?? false };
		},
		changes: () => changes,
	};

	function crashed(): never {
		dead = true;
		tearing = false;
		crash = null;
		throw new SimulatedCrash("the process died here");
	}

	return {
		controls,
		crashed,
		revive: () => {
			dead = false;
			crash = null;
		},
		check: (op, ...paths) => {
			if (dead) throw new SimulatedCrash("the process is dead");
			for (const hook of hooks) hook(op, paths[0] ?? "");
			if (CHANGES.includes(op)) {
				if (crash !== null && changes === crash.at) {
					if (!crash.tear || (op !== "write" && op !== "append")) crashed();
					tearing = true;
				}
				changes++;
				if (controls.readOnly) return "EROFS";
			}
			for (const entry of faults) {
				const { fault } = entry;
				if (entry.left <= 0) continue;
				if (fault.ops !== undefined && !fault.ops.includes(op)) continue;
				if (!paths.some((p) => matches(fault.path, p))) continue;
				entry.left--;
				return fault.code;
			}
			return null;
		},
		admit: (path, size) => {
			if (tearing) return { bytes: Math.floor(size / 2), code: "crash" };
			const torn = tears.get(path);
			if (torn !== undefined) {
				tears.delete(path);
				return { bytes: Math.min(torn, size), code: "EIO" };
			}
			const fits = Math.min(size, controls.freeBytes);
			controls.freeBytes -= fits;
			return { bytes: fits, code: fits < size ? "ENOSPC" : null };
		},
	};
}

function matches(pattern: string | RegExp, path: string): boolean {
	return typeof pattern === "string" ? pattern === path : pattern.test(path);
}
