/** Files that people put somewhere: into a comment, or into a repository. */
import { treeWith, writeBlob, writeCommit } from "../git-objects.ts";
import type { Place } from "../place.ts";
import { theRepo } from "./conversation.ts";

/** A file in a comment; answers its address on the web site. */
export function attach(
	{ state, webBase }: Place,
	path: string,
	type: string,
	bytes: Buffer,
): string {
	state.attachments[path] = { type, data: bytes.toString("base64") };
	return `${webBase}/user-attachments/${path}`;
}

/** Somebody pushes a commit with one file; answers its id. */
export function commitFile(
	place: Place,
	name: string,
	path: string,
	content: string,
	branch = "main",
): string {
	const repo = theRepo(place, name);
	const ref = `refs/heads/${branch}`;
	const before = repo.git.refs[ref];
	const tree = before === undefined ? null : repo.git.commits[before]?.tree;
	const blob = writeBlob(repo, Buffer.from(content));
	const entry = { mode: "100644", type: "blob", sha: blob } as const;
	const sha = writeCommit(repo, {
		tree: treeWith(repo, tree ?? null, path, entry),
		parents: before === undefined ? [] : [before],
		message: `Put ${path}`,
		author: { name: "op", email: "op@example", at: place.now() },
	});
	repo.git.refs[ref] = sha;
	return sha;
}
