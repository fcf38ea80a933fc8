/** The `Net` door over a table of answers; a request that no row answers finds nobody there. */
import type { Net } from "../../monitor/_sys/doors.ts";

export interface FakeRequest {
	/** `GET https://host/path?query`. */
	readonly line: string;
	readonly headers: Headers;
	readonly body: string;
	readonly signal: AbortSignal | null;
}
type Respond = (request: FakeRequest) => Response | Promise<Response>;

export interface FakeNet extends Net {
	/** Every request so far, answered or not. */
	readonly requests: FakeRequest[];
	/** The newest row that fits answers: an exact line, or a pattern on it. */
	answer(line: string | RegExp, respond: Respond): void;
}

export function fakeNet(): FakeNet {
	const requests: FakeRequest[] = [];
	const rows: { line: string | RegExp; respond: Respond }[] = [];
	return {
		requests,
		answer: (line, respond) => {
			rows.unshift({ line, respond });
		},
		fetch: async (url, init) => {
			const request: FakeRequest = {
				line: `${init.method ?? "GET"} ${url}`,
				headers: new Headers(init.headers),
				body: typeof init.body === "string" ? init.body : "",
				signal: init.signal ?? null,
			};
			requests.push(request);
			init.signal?.throwIfAborted();
			const row = rows.find(({ line }) =>
				typeof line === "string"
					? line === request.line
					: line.test(request.line),
			);
			if (row === undefined)
				throw new TypeError(`nobody listens: ${request.line}`);
			return row.respond(request);
		},
	};
}
