/**
 * `processed-comments.txt`: comments and issues that the bot has reacted on, in that order (contract 02
 * §9). It bridges the moment until GitHub shows the reaction; reactions are the truth.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { CommentBlock } from "./emit-blocks.ts";
import { listEntries } from "./list-entries.ts";

function processedCommentsPath(stateDir: string): string {
	return join(stateDir, "processed-comments.txt");
}

/** The entries of the list. A number alone is an issue of the configured repository: numbers repeat across repositories, ids of comments do not. */
export const processedEntry = {
	comment: (id: string) => `comment:${id}`,
	commentIn: (repo: string, id: string) =>
		`comment:${repo.toLowerCase()}:${id}`,
	issue: (number: string) => `issue:${number}`,
	issueIn: (repo: string, number: string) =>
		`issue:${repo.toLowerCase()}:${number}`,
	rocket: (id: string) => `rocket:${id}`,
};

/** Names of repositories compare as GitHub compares them. Without a file, or with one that cannot be read, nothing was handled. */
export function readProcessed(
	files: Files,
	stateDir: string,
): ReadonlySet<string> {
	const read = files.read(processedCommentsPath(stateDir));
	const entries =
		read.kind === "ok" ? listEntries(tornOff(read.text).whole) : [];
	return new Set(entries.map((entry) => entry.toLowerCase()));
}

/** An issue's entry speaks of its opening alone, not of the comments on it. */
export function isHandled(
	block: CommentBlock,
	processed: ReadonlySet<string>,
): boolean {
	const { repo, id, number, what, fromBody } = block;
	const isOpening = fromBody || what === "issue_new";
	const entries =
		repo === ""
			? [
					processedEntry.comment(id),
					...(isOpening ? [processedEntry.issue(number)] : []),
				]
			: [
					processedEntry.comment(id),
					processedEntry.commentIn(repo, id),
					...(isOpening ? [processedEntry.issueIn(repo, number)] : []),
				];
	return entries.some((entry) => processed.has(entry));
}

/** The newest `max` lines; 0 keeps all. */
export function newestEntries(text: string, max: number): string {
	const lines = text.split("\n").filter((line) => line !== "");
	const kept = max > 0 ? lines.slice(-max) : lines;
	return kept.map((line) => `${line}\n`).join("");
}

/** Leaves a file within the limit, and one that cannot be read, alone. */
export function trimProcessedComments(
	files: Files,
	stateDir: string,
	max: number,
): void {
	const path = processedCommentsPath(stateDir);
	const read = files.read(path);
	if (read.kind !== "ok" || max <= 0) return;
	const { whole } = tornOff(read.text);
	const kept = newestEntries(whole, max);
	if (kept.length < whole.length) files.writeAtomic(path, kept);
}

/** Adds the entries that are not there yet, in one write; a torn tail costs only itself. */
export function addProcessed(
	files: Files,
	stateDir: string,
	entries: readonly string[],
): WriteResult {
	const known = readProcessed(files, stateDir);
	const fresh = entries.filter((entry) => !known.has(entry.toLowerCase()));
	if (fresh.length === 0) return { kind: "ok" };
	files.mkdir(stateDir);
	const path = processedCommentsPath(stateDir);
	const added = fresh.map((entry) => `${entry}\n`).join("");
	const read = files.read(path);
	const { whole, torn } = tornOff(read.kind === "ok" ? read.text : "");
	return torn === ""
		? files.append(path, added)
		: files.writeAtomic(path, `${whole}# torn: ${torn}\n${added}`);
}

/** What follows the last line end is no entry, and never becomes one: `issue:12` torn after its first digit speaks of another issue. */
function tornOff(text: string): {
	readonly whole: string;
	readonly torn: string;
} {
	const end = text.lastIndexOf("\n") + 1;
	return { whole: text.slice(0, end), torn: text.slice(end) };
}
