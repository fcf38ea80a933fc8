/** The first file of a repository that has no `main`: the one request that works on an empty repository, then the branch. */
import { ASSET_BRANCH } from "../asset-url.ts";
import type { Upload } from "../assets.ts";
import { COMMAND_MS } from "../deadline.ts";
import type { GitHub } from "../github.ts";
import { textAt } from "../json-look.ts";
import { ownerAndName } from "../target-repo.ts";
import { readHead } from "./git-data.ts";
import { afterFailure, assetStep, retry, type Step, stepOf } from "./step.ts";

/**
 * `sha` is the commit. The file went to the default branch, whatever its name; `main` is made from it where it is
 * missing.
 */
export async function bootstrapMain(
	gitHub: Pick<GitHub, "rest">,
	{ repo, path, bytes, message, author }: Upload,
): Promise<Step<{ readonly sha: string; readonly how: "added" }>> {
	const put = stepOf(
		await gitHub.rest(
			"PUT /repos/{owner}/{repo}/contents/{path}",
			{
				...ownerAndName(repo),
				path,
				message,
				author,
				content: Buffer.from(bytes).toString("base64"),
			},
			{
				deadlineMs: COMMAND_MS,
				read: (data) => textAt(data, "commit", "sha"),
			},
		),
	);
	if (put.kind !== "ok") return put;
	const sha = put.value;
	const head = await readHead(gitHub, repo);
	if (head.kind !== "ok") return head;
	// It went to the default branch, whatever its name is.
	if (head.value === null) {
		const made = await gitHub.rest(
			"POST /repos/{owner}/{repo}/git/refs",
			{ ...ownerAndName(repo), ref: `refs/heads/${ASSET_BRANCH}`, sha },
			{ deadlineMs: COMMAND_MS, read: (data) => textAt(data, "ref") },
		);
		if (made.kind === "failed")
			return /already exists/i.test(made.failure.message)
				? retry("somebody else made the branch")
				: afterFailure(made.failure);
	}
	return assetStep({ sha, how: "added" });
}
