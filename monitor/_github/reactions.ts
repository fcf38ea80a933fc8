/** Looks at GitHub for what a comment or issue is marked with, and whether it is still open (contract 02 §5, C11, C12). */
import type { Target } from "../_state/emit-block-target.ts";
import { type Mark, readMarks } from "./eligibility.ts";
import { failure, type GhFailure } from "./errors.ts";
import type { GitHub } from "./github.ts";
import { readPages } from "./pages.ts";

/** Could not look. `failure.kind` says why; `not_found` is not "none" either. */
export interface Unknown {
	readonly kind: "unknown";
	readonly failure: GhFailure;
}

export type MarksLook =
	| { readonly kind: "marks"; readonly marks: readonly Mark[] }
	| Unknown;

const DEADLINE_MS = 15_000;
const MAX_PAGES = 10;

/**
 * The marks on `target` in `repo` (`owner/name`), read page by page until `decided` says that those seen so far
 * decide, or to the end. A deciding mark may stand behind a hundred hearts, so more than ten pages, or a page that
 * fails, are unknown. Of a target `none` nothing is asked.
 */
export async function readReactions(
	gitHub: Pick<GitHub, "get">,
	repo: string,
	target: Target,
	decided: (marks: readonly Mark[]) => boolean,
	signal?: AbortSignal,
): Promise<MarksLook> {
	const path = reactionsPath(repo, target);
	if (path === null) return unknown("it has no reactions to ask for");
	const pages = await readPages(
		(page) =>
			gitHub.get(`${path}?per_page=100&page=${page}`, {
				deadlineMs: DEADLINE_MS,
				read: readMarks,
				signal,
			}),
		{ maxPages: MAX_PAGES, enough: decided },
	);
	if (pages.kind === "failed")
		return { kind: "unknown", failure: pages.failure };
	if (pages.stopped === "limit")
		return unknown(`more than ${MAX_PAGES} pages of reactions`);
	return { kind: "marks", marks: pages.items };
}

/** Null: there is no such endpoint, or the names in it are none. */
export function reactionsPath(repo: string, target: Target): string | null {
	if (!isRepo(repo)) return null;
	switch (target.kind) {
		case "comment":
			return below(repo, "issues/comments", target.id);
		case "review_comment":
			return below(repo, "pulls/comments", target.id);
		case "issue":
			return below(repo, "issues", target.number);
		case "none":
			return null;
	}
}

/** Of an issue or pull request; a merged one is closed. */
export async function targetState(
	gitHub: Pick<GitHub, "get">,
	repo: string,
	number: string,
	signal?: AbortSignal,
): Promise<"open" | "closed" | Unknown> {
	if (!isRepo(repo) || !isDigits(number)) return unknown("no such name");
	const answer = await gitHub.get(`repos/${repo}/issues/${number}`, {
		deadlineMs: DEADLINE_MS,
		read: readState,
		signal,
	});
	return answer.kind === "ok"
		? answer.value
		: { kind: "unknown", failure: answer.failure };
}

function readState(data: unknown): "open" | "closed" | null {
	const state: unknown =
		typeof data === "object" && data !== null
			? Reflect.get(data, "state")
			: null;
	return state === "open" || state === "closed" ? state : null;
}

function below(repo: string, kind: string, id: string): string | null {
	return isDigits(id) ? `repos/${repo}/${kind}/${id}/reactions` : null;
}

/** A block's header comes from a file; it must not be able to name another path. */
function isRepo(repo: string): boolean {
	return (
		/^[\w.-]+\/[\w.-]+$/.test(repo) &&
		repo.split("/").every((part) => !/^\.{1,2}$/.test(part))
	);
}

function isDigits(id: string): boolean {
	return /^\d{1,19}$/.test(id);
}

function unknown(message: string): Unknown {
	return {
		kind: "unknown",
		failure: failure("client", { message, sent: false }),
	};
}
