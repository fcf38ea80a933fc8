/** Git data: blobs, trees, commits, and refs that move only forward unless they are forced. */

import {
	commitOf,
	historyOf,
	treeWith,
	writeBlob,
	writeCommit,
	writeTree,
} from "../git-objects.ts";
import {
	created,
	type Handler,
	invalid,
	NO_CONTENT,
	notFound,
	ok,
	refuse,
	text,
} from "../http.ts";
import { renderCommit, renderRef, renderTree } from "../render/git.ts";
import type { TreeEntry } from "../world.ts";
import { inRepo } from "./in-repo.ts";

const BASE = "/repos/{owner}/{repo}/git";
const EMPTY = "Git Repository is empty.";

export const gitRoutes: Readonly<Record<string, Handler>> = {
	[`GET ${BASE}/ref/{ref}`]: inRepo(({ params }, place, repo) => {
		const ref = `refs/${params.ref}`;
		const sha = repo.git.refs[ref];
		if (Object.keys(repo.git.refs).length === 0) return refuse(409, EMPTY);
		return sha === undefined
			? notFound()
			: ok(renderRef(place, repo, ref, sha));
	}),

	[`POST ${BASE}/refs`]: inRepo(({ body }, place, repo) => {
		const ref = text(body, "ref");
		const sha = text(body, "sha");
		if (commitOf(repo, sha) === undefined)
			return refuse(422, "Object does not exist");
		if (repo.git.refs[ref] !== undefined)
			return refuse(422, "Reference already exists");
		repo.git.refs[ref] = sha;
		return created(renderRef(place, repo, ref, sha));
	}),

	[`PATCH ${BASE}/refs/{ref}`]: inRepo(({ params, body }, place, repo) => {
		const ref = `refs/${params.ref}`;
		const sha = text(body, "sha");
		const before = repo.git.refs[ref];
		if (before === undefined) return refuse(422, "Reference does not exist");
		if (commitOf(repo, sha) === undefined)
			return refuse(422, "Object does not exist");
		if (body.force !== true && !historyOf(repo, sha).includes(before))
			return refuse(422, "Update is not a fast forward");
		repo.git.refs[ref] = sha;
		return ok(renderRef(place, repo, ref, sha));
	}),

	[`DELETE ${BASE}/refs/{ref}`]: inRepo(({ params }, _place, repo) => {
		const ref = `refs/${params.ref}`;
		if (repo.git.refs[ref] === undefined)
			return refuse(422, "Reference does not exist");
		delete repo.git.refs[ref];
		return NO_CONTENT;
	}),

	[`GET ${BASE}/commits/{commit_sha}`]: inRepo(({ params }, place, repo) => {
		const commit = commitOf(repo, params.commit_sha ?? "");
		return commit === undefined
			? notFound()
			: ok(renderCommit(place, repo, commit));
	}),

	[`POST ${BASE}/commits`]: inRepo(({ body }, place, repo, who) => {
		const tree = text(body, "tree");
		if (repo.git.trees[tree] === undefined)
			return refuse(422, "Tree SHA does not exist");
		const parents = Array.isArray(body.parents) ? body.parents.map(String) : [];
		if (parents.some((parent) => commitOf(repo, parent) === undefined))
			return refuse(422, "Parent SHA does not exist or is not a commit object");
		const author = personIn(body.author);
		const sha = writeCommit(repo, {
			tree,
			parents,
			message: text(body, "message"),
			author: {
				name: author.name || who,
				email: author.email || `${who}@users.noreply.github.com`,
				at: place.now(),
			},
		});
		const commit = commitOf(repo, sha);
		return commit === undefined
			? notFound()
			: created(renderCommit(place, repo, commit));
	}),

	[`GET ${BASE}/trees/{tree_sha}`]: inRepo((request, place, repo) => {
		const { params, query } = request;
		const wanted = params.tree_sha ?? "";
		const sha = commitOf(repo, wanted)?.tree ?? wanted;
		if (repo.git.trees[sha] === undefined) return notFound();
		return ok(renderTree(place, repo, sha, query.has("recursive")));
	}),

	[`POST ${BASE}/trees`]: inRepo(({ body }, place, repo) => {
		const base = text(body, "base_tree");
		if (base !== "" && repo.git.trees[base] === undefined)
			return refuse(422, "base_tree is not a valid tree oid");
		let tree = base === "" ? writeTree(repo, []) : base;
		for (const item of Array.isArray(body.tree) ? body.tree : []) {
			const entry = entryOf(item);
			if (entry === null || repo.git.blobs[entry.sha] === undefined)
				return refuse(422, "tree.sha is not a valid blob");
			const { path, ...rest } = entry;
			tree = treeWith(repo, tree, path, rest);
		}
		return created(renderTree(place, repo, tree, false));
	}),

	[`GET ${BASE}/blobs/{file_sha}`]: inRepo(({ params }, place, repo) => {
		const sha = params.file_sha ?? "";
		const content = repo.git.blobs[sha];
		if (content === undefined) return notFound();
		const url = `${place.apiBase}/repos/${repo.fullName}/git/blobs/${sha}`;
		const size = Buffer.from(content, "base64").length;
		const node_id = `B_${sha}`;
		return ok({ sha, node_id, size, url, content, encoding: "base64" });
	}),

	[`POST ${BASE}/blobs`]: inRepo(({ body }, place, repo) => {
		const encoding = text(body, "encoding") || "utf-8";
		if (encoding !== "utf-8" && encoding !== "base64")
			return invalid("Blob", "encoding");
		const bytes = Buffer.from(
			text(body, "content"),
			encoding === "utf-8" ? "utf8" : "base64",
		);
		if (Object.keys(repo.git.refs).length === 0) return refuse(409, EMPTY);
		const sha = writeBlob(repo, bytes);
		const url = `${place.apiBase}/repos/${repo.fullName}/git/blobs/${sha}`;
		return created({ sha, url });
	}),
};

function personIn(given: unknown): { name: string; email: string } {
	const of = (key: string): string => {
		const value: unknown =
			typeof given === "object" && given !== null
				? Reflect.get(given, key)
				: "";
		return typeof value === "string" ? value : "";
	};
	return { name: of("name"), email: of("email") };
}

/** Files only: what is written here are files. */
function entryOf(item: unknown): TreeEntry | null {
	if (typeof item !== "object" || item === null) return null;
	const path: unknown = Reflect.get(item, "path");
	const sha: unknown = Reflect.get(item, "sha");
	if (typeof path !== "string" || typeof sha !== "string") return null;
	return { path, mode: "100644", type: "blob", sha };
}
