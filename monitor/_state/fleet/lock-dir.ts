/** A folder that is a lock, with who holds it inside; other programs respect it too (contract 09 §11). */
import { dirname, join } from "node:path";
import type { Files, Looked, ProcStat } from "../../_sys/doors.ts";

/** Older than this, and of a process that is gone, it is a corpse. */
const STALE_MS = 600_000;

export interface LockDoors {
	readonly files: Files;
	readonly nowMs: number;
	/** Who takes the lock. */
	readonly self: { readonly pid: number; readonly start: string };
	readonly stat: (pid: number) => Looked<ProcStat>;
}
export type LockDir =
	| {
			readonly kind: "held";
			/** A corpse was in the way. */
			readonly reclaimed: boolean;
			/** Only what is still ours; idempotent. */
			readonly release: () => void;
	  }
	| { readonly kind: "busy"; readonly holder: string }
	| { readonly kind: "failed"; readonly why: string };

/** One try, and one more behind a corpse. */
export function takeLockDir(doors: LockDoors, path: string): LockDir {
	const { files } = doors;
	files.mkdir(dirname(path), 0o700);
	const first = make(doors, path);
	if (first !== null) return first;
	const found = judge(doors, path);
	if (found.kind === "lives") return { kind: "busy", holder: found.holder };
	// Whoever came first has moved it: then its folder is not the corpse that was judged, and goes back.
	const aside = `${path}.stale-${doors.self.pid}`;
	files.removeTree(aside);
	files.rename(path, aside);
	if (ownerOf(files, aside) !== found.holder) {
		files.renameNew(aside, path);
		return { kind: "busy", holder: ownerOf(files, path) };
	}
	files.removeTree(aside);
	const again = make(doors, path);
	return again?.kind === "held"
		? { ...again, reclaimed: true }
		: (again ?? { kind: "busy", holder: ownerOf(files, path) });
}

/** Null: somebody holds it. */
function make({ files, self }: LockDoors, path: string): LockDir | null {
	const made = files.mkdirNew(path, 0o700);
	if (made.kind !== "ok")
		return made.code === "EEXIST" ? null : { kind: "failed", why: made.reason };
	const owner = `${self.pid} ${self.start}`;
	files.writeAtomic(join(path, "owner"), `${owner}\n`, { mode: 0o600 });
	const release = () => {
		if (ownerOf(files, path) === owner) files.removeTree(path);
	};
	return { kind: "held", reclaimed: false, release };
}

type Judged = { readonly kind: "lives" | "corpse"; readonly holder: string };

/** Doubt is life. */
function judge({ files, nowMs, stat }: LockDoors, path: string): Judged {
	const holder = ownerOf(files, path);
	const dir = files.lstat(path);
	const age = dir.kind === "ok" ? nowMs - dir.stat.mtimeMs : 0;
	if (age <= STALE_MS) return { kind: "lives", holder };
	const [pid = "", start = ""] = holder.split(" ");
	if (!/^\d+$/.test(pid)) return { kind: "corpse", holder };
	const now = stat(Number(pid));
	const isGone =
		now.kind === "absent" ||
		(now.kind === "ok" && start !== "" && now.value.startTicks !== start);
	return { kind: isGone ? "corpse" : "lives", holder };
}

function ownerOf(files: Files, path: string): string {
	const read = files.read(join(path, "owner"), 4096);
	return read.kind === "ok" ? read.text.trim() : "";
}
