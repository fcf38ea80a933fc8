/**
 * `T/agents/<agent>/watch-captures/archive/`: what was seen, kept as it was (contract 09 §12.3). Private,
 * content-addressed, write-once: a name never gets other bytes.
 */
import { dirname, join } from "node:path";
import type { Files } from "../../_sys/doors.ts";
import {
	type AgentCapture,
	type CaptureSource,
	captureRecord,
	fileWord,
	rawBlob,
	recordFilename,
	renderRecord,
	sha256,
	sourceBlob,
} from "./capture-record.ts";

export interface Archive {
	readonly files: Pick<
		Files,
		"mkdir" | "writeAtomic" | "renameNew" | "readBytes" | "remove" | "lstat"
	>;
	readonly dir: string;
	/** Letters and digits that no other process uses. */
	readonly unique: string;
}
export type ArchiveWrite =
	| { readonly kind: "written" | "existing"; readonly path: string }
	| { readonly kind: "failed"; readonly error: ArchiveError };
export interface ArchiveError {
	readonly error: "archive_write_conflict" | "archive_write_failed";
	readonly path: string;
	readonly existing_sha256?: string;
	readonly new_sha256?: string;
	readonly reason?: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** The picture, and the record of how it came about; the record is written last. */
export function archiveAgentCapture(
	archive: Archive,
	x: AgentCapture,
): ArchiveWrite {
	const record = captureRecord(x);
	const blob = writeOnce(archive, rawBlob(record.raw_response_sha256), x.raw);
	if (blob.kind === "failed") return blob;
	const name = join("records", recordFilename(record));
	return writeOnce(archive, name, renderRecord(record));
}

/** The whole capture file, and a record of the pass that made it. */
export function archiveSource(
	archive: Archive,
	x: CaptureSource & { readonly captureId: string; readonly at: string },
): ArchiveWrite {
	const sha = sha256(x.bytes);
	const blob = writeOnce(archive, sourceBlob(sha), x.bytes);
	if (blob.kind === "failed") return blob;
	const record = {
		schema_version: "roster-capture-source-v2",
		capture_id: x.captureId,
		capture_timestamp_utc: x.at,
		source_file: x.path,
		source_file_name: x.path.split("/").at(-1) ?? "",
		source_file_sha256: sha,
		source_file_bytes: x.bytes.length,
		source_blob: sourceBlob(sha),
	};
	const name = `${fileWord(x.captureId)}_${sha}.json`;
	return writeOnce(archive, join("source-records", name), renderRecord(record));
}

/** One member's picture of this pass as a file of its own. */
export function writeRawTick(
	archive: Archive,
	x: {
		readonly captureId: string;
		readonly index: number;
		readonly agent: string;
		/** Tells two files of one member apart: `.txt`, `.json`. */
		readonly suffix: string;
		readonly text: string;
	},
): ArchiveWrite {
	const index = String(x.index).padStart(4, "0");
	const name = `${index}-${fileWord(x.agent)}${x.suffix}`;
	const dir = join("raw-ticks", fileWord(x.captureId));
	return writeOnce(archive, join(dir, name), x.text);
}

/** By way of a file beside it and a link, so that nobody ever reads half of it. */
function writeOnce(
	{ files, dir, unique }: Archive,
	name: string,
	content: Uint8Array | string,
): ArchiveWrite {
	const bytes =
		typeof content === "string" ? new TextEncoder().encode(content) : content;
	const path = join(dir, name);
	const failed = (reason: string): ArchiveWrite => ({
		kind: "failed",
		error: { error: "archive_write_failed", path, reason },
	});
	const made = files.mkdir(dirname(path), 0o700);
	if (made.kind !== "ok") return failed(made.reason);
	if (files.lstat(path).kind !== "absent")
		return compare(files, path, bytes) ?? failed("it cannot be read");
	const fresh = `${path}.new-${unique}`;
	const written = files.writeAtomic(fresh, bytes, { mode: 0o600, fsync: true });
	if (written.kind !== "ok") return failed(written.reason);
	const linked = files.renameNew(fresh, path);
	if (linked.kind === "ok") return { kind: "written", path };
	files.remove(fresh);
	if (linked.code !== "EEXIST") return failed(linked.reason);
	return compare(files, path, bytes) ?? failed("it cannot be read");
}

/** Null: could not look. */
function compare(
	files: Archive["files"],
	path: string,
	bytes: Uint8Array,
): ArchiveWrite | null {
	const read = files.readBytes(path, MAX_BYTES);
	if (read.kind !== "ok") return null;
	const [before, now] = [sha256(read.bytes), sha256(bytes)];
	if (before === now) return { kind: "existing", path };
	return {
		kind: "failed",
		error: {
			error: "archive_write_conflict",
			path,
			existing_sha256: before,
			new_sha256: now,
		},
	};
}
