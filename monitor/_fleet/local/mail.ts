/** Messages of a local fleet (contract 09 §6.1): files first, then the pane is told. */
import {
	listInbox,
	listSent,
	markRead,
	putInInbox,
	putInSent,
	readTime,
} from "../../_state/fleet/inbox.ts";
import {
	type Message,
	readMessage,
	removeMessage,
	type Scope,
	writeMessage,
} from "../../_state/fleet/message.ts";
import { bareName, isUser } from "../../_state/fleet/names.ts";
import { dropNudge } from "../../_state/fleet/nudge.ts";
import { sortableId } from "../../_state/fleet/sortable-id.ts";
import { isoMillis } from "../../_state/fleet/time.ts";
import { fail, ok } from "../failure.ts";
import type { Fleet, Msg, R, Sent } from "../fleet.ts";
import { callerName, type LocalContext } from "./context.ts";
import { nudge } from "./nudges.ts";
import { locate } from "./team.ts";

const DEFAULT_LIMIT = 50;
const NOBODY = "no agent identity";

/**
 * Refused for a caller who is nobody. `send` answers when the message is on disk; a nudge that fails does not undo
 * it.
 */
export function localMail(
	ctx: LocalContext,
): Pick<Fleet, "send" | "inbox" | "sent"> {
	return {
		send: async (to, body, o = {}) => {
			const from = callerName(ctx);
			if (from === null) return fail("refused", NOBODY);
			const posted = await post(ctx, { from, to, body, replyTo: o.replyTo });
			if (posted.kind === "ok") await nudge(ctx, bareName(to), from);
			return posted;
		},
		inbox: async (o = {}) => {
			const me = callerName(ctx);
			return me === null ? fail("refused", NOBODY) : inboxOf(ctx, me, o);
		},
		sent: async (o = {}) => {
			const me = callerName(ctx);
			return me === null ? fail("refused", NOBODY) : sentBy(ctx, me, o);
		},
	};
}

export interface Letter {
	readonly from: string;
	readonly to: string;
	readonly body: string;
	readonly replyTo?: string;
	readonly scopes?: readonly Scope[];
}

/** Written, delivered, kept as sent; nothing is typed. A person is rung too, best effort. */
export async function post(ctx: LocalContext, letter: Letter): R<Sent> {
	const { doors, place, settings } = ctx;
	const { files } = doors;
	const { thrumDir } = place;
	const { from, body } = letter;
	const to = bareName(letter.to);
	const bytes = Buffer.byteLength(body);
	if (bytes > settings.messageLimitBytes)
		return fail(
			"usage",
			`the message has ${bytes} bytes; the limit is ${settings.messageLimitBytes}`,
		);
	const known = await isKnown(ctx, to);
	if (known.kind !== "ok") return known;
	if (!known.value) return fail("not-found", `unknown recipient: @${to}`);
	const messageId = sortableId("msg", doors.clock, doors.random);
	const message: Message = {
		messageId,
		from,
		to: [to],
		content: body,
		createdAt: isoMillis(doors.clock.nowMs()),
		...(letter.replyTo === undefined ? {} : { replyTo: letter.replyTo }),
		...(letter.scopes === undefined ? {} : { scopes: letter.scopes }),
	};
	const written = writeMessage(files, thrumDir, message);
	if (written.kind !== "ok") return fail("failed", written.reason);
	const delivered = putInInbox(files, thrumDir, to, messageId);
	if (delivered.kind !== "ok") {
		// In nobody's box it would lie there for good.
		removeMessage(files, thrumDir, messageId);
		return fail("failed", delivered.reason);
	}
	const kept = putInSent(files, thrumDir, from, messageId);
	// It has arrived: a failure would have it sent twice.
	if (kept.kind !== "ok")
		doors.log.warn(`fleet: ${messageId} is not kept as sent: ${kept.reason}`);
	if (isUser(to)) await ring(ctx, from, body);
	return ok({ messageId, recipients: [to] });
}

async function isKnown(ctx: LocalContext, to: string): R<boolean> {
	if (isUser(to)) return ok(true);
	const found = await locate(ctx, to);
	return found.kind === "ok" ? ok(found.value !== null) : found;
}

async function ring(
	{ doors, hands }: LocalContext,
	from: string,
	body: string,
): Promise<void> {
	const why = await hands.notify?.(`message from @${from}`, body);
	if (why) doors.log.warn(`fleet: the operator was not rung: ${why}`);
}

function inboxOf(
	ctx: LocalContext,
	me: string,
	o: { readonly unread?: boolean; readonly limit?: number },
): Awaited<R<readonly Msg[]>> {
	const { files, log } = ctx.doors;
	const { thrumDir } = ctx.place;
	const box = listInbox(files, thrumDir, me);
	if (box.kind === "unreadable") return fail("failed", box.why);
	const wanted = box.letters.filter(({ isRead }) => !(o.unread && isRead));
	const messages = wanted
		.slice(-(o.limit ?? DEFAULT_LIMIT))
		.flatMap(({ messageId, isRead }) => {
			const message = readMessage(files, thrumDir, messageId);
			if (message !== null) return [msgOf(message, isRead)];
			log.warn(`fleet: ${messageId}, for @${me}, is damaged or gone`);
			return [];
		});
	if (!o.unread)
		for (const { messageId } of messages.filter(({ isRead }) => !isRead))
			markRead(files, thrumDir, me, messageId);
	const left = listInbox(files, thrumDir, me);
	if (left.kind === "ok" && left.letters.every(({ isRead }) => isRead))
		dropNudge(files, thrumDir, me);
	return ok(messages);
}

function sentBy(
	ctx: LocalContext,
	me: string,
	o: {
		readonly unread?: boolean;
		readonly to?: string;
		readonly limit?: number;
	},
): Awaited<R<readonly Msg[]>> {
	const { files } = ctx.doors;
	const { thrumDir } = ctx.place;
	const to = o.to === undefined ? null : bareName(o.to);
	const sent = listSent(files, thrumDir, me);
	if (sent.kind === "unreadable") return fail("failed", sent.why);
	const messages = sent.messageIds.flatMap((id) => {
		const message = readMessage(files, thrumDir, id);
		if (message === null) return [];
		const read = message.to.every(
			(who) => readTime(files, thrumDir, who, id) !== null,
		);
		const isWanted =
			(to === null || message.to.includes(to)) && !(o.unread && read);
		return isWanted ? [msgOf(message, read)] : [];
	});
	return ok(messages.slice(-(o.limit ?? DEFAULT_LIMIT)));
}

function msgOf(message: Message, isRead: boolean): Msg {
	const { messageId, from, to, content, createdAt, replyTo } = message;
	const msg = { messageId, from, to, body: content, createdAt, isRead };
	return replyTo === undefined ? msg : { ...msg, replyTo };
}
