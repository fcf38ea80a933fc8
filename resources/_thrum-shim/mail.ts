/** Messages of the shim (contract 09 §5, §6.7). */
import type { Msg } from "../../monitor/_fleet/fleet.ts";
import { readTime } from "../../monitor/_state/fleet/inbox.ts";
import {
	type Message,
	readMessage,
} from "../../monitor/_state/fleet/message.ts";
import { bareName } from "../../monitor/_state/fleet/names.ts";
import { isoMillis } from "../../monitor/_state/fleet/time.ts";
import {
	type Answer,
	answer,
	type Call,
	type Command,
	count,
	error,
	JSON_FLAG,
	type ShimContext,
	said,
	usage,
} from "./command.ts";
import { json, messageRow, messageText, sentText } from "./print.ts";

const DEFAULT_LIMIT = 50;
const BODY_FLAGS = { "--stdin": "switch", ...JSON_FLAG } as const;

export const MAIL_COMMANDS: readonly Command[] = [
	{
		words: "send",
		args: "--to AGENT|user:NAME (TEXT | --stdin) [--json]",
		flags: { "--to": "value", ...BODY_FLAGS },
		// Without it a message once went to everybody there was.
		required: ["--to"],
		takes: 1,
		creates: true,
		run: async (ctx, call) => {
			const body = await bodyOf(ctx, call, call.positionals[0]);
			if (body === null) return usage("give one text, or --stdin");
			return post(ctx, call, call.value("--to") ?? "", body);
		},
	},
	{
		words: "reply",
		args: "MESSAGE-ID (TEXT | --stdin) [--json]",
		flags: BODY_FLAGS,
		needs: 1,
		takes: 2,
		run: async (ctx, call) => {
			const message = stored(ctx, call.first);
			if (message === null) return error(`message ${call.first} not found`);
			const body = await bodyOf(ctx, call, call.positionals[1]);
			if (body === null) return usage("give one text, or --stdin");
			return post(ctx, call, message.from, body, message.messageId);
		},
	},
	{
		words: "inbox",
		args: "[--unread] [--limit N] [--json]   (without --unread what is shown becomes read)",
		flags: { "--unread": "switch", "--limit": "value", ...JSON_FLAG },
		run: async ({ fleet }, call) => {
			const limit = count(call.value("--limit"), DEFAULT_LIMIT);
			if (limit === null) return usage("--limit needs a number");
			const unread = call.on("--unread");
			return answer(await fleet.inbox({ unread, limit }), (messages) => {
				if (unread && messages.length === 0) return { exitCode: 0 };
				if (!call.on("--json"))
					return said(messages.map(messageText).join("\n"));
				return said(
					json({
						messages: messages.map(messageRow),
						total: messages.length,
						unread: messages.filter((m) => !m.isRead).length,
					}),
				);
			});
		},
	},
	{
		words: "sent",
		args: "[--unread] [--to AGENT|user:NAME] [--limit N] [--json]",
		flags: {
			"--unread": "switch",
			"--to": "value",
			"--limit": "value",
			...JSON_FLAG,
		},
		run: async (ctx, call) => {
			const limit = count(call.value("--limit"), DEFAULT_LIMIT);
			if (limit === null) return usage("--limit needs a number");
			const to = call.value("--to");
			const unread = call.on("--unread");
			const sent = await ctx.fleet.sent({ unread, to, limit });
			return answer(sent, (messages) =>
				call.on("--json")
					? said(json({ messages: messages.map((m) => sentRow(ctx, m)) }))
					: said(messages.map(sentText).join("\n")),
			);
		},
	},
	{
		words: "message get",
		args: "MESSAGE-ID [--json]",
		flags: JSON_FLAG,
		needs: 1,
		run: async (ctx, call) => {
			const message = stored(ctx, call.first);
			if (message === null) return error(`message ${call.first} not found`);
			const { content, ...rest } = message;
			const shown: Msg = { ...rest, body: content, isRead: true };
			return said(
				call.on("--json") ? json(messageRow(shown)) : messageText(shown),
			);
		},
	},
];

/** Null: none was given, or two. */
async function bodyOf(
	{ stdin }: ShimContext,
	call: Call,
	text: string | undefined,
): Promise<string | null> {
	if (call.on("--stdin")) return text === undefined ? stdin() : null;
	return text ?? null;
}

async function post(
	ctx: ShimContext,
	call: Call,
	to: string,
	body: string,
	replyTo?: string,
): Promise<Answer> {
	const sent = await ctx.fleet.send(to, body, { replyTo });
	return answer(sent, ({ messageId, recipients }) =>
		said(
			call.on("--json")
				? json({
						message_id: messageId,
						created_at: stored(ctx, messageId)?.createdAt,
						resolved_to: `@${bareName(to)}`,
						recipients: recipients.map((agent_id) => ({ agent_id })),
					})
				: `sent ${messageId} to @${recipients.join(", @")}`,
		),
	);
}

function sentRow({ local }: ShimContext, m: Msg) {
	const { files } = local.doors;
	const { thrumDir } = local.place;
	return {
		...messageRow(m),
		recipients: m.to.map((agent_id) => {
			const at = readTime(files, thrumDir, agent_id, m.messageId);
			return at === null ? { agent_id } : { agent_id, read_at: isoMillis(at) };
		}),
	};
}

function stored({ local }: ShimContext, id: string): Message | null {
	return readMessage(local.doors.files, local.place.thrumDir, id);
}
