/**
 * Uploading a file: a commit through GitHub's git data API, without a clone (contract 05 §11.3). The branch is moved
 * by compare-and-swap, so that whoever pushes at the same time loses nothing, and no address is given out before the
 * branch was seen to hold the commit: a dead link is worse than a failed upload.
 */
import type { Clock, Random } from "../_sys/doors.ts";
import { bootstrapMain } from "./assets/bootstrap.ts";
import { findEntry } from "./assets/entry.ts";
import {
	advanceMain,
	commitTree,
	createBlob,
	mainContains,
	readHead,
	treeOfCommit,
	treeWithFile,
} from "./assets/git-data.ts";
import { assetStep, type Step, stop } from "./assets/step.ts";
import type { GitHub } from "./github.ts";

export interface Upload {
	readonly repo: string;
	/** Below `assets/`. */
	readonly path: string;
	readonly bytes: Uint8Array;
	readonly message: string;
	readonly author: { readonly name: string; readonly email: string };
	/** How often the branch may move under us. */
	readonly rounds: number;
}

export type Uploaded =
	/** `sha`: a commit on the branch that holds the bytes. */
	| {
			readonly kind: "ok";
			readonly sha: string;
			readonly how: "added" | "overwritten" | "unchanged";
	  }
	/** A file stands where a folder would have to, or the reverse. */
	| { readonly kind: "clash"; readonly message: string }
	/** GitHub has said why in `message`; nothing was published that an address would name. Trying again is safe. */
	| {
			readonly kind: "failed";
			readonly message: string;
			readonly noToken: boolean;
	  };

export interface UploadDoors {
	readonly gitHub: Pick<GitHub, "rest">;
	readonly clock: Pick<Clock, "sleep">;
	readonly random: Pick<Random, "float">;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const JITTER_MS = 1000;

/** Never rejects for anything that GitHub answers. */
export async function uploadAsset(
	doors: UploadDoors,
	what: Upload,
): Promise<Uploaded> {
	const blob = onceCreated(doors.gitHub, what);
	let last = "no round was tried";
	for (let round = 0; round < what.rounds; round++) {
		if (round > 0) await backOff(doors, round);
		const step = await placeFile(doors.gitHub, what, blob);
		if (step.kind === "stop") return step.end;
		if (step.kind === "retry") {
			last = step.why;
			continue;
		}
		const { sha, how } = step.value;
		const seen = await mainContains(doors.gitHub, what.repo, sha);
		if (seen.kind === "ok" && seen.value) return { kind: "ok", sha, how };
		const why =
			seen.kind === "ok" ? "the branch does not hold it" : whyOf(seen);
		return failed(`commit ${sha} was not seen on the branch: ${why}`);
	}
	return failed(`given up after ${what.rounds} rounds: ${last}`);
}

interface Placed {
	readonly sha: string;
	readonly how: "added" | "overwritten" | "unchanged";
}

/** One round, from the head as it is now. */
async function placeFile(
	gitHub: Pick<GitHub, "rest">,
	what: Upload,
	blob: () => Promise<Step<string>>,
): Promise<Step<Placed>> {
	const { repo, path, message, author } = what;
	const head = await readHead(gitHub, repo);
	if (head.kind !== "ok") return head;
	if (head.value === null) return bootstrapMain(gitHub, what);
	const parent = head.value;
	const tree = await treeOfCommit(gitHub, repo, parent);
	if (tree.kind !== "ok") return tree;
	const found = await findEntry(gitHub, repo, tree.value, path);
	if (found.kind !== "ok") return found;
	const before = found.value;
	if (before.kind === "clash")
		return stop({ kind: "clash", message: before.message });
	if (before.kind === "file" && before.sha === gitBlobId(what.bytes))
		return assetStep({ sha: parent, how: "unchanged" });
	const made = await blob();
	if (made.kind !== "ok") return made;
	const grown = await treeWithFile(gitHub, repo, tree.value, path, made.value);
	if (grown.kind !== "ok") return grown;
	const commit = await commitTree(gitHub, repo, {
		message,
		author,
		parent,
		tree: grown.value,
	});
	if (commit.kind !== "ok") return commit;
	const sha = commit.value;
	const moved = await advanceMain(gitHub, repo, sha);
	if (moved.kind !== "ok") return moved;
	const how = before.kind === "file" ? "overwritten" : "added";
	return assetStep({ sha, how });
}

/** As git names a file by what it holds. */
export function gitBlobId(bytes: Uint8Array): string {
	return new Bun.CryptoHasher("sha1")
		.update(`blob ${bytes.length}\0`)
		.update(bytes)
		.digest("hex");
}

/** A blob is independent of where the branch stands: it is sent once, whatever the number of rounds. */
function onceCreated(
	gitHub: Pick<GitHub, "rest">,
	{ repo, bytes }: Upload,
): () => Promise<Step<string>> {
	let made: Step<string> | null = null;
	return async () => {
		if (made?.kind !== "ok") made = await createBlob(gitHub, repo, bytes);
		return made;
	};
}

async function backOff(
	{ clock, random }: UploadDoors,
	round: number,
): Promise<void> {
	const ms = Math.min(FIRST_WAIT_MS * 2 ** (round - 1), LONGEST_WAIT_MS);
	await clock.sleep(ms + random.float() * JITTER_MS);
}

function whyOf(step: Exclude<Step<unknown>, { kind: "ok" }>): string {
	if (step.kind === "retry") return step.why;
	return step.end.kind === "ok" ? "" : step.end.message;
}

function failed(message: string): Uploaded {
	return { kind: "failed", message, noToken: false };
}
