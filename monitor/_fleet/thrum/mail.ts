/** Messages and state rows through thrum (contract 09 §5). */
import { bareName } from "../../_state/fleet/names.ts";
import { textAt, valueAt } from "../../_state/json-object.ts";
import { fail, ok } from "../failure.ts";
import type { Fleet, FleetCaps, Msg, R } from "../fleet.ts";
import { ARGV } from "./argv.ts";
import type { Thrum } from "./call.ts";
import { jsonIn, listAt, messagesIn } from "./parse.ts";

type MailCalls = Pick<
	Fleet,
	"send" | "inbox" | "sent" | "stateGet" | "stateScopes"
>;
const DEFAULT_LIMIT = 50;

/**
 * An inbox with nothing unread prints nothing, which is an empty list; any other text without messages is a failure.
 */
export function thrumMail(thrum: Thrum, caps: () => R<FleetCaps>): MailCalls {
	async function messages(argv: readonly string[]): R<readonly Msg[]> {
		const asked = await thrum(argv);
		if (asked.kind !== "ok") return asked;
		// Nothing unread prints nothing.
		if (asked.value.stdout.trim() === "") return ok([]);
		const listed = messagesIn(jsonIn(asked.value.stdout));
		return listed === null
			? fail("failed", `thrum ${argv[0]}: no messages in its answer`)
			: ok(listed);
	}

	return {
		send: async (to, body, o = {}) => {
			const argv =
				o.replyTo === undefined ? ARGV.send(to) : ARGV.reply(o.replyTo);
			const posted = await thrum(argv, { stdin: body });
			if (posted.kind !== "ok") return posted;
			const json = jsonIn(posted.value.stdout);
			const messageId = textAt(json, "message_id");
			if (messageId === null)
				return fail("failed", "thrum send: no message id in its answer");
			return ok({ messageId, recipients: recipientsOf(json, to) });
		},
		inbox: (o = {}) =>
			messages(ARGV.inbox(o.unread ?? false, o.limit ?? DEFAULT_LIMIT)),
		sent: (o = {}) =>
			messages(ARGV.sent(o.unread ?? false, o.to, o.limit ?? DEFAULT_LIMIT)),
		stateGet: async (kind, scope) => {
			const can = await caps();
			if (can.kind !== "ok") return can;
			if (!can.value.state) return ok(null);
			const shown = await thrum(ARGV.stateShow(kind, scope));
			if (shown.kind === "not-found") return ok(null);
			if (shown.kind !== "ok") return shown;
			const entry = valueAt(jsonIn(shown.value.stdout), "entry");
			return entry === undefined
				? fail("failed", "thrum state show: no entry in its answer")
				: ok(valueAt(entry, "value") ?? null);
		},
		stateScopes: async (kind) => {
			const can = await caps();
			if (can.kind !== "ok") return can;
			if (!can.value.state) return ok([]);
			const listed = await thrum(ARGV.stateList(kind));
			if (listed.kind !== "ok") return listed;
			const rows = listAt(jsonIn(listed.value.stdout), "entries");
			if (rows === null)
				return fail("failed", "thrum state list: no entries in its answer");
			return ok(rows.flatMap((row) => textAt(row, "scope") ?? []));
		},
	};
}

function recipientsOf(json: unknown, to: string): readonly string[] {
	const rows = listAt(json, "recipients");
	const names = rows?.flatMap((row) => textAt(row, "agent_id") ?? []) ?? [];
	if (names.length > 0) return names.map(bareName);
	return [bareName(textAt(json, "resolved_to") ?? to)];
}
