/** The requests that an upload is made of. Each is sent once; the rounds above are what tries again. */
import { ASSET_BRANCH } from "../asset-url.ts";
import { COMMAND_MS } from "../deadline.ts";
import type { GitHub } from "../github.ts";
import { textAt } from "../json-look.ts";
import { ownerAndName } from "../target-repo.ts";
import { afterFailure, assetStep, retry, type Step, stepOf } from "./step.ts";

type Api = Pick<GitHub, "rest">;

const HEAD = `heads/${ASSET_BRANCH}`;
/** Tens of megabytes go through this one. */
const BLOB_MS = 180_000;

const sha = (data: unknown) => textAt(data, "sha");

/** The commit that the branch stands at; null: there is no such branch yet. */
export async function readHead(
	gitHub: Api,
	repo: string,
): Promise<Step<string | null>> {
	const answer = await gitHub.rest(
		"GET /repos/{owner}/{repo}/git/ref/{ref}",
		{ ...ownerAndName(repo), ref: HEAD },
		{ deadlineMs: COMMAND_MS, read: (data) => textAt(data, "object", "sha") },
	);
	if (answer.kind === "ok") return assetStep(answer.value);
	const { kind, status } = answer.failure;
	// 409: not even a first commit.
	return kind === "not_found" || status === 409
		? assetStep(null)
		: afterFailure(answer.failure);
}

/** The tree's sha. */
export async function treeOfCommit(
	gitHub: Api,
	repo: string,
	commit: string,
): Promise<Step<string>> {
	return stepOf(
		await gitHub.rest(
			"GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
			{ ...ownerAndName(repo), commit_sha: commit },
			{ deadlineMs: COMMAND_MS, read: (data) => textAt(data, "tree", "sha") },
		),
	);
}

/** Its sha. Bytes go as base64, so a blob has a longer limit than the other calls. */
export async function createBlob(
	gitHub: Api,
	repo: string,
	bytes: Uint8Array,
): Promise<Step<string>> {
	const content = Buffer.from(bytes).toString("base64");
	return stepOf(
		await gitHub.rest(
			"POST /repos/{owner}/{repo}/git/blobs",
			{ ...ownerAndName(repo), content, encoding: "base64" },
			{ deadlineMs: BLOB_MS, read: sha },
		),
	);
}

/** The sha of `base` with `blob` at `path`; the rest of the tree stays. */
export async function treeWithFile(
	gitHub: Api,
	repo: string,
	base: string,
	path: string,
	blob: string,
): Promise<Step<string>> {
	return stepOf(
		await gitHub.rest(
			"POST /repos/{owner}/{repo}/git/trees",
			{
				...ownerAndName(repo),
				base_tree: base,
				tree: [{ path, mode: "100644", type: "blob", sha: blob }],
			},
			{ deadlineMs: COMMAND_MS, read: sha },
		),
	);
}

/** The commit's sha; no branch points at it yet. */
export async function commitTree(
	gitHub: Api,
	repo: string,
	commit: {
		readonly message: string;
		readonly tree: string;
		readonly parent: string;
		readonly author: { readonly name: string; readonly email: string };
	},
): Promise<Step<string>> {
	const { message, tree, parent, author } = commit;
	return stepOf(
		await gitHub.rest(
			"POST /repos/{owner}/{repo}/git/commits",
			{ ...ownerAndName(repo), message, tree, parents: [parent], author },
			{ deadlineMs: COMMAND_MS, read: sha },
		),
	);
}

/** What GitHub says of two at once, and of one that came too late. */
const MOVED = /fast.?forward|reference cannot be updated/i;

/** The swap: GitHub refuses it when the branch has moved since. */
export async function advanceMain(
	gitHub: Api,
	repo: string,
	commit: string,
): Promise<Step<string>> {
	const answer = await gitHub.rest(
		"PATCH /repos/{owner}/{repo}/git/refs/{ref}",
		{ ...ownerAndName(repo), ref: HEAD, sha: commit, force: false },
		{ deadlineMs: COMMAND_MS, read: (data) => textAt(data, "object", "sha") },
	);
	if (answer.kind === "ok") return assetStep(answer.value);
	const { status, message } = answer.failure;
	const moved = status === 409 || (status === 422 && MOVED.test(message));
	return moved ? retry("somebody else pushed") : afterFailure(answer.failure);
}

/** Does the branch hold the commit, whoever has pushed since? */
export async function mainContains(
	gitHub: Api,
	repo: string,
	commit: string,
): Promise<Step<boolean>> {
	const head = await readHead(gitHub, repo);
	if (head.kind !== "ok") return head;
	if (head.value === commit) return assetStep(true);
	return stepOf(
		await gitHub.rest(
			"GET /repos/{owner}/{repo}/compare/{basehead}",
			{ ...ownerAndName(repo), basehead: `${commit}...${ASSET_BRANCH}` },
			{
				deadlineMs: COMMAND_MS,
				read: (data) => {
					const status = textAt(data, "status");
					return status === null
						? null
						: status === "identical" || status === "ahead";
				},
			},
		),
	);
}
