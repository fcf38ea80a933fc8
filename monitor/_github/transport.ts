/**
 * The way to GitHub, and to nobody else: a credential leaves for the configured API's origin only
 * (contract 02 §2.1). A repository that was renamed answers with a redirect within that origin, which is followed.
 */
import type { Net } from "../_sys/doors.ts";
import { REFUSED_REDIRECT } from "./error-facts.ts";

/** As `fetch`, for Octokit's `request.fetch`. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

const MOST_REDIRECTS = 3;

/** Rejects with a `RefusedRedirectError` rather than send `init` to another origin. */
export function transportTo(net: Net, apiBase: string): Transport {
	const home = new URL(apiBase).origin;
	return async (url, init) => {
		let at = url;
		for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
			const { origin, host } = new URL(at);
			if (origin !== home)
				throw refused(`${host} is not the configured API's host`);
			const answer = await net.fetch(at, init);
			const to = redirectOf(answer, at);
			if (to === null) return answer;
			if (!mayRepeat(answer.status, init.method ?? "GET"))
				throw refused(
					`it has moved (${answer.status}), and a write is not sent after it; name the new place`,
				);
			await answer.body?.cancel();
			at = to;
		}
		throw refused(`more than ${MOST_REDIRECTS} redirects`);
	};
}

function redirectOf(answer: Response, from: string): string | null {
	if (![301, 302, 303, 307, 308].includes(answer.status)) return null;
	const location = answer.headers.get("location");
	return location === null ? null : (URL.parse(location, from)?.href ?? null);
}

/** 301 to 303 would turn a POST into a GET; 307 and 308 say that it is to be sent again as it is. */
function mayRepeat(status: number, method: string): boolean {
	return status >= 307 || method === "GET" || method === "HEAD";
}

function refused(why: string): Error {
	const error = new Error(`redirect refused: ${why}`);
	error.name = REFUSED_REDIRECT;
	return error;
}
