/** What stands at a path of a tree. Folder by folder: GitHub cuts recursive listings short. */
import { COMMAND_MS } from "../deadline.ts";
import type { GitHub } from "../github.ts";
import { at, listAt, textAt } from "../json-look.ts";
import { ownerAndName } from "../target-repo.ts";
import { assetStep, type Step, stepOf, stop } from "./step.ts";

export type Entry =
	| { readonly kind: "nothing" }
	| { readonly kind: "file"; readonly sha: string }
	/** A write would silently turn a folder into a file, or the reverse. */
	| { readonly kind: "clash"; readonly message: string };

interface Listed {
	readonly rows: readonly Row[];
	readonly isCut: boolean;
}
interface Row {
	readonly path: string;
	readonly type: string;
	readonly sha: string;
}

/** `nothing`, a file with its blob's sha, or a clash. A listing that GitHub cut short is a failure, never "nothing". */
export async function findEntry(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	tree: string,
	path: string,
): Promise<Step<Entry>> {
	const segments = path.split("/");
	let folder = tree;
	for (const [i, segment] of segments.entries()) {
		const listed = await listTree(gitHub, repo, folder);
		if (listed.kind !== "ok") return listed;
		const { rows, isCut } = listed.value;
		const row = rows.find((r) => r.path === segment);
		const here = segments.slice(0, i + 1).join("/");
		if (row === undefined && isCut)
			return stop({
				kind: "failed",
				message: `GitHub does not list all of the folder of ${here}`,
				noToken: false,
			});
		if (row === undefined) return assetStep({ kind: "nothing" });
		const isLeaf = i === segments.length - 1;
		if (isLeaf && row.type === "blob")
			return assetStep({ kind: "file", sha: row.sha });
		if (isLeaf) return assetStep(clash(`${here} is a folder there`));
		if (row.type !== "tree")
			return assetStep(clash(`${here} is a file there, not a folder`));
		folder = row.sha;
	}
	return assetStep({ kind: "nothing" });
}

async function listTree(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	tree: string,
): Promise<Step<Listed>> {
	return stepOf(
		await gitHub.rest(
			"GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
			{ ...ownerAndName(repo), tree_sha: tree },
			{ deadlineMs: COMMAND_MS, read: readListed },
		),
	);
}

function readListed(data: unknown): Listed | null {
	const rows = listAt(data, "tree")?.map((row): Row | null => {
		const path = textAt(row, "path");
		const type = textAt(row, "type");
		const sha = textAt(row, "sha");
		return path === null || type === null || sha === null
			? null
			: { path, type, sha };
	});
	if (rows === undefined || !rows.every((row) => row !== null)) return null;
	return { rows, isCut: at(data, "truncated") === true };
}

function clash(message: string): Entry {
	return { kind: "clash", message };
}
