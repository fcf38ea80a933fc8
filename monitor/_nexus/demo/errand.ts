/** What the operator wants, from his comment on GitHub to the report that answers it. */
import { join } from "node:path";
import { isEligible, type Mark } from "../../_github/eligibility.ts";
import type { DemoGitHub } from "./github.ts";
import type { FollowedPanes } from "./panes.ts";
import { done, type Stage, type Step, until } from "./stage.ts";
import { BOT, OPERATOR, REPO, REPORTER } from "./world.ts";

export interface Errand {
	readonly issue: string;
	/** Id of the operator's comment. */
	readonly comment: string;
}

/** How it stands, as far as anybody can see. */
export interface ErrandEnd {
	/** Reactions on the comment; null: they could not be read. */
	readonly marks: readonly Mark[] | null;
	/** What the bot said on the issue. */
	readonly replies: readonly string[];
	/** Name of the worker's report; null: there is none. */
	readonly report: string | null;
	/** The uploaded file that a reply links to, by its path in the repository; null: none. */
	readonly asset: string | null;
	/** It equals the report byte for byte. */
	readonly isSame: boolean;
}

const WISH = "Please measure the cache sizes.";
/** A poll, the orchestrator's turn, a worker's start and its three calls. */
const LIMIT_MS = 120_000;
const LARGEST_REPORT = 1024 * 1024;

/** A colleague's issue is nobody's order; the operator's comment on it is one. */
export async function ask(
	stage: Stage,
	{ operator, colleague }: DemoGitHub,
): Promise<Step<Errand>> {
	const issue = await colleague.openIssue("The disk is full");
	if (issue.kind === "failed") return issue;
	const comment = await operator.comment(issue.value, WISH);
	if (comment.kind === "failed") return comment;
	stage.say(`${OPERATOR} comments on ${REPO}#${issue.value}: ${WISH}`);
	return done({ issue: issue.value, comment: comment.value });
}

/** Waits for the rocket and for the worker to rest; tells each mark as it appears. */
export async function awaitEnd(
	stage: Stage,
	gitHub: DemoGitHub,
	errand: Errand,
	panes: FollowedPanes,
): Promise<Step<ErrandEnd>> {
	const told = new Set<string>();
	return until(stage, "the comment to be settled", LIMIT_MS, async () => {
		const states = await panes.look();
		const end = await readEnd(stage, gitHub, errand);
		for (const { content, user } of end.marks ?? []) {
			if (told.has(content)) continue;
			told.add(content);
			stage.say(`${user} marks the comment: ${content}`);
		}
		return isSettled(end) && states.get(REPORTER) === "idle" ? end : null;
	});
}

/** Taken on, answered once with a link to the whole report, and closed for good. Pure. */
export function isSettled(end: ErrandEnd): boolean {
	const wanted = ["EYES", "ROCKET"];
	const isMarked = wanted.every((content) =>
		end.marks?.some((m) => m.content === content && m.user === `${BOT}[bot]`),
	);
	return (
		isMarked &&
		!isEligible(end.marks, OPERATOR) &&
		end.replies.length === 1 &&
		end.isSame
	);
}

/** What is at GitHub and on disk now. */
export async function readEnd(
	{ doors, world }: Stage,
	{ operator }: DemoGitHub,
	{ issue, comment }: Errand,
): Promise<ErrandEnd> {
	const marks = await operator.marksOn(comment);
	const replies = ((await operator.commentsOn(issue)) ?? [])
		.filter(({ author }) => author === `${BOT}[bot]`)
		.map(({ body }) => body);
	const listed = doors.files.list(world.reportsDir);
	const names = listed.kind === "ok" ? listed.names : [];
	const report = names.find((name) => name.endsWith(".md")) ?? null;
	const asset = linkedAsset(replies.join("\n"));
	const there = asset === null ? null : await operator.file(asset);
	const here =
		report === null
			? null
			: doors.files.readBytes(join(world.reportsDir, report), LARGEST_REPORT);
	const isSame =
		here?.kind === "ok" && there === Buffer.from(here.bytes).toString("base64");
	return { marks, replies, report, asset, isSame };
}

/** Path in the repository of the file that a text links to. Pure. */
export function linkedAsset(text: string): string | null {
	const path = /\/blob\/main\/(assets\/[\w./%-]+\.md)/.exec(text)?.[1];
	return path === undefined ? null : decodeURIComponent(path);
}
