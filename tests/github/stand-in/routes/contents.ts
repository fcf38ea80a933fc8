/** Files by their path, and how two commits stand to each other. */

import {
	commitOf,
	entryAt,
	historyOf,
	treeWith,
	writeBlob,
	writeCommit,
} from "../git-objects.ts";
import { type Handler, notFound, ok, refuse, text } from "../http.ts";
import type { Place } from "../place.ts";
import { renderCommit, renderFullCommit } from "../render/git.ts";
import { repoUrl } from "../render/issue.ts";
import type { Repo } from "../world.ts";
import { inRepo } from "./in-repo.ts";

const FILE = "/repos/{owner}/{repo}/contents/{path}";
/** Above it the content is left out, and the encoding is `none`. */
const LARGEST_SHOWN = 1024 * 1024;

export const contentRoutes: Readonly<Record<string, Handler>> = {
	[`GET ${FILE}`]: inRepo(({ params, query }, place, repo) => {
		const ref = query.get("ref") ?? repo.defaultBranch;
		const commit = commitOf(repo, repo.git.refs[`refs/heads/${ref}`] ?? ref);
		const path = params.path ?? "";
		const entry =
			commit === undefined ? undefined : entryAt(repo, commit.tree, path);
		if (entry?.type !== "blob") return notFound();
		return ok(renderFile(place, repo, path, entry.sha));
	}),

	[`PUT ${FILE}`]: inRepo(({ params, body }, place, repo, who) => {
		const branch = text(body, "branch") || repo.defaultBranch;
		const ref = `refs/heads/${branch}`;
		const head = commitOf(repo, repo.git.refs[ref] ?? "");
		const path = params.path ?? "";
		const before =
			head === undefined ? undefined : entryAt(repo, head.tree, path);
		const given = text(body, "sha");
		if (before !== undefined && given === "")
			return refuse(422, `Invalid request.\n\n"sha" wasn't supplied.`);
		if (before !== undefined && given !== before.sha)
			return refuse(409, `${path} does not match ${given}`);
		const bytes = Buffer.from(text(body, "content"), "base64");
		const blob = writeBlob(repo, bytes);
		const entry = { mode: "100644", type: "blob", sha: blob } as const;
		const sha = writeCommit(repo, {
			tree: treeWith(repo, head?.tree ?? null, path, entry),
			parents: head === undefined ? [] : [head.sha],
			message: text(body, "message"),
			author: { name: who, email: `${who}@example`, at: place.now() },
		});
		repo.git.refs[ref] = sha;
		const commit = commitOf(repo, sha);
		if (commit === undefined) return notFound();
		return {
			status: before === undefined ? 201 : 200,
			body: {
				content: renderFile(place, repo, path, blob),
				commit: renderCommit(place, repo, commit),
			},
		};
	}),

	"GET /repos/{owner}/{repo}/compare/{basehead}": inRepo(
		({ params }, place, repo) => {
			const [from = "", to = ""] = (params.basehead ?? "").split("...");
			const at = (name: string) =>
				commitOf(repo, repo.git.refs[`refs/heads/${name}`] ?? name);
			const base = at(from);
			const head = at(to);
			if (base === undefined || head === undefined) return notFound();
			const inHead = historyOf(repo, head.sha);
			const inBase = historyOf(repo, base.sha);
			const ahead = inHead.filter((sha) => !inBase.includes(sha));
			const behind = inBase.filter((sha) => !inHead.includes(sha));
			const url = `${repoUrl(place, repo)}/compare/${params.basehead}`;
			return ok({
				url,
				html_url: url,
				permalink_url: url,
				diff_url: `${url}.diff`,
				patch_url: `${url}.patch`,
				base_commit: renderFullCommit(place, repo, base),
				merge_base_commit: renderFullCommit(place, repo, base),
				status: relation(ahead.length, behind.length),
				ahead_by: ahead.length,
				behind_by: behind.length,
				total_commits: ahead.length,
				commits: ahead.toReversed().flatMap((sha) => {
					const commit = commitOf(repo, sha);
					return commit === undefined
						? []
						: [renderFullCommit(place, repo, commit)];
				}),
				files: [],
			});
		},
	),
};

function relation(ahead: number, behind: number): string {
	if (ahead > 0 && behind > 0) return "diverged";
	if (ahead > 0) return "ahead";
	return behind > 0 ? "behind" : "identical";
}

function renderFile(place: Place, repo: Repo, path: string, blob: string) {
	const content = repo.git.blobs[blob] ?? "";
	const size = Buffer.from(content, "base64").length;
	const isShown = size <= LARGEST_SHOWN;
	const url = `${repoUrl(place, repo)}/contents/${path}`;
	const page = `${place.webBase}/${repo.fullName}/blob/${repo.defaultBranch}/${path}`;
	const gitUrl = `${repoUrl(place, repo)}/git/blobs/${blob}`;
	return {
		type: "file",
		name: path.split("/").at(-1) ?? path,
		path,
		sha: blob,
		size,
		url,
		html_url: page,
		git_url: gitUrl,
		download_url: page.replace("/blob/", "/raw/"),
		content: isShown ? content : "",
		encoding: isShown ? "base64" : "none",
		_links: { self: url, git: gitUrl, html: page },
	};
}
