/** `git-ref`, `git-commit`, `git-tree`, `commit`. */
import type { Place } from "../place.ts";
import type { Commit, Repo, TreeEntry } from "../world.ts";
import { repoUrl } from "./issue.ts";
import { nodeId } from "./person.ts";

export function renderRef(place: Place, repo: Repo, ref: string, sha: string) {
	const url = `${repoUrl(place, repo)}/git`;
	return {
		ref,
		node_id: nodeId("REF", ref),
		url: `${url}/${ref}`,
		object: { type: "commit", sha, url: `${url}/commits/${sha}` },
	};
}

export function renderCommit(place: Place, repo: Repo, commit: Commit) {
	const { sha, tree, parents, message, author } = commit;
	const url = `${repoUrl(place, repo)}/git`;
	const page = `${place.webBase}/${repo.fullName}/commit`;
	return {
		sha,
		node_id: nodeId("C", sha),
		url: `${url}/commits/${sha}`,
		html_url: `${page}/${sha}`,
		author,
		committer: author,
		message,
		tree: { sha: tree, url: `${url}/trees/${tree}` },
		parents: parents.map((parent) => ({
			sha: parent,
			url: `${url}/commits/${parent}`,
			html_url: `${page}/${parent}`,
		})),
		verification: {
			verified: false,
			reason: "unsigned",
			signature: null,
			payload: null,
			verified_at: null,
		},
	};
}

/** As `GET /compare` shows commits. */
export function renderFullCommit(place: Place, repo: Repo, commit: Commit) {
	const { sha, html_url, node_id, parents, tree, ...rest } = renderCommit(
		place,
		repo,
		commit,
	);
	const { author, committer, message, url, verification } = rest;
	return {
		sha,
		node_id,
		html_url,
		parents,
		url: `${repoUrl(place, repo)}/commits/${sha}`,
		comments_url: `${repoUrl(place, repo)}/commits/${sha}/comments`,
		author: null,
		committer: null,
		commit: {
			author,
			committer,
			message,
			tree,
			url,
			comment_count: 0,
			verification,
		},
	};
}

export function renderTree(
	place: Place,
	repo: Repo,
	sha: string,
	recursive: boolean,
) {
	const url = `${repoUrl(place, repo)}/git`;
	const rows = recursive
		? everythingBelow(repo, sha, "")
		: (repo.git.trees[sha] ?? []);
	return {
		sha,
		url: `${url}/trees/${sha}`,
		truncated: false,
		tree: rows.map((entry) => ({
			...entry,
			...(entry.type === "blob" ? { size: sizeOf(repo, entry.sha) } : {}),
			url: `${url}/${entry.type}s/${entry.sha}`,
		})),
	};
}

function everythingBelow(
	repo: Repo,
	tree: string,
	front: string,
): readonly TreeEntry[] {
	return (repo.git.trees[tree] ?? []).flatMap((entry) => {
		const path = front + entry.path;
		const own = { ...entry, path };
		return entry.type === "blob"
			? [own]
			: [own, ...everythingBelow(repo, entry.sha, `${path}/`)];
	});
}

function sizeOf(repo: Repo, blob: string): number {
	return Buffer.from(repo.git.blobs[blob] ?? "", "base64").length;
}
