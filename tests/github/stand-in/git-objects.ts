/** Git's objects as git itself names them: blobs, trees and commits by the hash of what they hold. */
import { createHash } from "node:crypto";
import { iso } from "./place.ts";
import type { Commit, Repo, TreeEntry } from "./world.ts";

export function writeBlob(repo: Repo, bytes: Buffer): string {
	const sha = objectId("blob", bytes);
	repo.git.blobs[sha] = bytes.toString("base64");
	return sha;
}

/** Git's order: a folder sorts as if its name ended in a slash. */
export function writeTree(repo: Repo, entries: readonly TreeEntry[]): string {
	const key = (e: TreeEntry) => (e.type === "tree" ? `${e.path}/` : e.path);
	const sorted = entries.toSorted((a, b) =>
		Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))),
	);
	const bytes = Buffer.concat(
		sorted.flatMap(({ mode, path, sha }) => [
			Buffer.from(`${mode.replace(/^0/, "")} ${path}\0`),
			Buffer.from(sha, "hex"),
		]),
	);
	const sha = objectId("tree", bytes);
	repo.git.trees[sha] = sorted;
	return sha;
}

export function writeCommit(
	repo: Repo,
	given: {
		readonly tree: string;
		readonly parents: readonly string[];
		readonly message: string;
		readonly author: {
			readonly name: string;
			readonly email: string;
			readonly at: number;
		};
	},
): string {
	const { tree, parents, message } = given;
	const { name, email, at } = given.author;
	const who = `${name} <${email}> ${at} +0000`;
	const text = [
		`tree ${tree}`,
		...parents.map((parent) => `parent ${parent}`),
		`author ${who}`,
		`committer ${who}`,
		"",
		message,
	].join("\n");
	const sha = objectId("commit", Buffer.from(text));
	const author = { name, email, date: iso(at) };
	repo.git.commits[sha] = { sha, tree, parents, message, author };
	return sha;
}

export function commitOf(repo: Repo, sha: string): Commit | undefined {
	return repo.git.commits[sha];
}

/** The id of `tree` with one file put at `path`, folders made as needed. */
export function treeWith(
	repo: Repo,
	tree: string | null,
	path: string,
	entry: Omit<TreeEntry, "path">,
): string {
	const [first = "", ...rest] = path.split("/");
	const entries = tree === null ? [] : (repo.git.trees[tree] ?? []);
	const others = entries.filter((e) => e.path !== first);
	const below = entries.find((e) => e.path === first && e.type === "tree");
	const put: TreeEntry =
		rest.length === 0
			? { path: first, ...entry }
			: {
					path: first,
					mode: "040000",
					type: "tree",
					sha: treeWith(repo, below?.sha ?? null, rest.join("/"), entry),
				};
	return writeTree(repo, [...others, put]);
}

/** What stands at `path` of a tree. */
export function entryAt(
	repo: Repo,
	tree: string,
	path: string,
): TreeEntry | undefined {
	const [first = "", ...rest] = path.split("/");
	const entry = repo.git.trees[tree]?.find((e) => e.path === first);
	if (entry === undefined || rest.length === 0) return entry;
	return entry.type === "tree"
		? entryAt(repo, entry.sha, rest.join("/"))
		: undefined;
}

/** Commits that can be reached from `sha`, itself included, newest first. */
export function historyOf(repo: Repo, sha: string): readonly string[] {
	const seen: string[] = [];
	const queue = [sha];
	for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
		if (seen.includes(at)) continue;
		seen.push(at);
		queue.push(...(commitOf(repo, at)?.parents ?? []));
	}
	return seen;
}

function objectId(kind: string, bytes: Buffer): string {
	return createHash("sha1")
		.update(`${kind} ${bytes.length}\0`)
		.update(bytes)
		.digest("hex");
}
