/** Answers as bytes. */
import type { Reply } from "./http.ts";

export function toResponse(reply: Reply): Response {
	const { status, body, headers = {} } = reply;
	if (body === undefined) return new Response(null, { status, headers });
	return new Response(withDigits(body), {
		status,
		headers: { "content-type": "application/json; charset=utf-8", ...headers },
	});
}

/** With an `etag`; without its body when the asker has it already. */
export function conditionalReply(reply: Reply, asked: string | null): Reply {
	if (reply.status !== 200 || reply.body === undefined) return reply;
	const etag = `W/"${Bun.hash(withDigits(reply.body)).toString(16)}"`;
	const headers = { ...reply.headers, etag };
	return asked === etag ? { status: 304, headers } : { ...reply, headers };
}

const MARK = "\u{f8ff}digits:";

/** JSON in which a bigint stands with all its digits, as GitHub sends its long ids. */
function withDigits(body: unknown): string {
	const text = JSON.stringify(body, (_key, value: unknown) =>
		typeof value === "bigint" ? `${MARK}${value}` : value,
	);
	return text.replace(new RegExp(`"${MARK}(\\d+)"`, "g"), "$1");
}
