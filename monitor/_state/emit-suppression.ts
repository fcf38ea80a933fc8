/** `emit-suppression.lines`: comments that the operator wants to hear no more of (contract 02 §9). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { listEntries } from "./list-entries.ts";

function emitSuppressionPath(stateDir: string): string {
	return join(stateDir, "emit-suppression.lines");
}

/** Ids of comments. Without a file, or with one that cannot be read, nothing is suppressed. */
export function readSuppressed(
	files: Files,
	stateDir: string,
): ReadonlySet<string> {
	const read = files.read(emitSuppressionPath(stateDir));
	const entries = read.kind === "ok" ? listEntries(read.text) : [];
	return new Set(
		entries.flatMap((entry) => /^comment:(\S+)$/.exec(entry)?.[1] ?? []),
	);
}

/** `there` when it was suppressed before. */
export function suppress(
	files: Files,
	stateDir: string,
	commentId: string,
): WriteResult | { readonly kind: "there" } {
	if (readSuppressed(files, stateDir).has(commentId)) return { kind: "there" };
	files.mkdir(stateDir);
	return files.append(emitSuppressionPath(stateDir), `comment:${commentId}\n`);
}
