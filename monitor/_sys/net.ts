/** The real `Net` door. */
import type { Net } from "./doors.ts";
import { isLoopback } from "./loopback.ts";

/** Redirects are never followed: a token must not go where an answer points. A loopback address goes past any proxy. */
export function realNet(): Net {
	return {
		fetch: (url, init) => {
			if (isLoopback(new URL(url).hostname)) keepLoopbackOffTheProxy();
			return fetch(url, { ...init, redirect: "manual" });
		},
	};
}

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/**
 * bun sends requests to 127.0.0.1, too, through `HTTP_PROXY`, with the credentials in clear. Its
 * `fetch` takes no "no proxy"; it reads `NO_PROXY` at each call.
 */
function keepLoopbackOffTheProxy(): void {
	const { env } = process;
	const listed = (env.no_proxy || env.NO_PROXY || "").split(",");
	const missing = LOOPBACK.filter((host) => !listed.includes(host));
	if (missing.length === 0) return;
	const all = [...listed, ...missing].filter((host) => host !== "").join(",");
	env.NO_PROXY = all;
	env.no_proxy = all;
}
