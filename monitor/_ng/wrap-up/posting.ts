/** Posting a comment at most once, whatever becomes of the process, the answer or the log. */
import type { CommentText } from "../../_github/comment.ts";
import { failure, failureLine, type GhFailure } from "../../_github/errors.ts";
import { postComment } from "../../_github/thread.ts";
import { threadComments } from "../../_github/thread-comments.ts";
import {
	type Posting,
	postingHash,
	readPosting,
	removePosting,
	writePosting,
} from "../../_state/wrap-up-posting.ts";
import type { NgHub } from "../hub.ts";
import type { NgContext } from "../verb.ts";
import type { Matter } from "./history.ts";

type Posted =
	| { readonly kind: "ok"; readonly url: string }
	| { readonly kind: "failed"; readonly why: string };

/** GitHub's clock and ours may differ by so much. Seconds. */
const CLOCKS_APART = 86_400;
/** What was just posted need not be in GitHub's lists at once. Seconds. */
const SETTLED_AFTER = 10;

/** Said first on disk, then to GitHub. */
export async function postOnce(
	matter: Matter,
	body: string,
	{ gitHub, stateDir }: NgHub,
	{ doors }: NgContext,
): Promise<Posted> {
	const { files, clock } = doors;
	const noted = writePosting(files, stateDir, keyOf(matter), {
		at: clock.now(),
		bodySha256: postingHash(body),
	});
	if (noted.kind === "failed")
		return {
			kind: "failed",
			why: `it could not be noted, so it was not sent: ${noted.reason}`,
		};
	const answer = await postComment(gitHub, matter.repo, matter.issue, body);
	if (answer.kind === "ok") return { kind: "ok", url: answer.value };
	// Whatever was answered, the comment may be there: the next run looks for it before it posts another.
	if (!answer.failure.sent) forgetPosting(matter, stateDir, files);
	return { kind: "failed", why: failureLine(answer.failure) };
}

/** The event is in the log, which is where the next run looks first. */
export function forgetPosting(
	matter: Matter,
	stateDir: string,
	files: Parameters<typeof removePosting>[0],
): void {
	removePosting(files, stateDir, keyOf(matter));
}

/** The comment of a run that never learned of its success; null: there is none. Told by its text, to the letter: another's reply is never taken for it. */
export async function findLostComment(
	matter: Matter,
	{ gitHub, stateDir }: NgHub,
	{ doors }: NgContext,
): Promise<LostLook> {
	const noted = readPosting(doors, stateDir, keyOf(matter));
	if (noted.kind === "absent") return { kind: "looked", comment: null };
	if (noted.kind !== "ok") {
		const message = `the note of an earlier posting is ${noted.kind}: ${noted.why}`;
		return { kind: "unknown", failure: failure("client", { message }) };
	}
	const first = await lookFor(noted.value, matter, gitHub);
	const { clock } = doors;
	const early = noted.value.at + SETTLED_AFTER - clock.now();
	if (first.kind !== "looked" || first.comment !== null || early <= 0)
		return first;
	await clock.sleep(Math.min(early, SETTLED_AFTER) * 1000);
	return lookFor(noted.value, matter, gitHub);
}

type LostLook =
	| { readonly kind: "looked"; readonly comment: CommentText | null }
	| { readonly kind: "unknown"; readonly failure: GhFailure };

async function lookFor(
	{ at, bodySha256 }: Posting,
	{ repo, issue }: Matter,
	gitHub: NgHub["gitHub"],
): Promise<LostLook> {
	const since = Math.max(0, at - CLOCKS_APART);
	const pages = await threadComments(gitHub, repo, issue, since);
	if (pages.kind === "failed")
		return { kind: "unknown", failure: pages.failure };
	const comment = pages.items.findLast(
		({ body }) => postingHash(body) === bodySha256,
	);
	if (comment === undefined && pages.stopped === "limit") {
		const message = "the thread is too long to be read to its end";
		return { kind: "unknown", failure: failure("client", { message }) };
	}
	return { kind: "looked", comment: comment ?? null };
}

/** What the note and the turn of a matter go by. */
export function keyOf({ issue, report, repo }: Matter): readonly string[] {
	return [repo.toLowerCase(), issue, report];
}
