/** The write guard's status file: `key=value`, outside the tree, in a private folder of this user (contract 00 R8). */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { Files } from "./doors.ts";

export interface FsStatus {
	readonly mode: "ok" | "degraded";
	/** Epoch seconds. */
	readonly updated: number;
	readonly reason: string;
	/** When the operator was last told, epoch seconds. */
	readonly alarmedAt: number | null;
}

/**
 * One folder a user and root: below `XDG_RUNTIME_DIR`, else `TMPDIR`, else `/tmp`. `realRoot` has its links resolved,
 * so that every way to a root gives the same name.
 */
export function fsStatusPath(
	env: Readonly<Record<string, string | undefined>>,
	uid: number,
	realRoot: string,
): string {
	const base = env.XDG_RUNTIME_DIR || env.TMPDIR || "/tmp";
	const root = createHash("sha256").update(realRoot).digest("hex").slice(0, 12);
	return join(base, `nexus-${uid}`, root, "status");
}

/** Null when it is missing, torn, or in a folder that is not ours alone. */
export function readFsStatus(
	files: Pick<Files, "read" | "lstat">,
	path: string,
	uid: number,
): FsStatus | null {
	if (!isPrivate(files, dirname(dirname(path)), uid)) return null;
	const read = files.read(path);
	return read.kind === "ok" ? parse(read.text) : null;
}

/** Best effort: a status that cannot be written must not stop what it tells of. */
export function writeFsStatus(
	files: Pick<Files, "lstat" | "mkdir" | "writeAtomic">,
	path: string,
	uid: number,
	status: FsStatus,
): void {
	const own = dirname(dirname(path));
	files.mkdir(own, 0o700);
	// The base may be a public folder: somebody else's `nexus-<uid>` is a trap, not a home.
	if (!isPrivate(files, own, uid)) return;
	files.mkdir(dirname(path), 0o700);
	const reason = status.reason.replace(/[\r\n]+/g, " ");
	const alarmed =
		status.alarmedAt === null ? "" : `alarmed=${status.alarmedAt}\n`;
	files.writeAtomic(
		path,
		`mode=${status.mode}\nupdated=${status.updated}\nreason=${reason}\n${alarmed}`,
		{ mode: 0o600 },
	);
}

function isPrivate(
	files: Pick<Files, "lstat">,
	dir: string,
	uid: number,
): boolean {
	const looked = files.lstat(dir);
	return (
		looked.kind === "ok" &&
		looked.stat.kind === "dir" &&
		looked.stat.uid === uid &&
		(looked.stat.mode & 0o022) === 0
	);
}

function parse(text: string): FsStatus | null {
	const value = (key: string) =>
		new RegExp(`^${key}=(.*)$`, "m").exec(text)?.[1] ?? "";
	const mode = value("mode");
	if (mode !== "ok" && mode !== "degraded") return null;
	if (!/^\d+$/.test(value("updated"))) return null;
	const alarmed = value("alarmed");
	return {
		mode,
		updated: Number(value("updated")),
		reason: value("reason"),
		alarmedAt: /^\d+$/.test(alarmed) ? Number(alarmed) : null,
	};
}
