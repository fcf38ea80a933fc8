/** `reply`: the orchestrator answers, once; `--amend` changes the answer (contract 08 §6.2). */
import { join } from "node:path";
import { fieldOf, splitFrontmatter } from "../_state/frontmatter.ts";
import {
	type Answered,
	fromRaw,
	type Raw,
	type Reply,
	rawOf,
	readAnswered,
	toRaw,
	withReply,
} from "../_state/request-document.ts";
import { repliesDir } from "../_state/requests-dir.ts";
import type { Files } from "../_sys/doors.ts";
import { requestBody } from "./body.ts";
import {
	badId,
	type Inbox,
	isRequestId,
	openInbox,
	readInside,
	standingOf,
} from "./inbox.ts";
import { type Asked, replyArguments, workerFields } from "./reply-arguments.ts";
import { move, report } from "./transition.ts";
import type { RequestContext, RequestVerb } from "./verb.ts";

const NO_BODY = "_(no text)_\n";
const ILLEGAL = 6;

export const run: RequestVerb = async (args, ctx) => {
	const { doors, err } = ctx;
	const asked = replyArguments(args);
	if (asked.kind === "help") return 0;
	if (asked.kind === "refused") {
		err(`reply: ${asked.why}`);
		return 1;
	}
	if (!isRequestId(asked.id)) {
		err(`reply: ${badId(asked.id)}`);
		return 1;
	}
	const body = await requestBody(asked.body, ctx);
	if (body.kind === "refused") {
		err(`reply: ${body.why}`);
		return 1;
	}
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return inbox.rc;
	const text = body.kind === "ok" ? toRaw(body.bytes) : rawOf(NO_BODY);
	if (asked.amend) return amend(asked, text, inbox, ctx);
	const moved = move(doors.files, {
		dir: inbox.dir,
		id: asked.id,
		from: ["claimed"],
		to: "replied",
		content: {
			through: "replying",
			make: (document) =>
				withReply(
					document,
					replyOf(asked, text, inbox, ctx, {
						publish: field(document, "publish") !== "false",
						repliedAt: null,
					}),
				),
		},
		repeatable: false,
	});
	if (moved.kind === "ok") keepCopies(asked, text, inbox, ctx);
	return report(moved, asked.id, "reply", ctx);
};

/** One replacement of the whole file. Refused where the old answer is not, to the byte, what was kept of it. */
function amend(
	asked: Asked,
	text: Raw,
	inbox: Inbox,
	ctx: RequestContext,
): number {
	const { doors, err } = ctx;
	const { files } = doors;
	const { id } = asked;
	const at = standingOf(files, inbox.dir, id);
	if (at.kind !== "there" || at.state !== "replied")
		return report(
			at.kind === "there"
				? { kind: "illegal", state: at.state }
				: at.kind === "absent"
					? at
					: { kind: "failed", why: at.why },
			...([id, "reply --amend", ctx] as const),
		);
	const refuse = (why: string) => {
		err(`reply --amend: request ${id}: ${why}`);
		return ILLEGAL;
	};
	const read = readInside(files, inbox.dir, at.path);
	if (read.kind !== "ok") return refuse("its answer cannot be read");
	const before = readAnswered(toRaw(read.bytes));
	if (before === null) return refuse("its answer is not where it should be");
	if (!isKept(files, inbox, id, before))
		return refuse("its answer and results.md differ");
	const { publish, repliedAt } = before;
	const reply = replyOf(asked, text, inbox, ctx, { publish, repliedAt });
	const document = withReply(before.request, reply);
	if (document === null) return refuse("it has no head");
	const wrote = files.writeAtomic(at.path, fromRaw(document), { fsync: true });
	if (wrote.kind === "failed") {
		err(`reply --amend: ${wrote.reason}`);
		return 1;
	}
	keepCopies(asked, text, inbox, ctx);
	ctx.out(at.path);
	return 0;
}

function isKept(
	files: Files,
	inbox: Inbox,
	id: string,
	before: Answered,
): boolean {
	const path = join(repliesDir(inbox.dir, id), "results.md");
	const kept = readInside(files, inbox.dir, path);
	return kept.kind === "ok" && toRaw(kept.bytes) === before.body;
}

/** After the transition is won, so that nobody finds results of an answer that was not given. */
function keepCopies(
	{ id, progress, results }: Asked,
	text: Raw,
	inbox: Inbox,
	{ doors, err }: RequestContext,
): void {
	const { files } = doors;
	const dir = repliesDir(inbox.dir, id);
	files.mkdir(dir);
	const wrote = files.writeAtomic(join(dir, "results.md"), fromRaw(text));
	if (wrote.kind === "failed") err(`reply: results.md: ${wrote.reason}`);
	for (const [name, from] of [
		["results.md", results],
		["progress.md", progress],
	] as const) {
		if (from === undefined) continue;
		const copied = files.copy(from, join(dir, name));
		if (copied.kind === "failed") err(`reply: ${name}: ${copied.reason}`);
	}
}

function replyOf(
	asked: Asked,
	body: Raw,
	inbox: Inbox,
	{ doors }: RequestContext,
	before: { readonly publish: boolean; readonly repliedAt: string | null },
): Reply {
	const { id, worker, status, issue } = asked;
	const now = doors.clock.iso();
	const publish = before.publish && !asked.noPublish;
	const dir = repliesDir(inbox.dir, id);
	const places = publish
		? issue === undefined
			? []
			: ([["github_issue", issue]] as const)
		: ([
				["progress_path", rawOf(join(dir, "progress.md"))],
				["results_path", rawOf(join(dir, "results.md"))],
			] as const);
	return {
		status: status ?? (worker === undefined ? "answered" : "spawned"),
		repliedAt: before.repliedAt ?? now,
		amendedAt: before.repliedAt === null ? null : now,
		publish,
		places,
		body,
		worker:
			worker === undefined
				? null
				: workerFields(doors.files, inbox.stateDir, worker, asked.workdir),
	};
}

function field(document: Raw, key: string): string {
	return fieldOf(splitFrontmatter(document), key).trim();
}
