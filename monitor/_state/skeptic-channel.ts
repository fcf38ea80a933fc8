/**
 * `skeptic/<key>/req-NNN-<slug>.<state>.md` and its `DONE`: what a reviewer asks of the worker whose work it looks at
 * (contract 08 §7). The name is the state, the rename the signal.
 */
import { join } from "node:path";
import type { Clock, Files, WriteResult } from "../_sys/doors.ts";
import { skepticChannelDir, skepticPendingPath } from "./skeptic.ts";

const QUESTION_STATES = ["open", "ack", "answered"] as const;
export type QuestionState = (typeof QUESTION_STATES)[number];

export interface Question {
	/** `req-007-the-slug`. */
	readonly stem: string;
	/** `007`. */
	readonly number: string;
	readonly state: QuestionState;
	/** File name. */
	readonly name: string;
}

function parseQuestionName(name: string): Question | null {
	const [, stem, number, word] =
		/^(req-(\d{3,})-[A-Za-z0-9_-]+)\.([a-z]+)\.md$/.exec(name) ?? [];
	const state = QUESTION_STATES.find((s) => s === word);
	return stem === undefined || number === undefined || state === undefined
		? null
		: { stem, number, state, name };
}

/** `stem` with its number; a rename to it is the transition. */
export function questionName(stem: string, state: QuestionState): string {
	return `${stem}.${state}.md`;
}

/** In the order they were asked. Of a question that is on its way from one state to the next the further one. Null: could not look. */
export function listQuestions(
	files: Files,
	dir: string,
): readonly Question[] | null {
	const listed = files.list(dir);
	if (listed.kind === "unreadable") return null;
	if (listed.kind === "absent") return [];
	const furthest = new Map<string, Question>();
	for (const name of listed.names) {
		const found = parseQuestionName(name);
		if (found === null) continue;
		const known = furthest.get(found.stem);
		if (known === undefined || rank(found) > rank(known))
			furthest.set(found.stem, found);
	}
	return [...furthest.values()].sort((a, b) => (a.stem < b.stem ? -1 : 1));
}

/** `word`: a question's number, stem or file name. */
export function findQuestion(
	questions: readonly Question[],
	word: string,
): Question | null {
	const number = /^\d+$/.test(word) ? Number(word) : null;
	return (
		questions.find(
			(q) =>
				q.stem === word ||
				word === questionName(q.stem, q.state) ||
				parseQuestionName(word)?.stem === q.stem ||
				Number(q.number) === number,
		) ?? null
	);
}

export type Asked =
	| { readonly kind: "ok"; readonly question: Question }
	| { readonly kind: "failed"; readonly why: string };

/** The number is reserved first; the file appears whole. */
export function askQuestion(
	files: Files,
	dir: string,
	slug: string,
	text: string,
): Asked {
	files.mkdir(join(dir, ".ids"));
	const known = listQuestions(files, dir);
	if (known === null) return { kind: "failed", why: `${dir} cannot be read` };
	const last = known.reduce((n, q) => Math.max(n, Number(q.number)), 0);
	for (let n = last + 1; n <= last + MOST_TRIES; n++) {
		const number = String(n).padStart(3, "0");
		const reserved = files.mkdirNew(join(dir, ".ids", number));
		if (reserved.kind === "failed" && reserved.code === "EEXIST") continue;
		if (reserved.kind === "failed")
			return { kind: "failed", why: reserved.reason };
		const stem = `req-${number}-${slug}`;
		const name = questionName(stem, "open");
		const wrote = files.writeAtomic(join(dir, name), text, { fsync: true });
		return wrote.kind === "ok"
			? { kind: "ok", question: { stem, number, state: "open", name } }
			: { kind: "failed", why: wrote.reason };
	}
	return { kind: "failed", why: "no number could be reserved" };
}

/** Its presence says that the reviewer asks no more. */
export function donePath(dir: string): string {
	return join(dir, "DONE");
}

/** Its age is that of the last nudge. */
export function nudgedPath(dir: string): string {
	return join(dir, ".nudged");
}

/** Where a round that is over goes. `at` in epoch seconds. */
export function archiveDir(dir: string, at: number): string {
	return join(dir, `.stale-archive-${at}`);
}

/** A `DONE` that is older than the marker belongs to an earlier round. */
export function isReviewOver(
	files: Files,
	stateDir: string,
	window: string,
): boolean {
	const done = files.stat(donePath(skepticChannelDir(stateDir, window)));
	if (done.kind !== "ok") return false;
	const marker = files.lstat(skepticPendingPath(stateDir, window));
	return (
		marker.kind === "absent" ||
		(marker.kind === "ok" && done.stat.mtimeMs >= marker.stat.mtimeMs)
	);
}

/** `DONE` first: a worker that finds no marker must find it. */
export function closeReview(
	{ files, clock }: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	window: string,
): WriteResult {
	const dir = skepticChannelDir(stateDir, window);
	files.mkdir(dir);
	const done = files.writeAtomic(donePath(dir), `${clock.iso()}\n`);
	return done.kind === "ok"
		? files.remove(skepticPendingPath(stateDir, window))
		: done;
}

/** Says that the reviewed worker is there and waits. A marker is never made here: one that comes back would keep the window for ever. */
export function touchWaiting(
	files: Files,
	stateDir: string,
	window: string,
): void {
	files.touch(join(skepticChannelDir(stateDir, window), ".await-heartbeat"), {
		create: true,
	});
	files.touch(skepticPendingPath(stateDir, window));
}

const MOST_TRIES = 999;

function rank({ state }: Question): number {
	return QUESTION_STATES.indexOf(state);
}
