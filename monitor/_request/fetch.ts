/** `fetch <id> progress|results|status` (contract 08 §6.2): what is read follows from id and selector alone. */
import { join } from "node:path";
import {
	fromRaw,
	readAnswered,
	replySection,
	toRaw,
} from "../_state/request-document.ts";
import { repliesDir } from "../_state/requests-dir.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { readArguments } from "./arguments.ts";
import {
	findRequest,
	isForeign,
	openInbox,
	readInside,
	type Standing,
} from "./inbox.ts";
import type { RequestContext, RequestVerb } from "./verb.ts";

const REFUSED = 2;
const NOT_READY = 3;
const FOREIGN = 5;

export const run: RequestVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const asked = readArguments(
		"fetch",
		args,
		{ "--principal": "value" },
		ctx,
		2,
	);
	if (asked.kind === "ended") return asked.rc;
	const { id } = asked;
	const [selector = ""] = asked.more;
	if (!["progress", "results", "status"].includes(selector)) {
		err(`fetch: progress, results or status, not '${excerpt(selector)}'`);
		return 1;
	}
	const principal =
		asked.value("--principal") ?? doors.proc.env.NEXUS_REQUEST_PRINCIPAL ?? "";
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return inbox.rc;
	const at = findRequest(doors.files, inbox.dir, id);
	if (at.kind !== "there") {
		err(`fetch: ${at.kind === "absent" ? `no request ${id}` : at.why}`);
		return REFUSED;
	}
	const { origin } = at.head;
	if (isForeign(origin, principal)) {
		err(`fetch: request ${id} is of ${origin}, not of ${principal}`);
		return FOREIGN;
	}
	if (selector === "status") {
		const isMoving = at.state === "replying" || at.state === "failing";
		out(isMoving ? "claimed" : at.state);
		return 0;
	}
	return fetchFile(selector, id, inbox.dir, at, ctx);
};

function fetchFile(
	selector: string,
	id: string,
	dir: string,
	at: Extract<Standing, { kind: "there" }>,
	{ doors, out, outBytes, err }: RequestContext,
): number {
	const { files } = doors;
	const isReplied = at.state === "replied";
	const path = join(repliesDir(dir, id), `${selector}.md`);
	const read = readInside(files, dir, path);
	if (read.kind === "refused") {
		err(`fetch: ${path}: ${read.why}`);
		return REFUSED;
	}
	// Results of an answer that is not given yet are nobody's.
	if (read.kind === "ok" && (isReplied || selector === "progress")) {
		outBytes(read.bytes);
		return 0;
	}
	if (!isReplied) {
		err(`fetch: request ${id} is ${at.state}`);
		return NOT_READY;
	}
	if (selector === "progress") {
		out(`request ${id} is answered: ng request fetch ${id} results`);
		return 0;
	}
	const document = readInside(files, dir, at.path);
	const text = document.kind === "ok" ? toRaw(document.bytes) : null;
	const body =
		text === null ? null : (readAnswered(text)?.body ?? replySection(text));
	if (body === null) {
		err(`fetch: request ${id}: it cannot be told where its answer begins`);
		return REFUSED;
	}
	outBytes(fromRaw(body));
	return 0;
}
