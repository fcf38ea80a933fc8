/**
 * Asks for what was asked before only if it has changed (contract 02 §18): GitHub answers 304, without a
 * body and without counting it. Whoever asks sees the answer as if it had come whole.
 */
import type { Transport } from "./transport.ts";

/** What one process remembers of answers, by URL. */
export type AnswerMemory = Map<string, Remembered>;

interface Remembered {
	readonly etag: string;
	readonly body: string;
	/** Without what belongs to a single answer. */
	readonly headers: Headers;
}

/** A poll asks for one page again and again; more would only be kept. */
const MOST = 4;

/** Only GET is remembered, and only whole answers with an ETag. A 304 comes out as the 200 it stands for. */
export function conditional(
	transport: Transport,
	memory: AnswerMemory,
): Transport {
	return async (url, init) => {
		if ((init.method ?? "GET") !== "GET") return transport(url, init);
		const known = memory.get(url);
		const headers = new Headers(init.headers);
		if (known !== undefined) headers.set("if-none-match", known.etag);
		const answer = await transport(url, { ...init, headers });
		memory.delete(url);
		if (answer.status === 304 && known !== undefined) {
			remember(memory, url, known);
			return new Response(known.body, {
				headers: merged(known.headers, answer.headers),
			});
		}
		const etag = answer.headers.get("etag");
		if (answer.status !== 200 || etag === null) return answer;
		// Read here, so that it can be given out twice.
		const body = await answer.text();
		if (isWhole(body))
			remember(memory, url, {
				etag,
				body,
				headers: new Headers(answer.headers),
			});
		return new Response(body, { headers: answer.headers });
	};
}

/** The one that was not asked for the longest goes. */
function remember(memory: AnswerMemory, url: string, what: Remembered): void {
	memory.set(url, what);
	for (const oldest of memory.keys()) {
		if (memory.size <= MOST) return;
		memory.delete(oldest);
	}
}

/** Half an answer must not come back as one that still holds. */
function isWhole(body: string): boolean {
	try {
		JSON.parse(body);
		return true;
	} catch {
		return false;
	}
}

/** The limits are those of now, the rest is that of the answer that still holds. */
function merged(then: Headers, now: Headers): Headers {
	const headers = new Headers(then);
	for (const [name, value] of now)
		if (name.startsWith("x-ratelimit-") || name === "date")
			headers.set(name, value);
	return headers;
}
