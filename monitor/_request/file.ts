/** `file`: a worker asks something of the orchestrator (contract 08 §6.2). Prints the id alone. */
import { toRaw } from "../_state/request-document.ts";
import { filedBefore, fileRequest } from "../_state/request-filing.ts";
import { onceLock } from "../_state/requests-dir.ts";
import { isBlank, requestBody } from "./body.ts";
import { type Asking, fileArguments } from "./file-arguments.ts";
import { openInbox } from "./inbox.ts";
import type { RequestContext, RequestVerb } from "./verb.ts";

export const run: RequestVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const asked = fileArguments(args, doors.proc.env);
	if (asked.kind === "help") return 0;
	const refuse = (why: string) => {
		err(`file: ${why}`);
		return 1;
	};
	if (asked.kind === "refused") return refuse(asked.why);
	const body = await requestBody(asked.body, ctx);
	if (body.kind !== "ok")
		return refuse(
			body.kind === "none" ? "no text: --message, --file or -" : body.why,
		);
	if (isBlank(body.bytes)) return refuse("the text is blank");
	// A line that breaks half-way looks like the end of the text.
	const { length } = body.bytes;
	if (asked.bytes !== null && asked.bytes !== length)
		return refuse(`the text has ${length} bytes, not ${asked.bytes}`);
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return 1;
	const file = asked.once ? fileOnce : fileAnew;
	const filed = await file(ctx, inbox.dir, asked, body.bytes);
	if (filed.kind === "failed") return refuse(filed.why);
	out(filed.id);
	return 0;
};

const ONCE_WAIT_MS = 5000;

/** For who does not know whether an earlier call with this slug arrived. That call may still be at it. */
async function fileOnce(
	ctx: RequestContext,
	inbox: string,
	asked: Asking,
	bytes: Uint8Array,
) {
	const { doors } = ctx;
	doors.files.mkdir(inbox);
	const lock = await doors.locks.acquireWithin(onceLock(inbox), ONCE_WAIT_MS);
	try {
		const id = filedBefore(doors, inbox, asked);
		return id === null
			? fileAnew(ctx, inbox, asked, bytes)
			: ({ kind: "ok", id } as const);
	} finally {
		if (lock.kind === "acquired") lock.lock.release();
	}
}

function fileAnew(
	{ doors }: RequestContext,
	inbox: string,
	{ origin, slug, requestKind, priority, isReplyRequired, publish }: Asking,
	bytes: Uint8Array,
) {
	return fileRequest(doors, inbox, {
		origin,
		slug,
		kind: requestKind,
		priority,
		isReplyRequired,
		publish,
		body: toRaw(bytes),
	});
}
