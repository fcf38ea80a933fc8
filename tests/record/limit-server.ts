/**
 * A model API that refuses every message as Anthropic's does an account at its usage limit, so that
 * Claude Code shows its real notice and menu. A made-up subscription token is enough to be told.
 */

export interface LimitServer {
	readonly url: string;
	stop(): Promise<void>;
}

/** Environment of a Claude Code that believes in its subscription. */
export const SUBSCRIBER = {
	ANTHROPIC_AUTH_TOKEN: "",
	CLAUDE_CODE_OAUTH_TOKEN: `sk-ant-oat01-${"a".repeat(80)}`,
};

const HOURS_TO_RESET = 3;

/** `claim`: whose limit it is, as the API names it (`five_hour`, `seven_day`, `seven_day_opus`). */
export function startLimitServer(claim: string): LimitServer {
	const reset = String(Math.floor(Date.now() / 1000) + HOURS_TO_RESET * 3600);
	const headers = {
		"anthropic-ratelimit-unified-status": "rejected",
		"anthropic-ratelimit-unified-reset": reset,
		"anthropic-ratelimit-unified-representative-claim": claim,
		"anthropic-ratelimit-unified-overage-status": "rejected",
		"anthropic-ratelimit-unified-overage-disabled-reason": "org_level_disabled",
		"x-should-retry": "false",
	};
	const message = "This request would exceed your account's rate limit.";
	const body = { type: "error", error: { type: "rate_limit_error", message } };
	const server = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		fetch: (http) =>
			new URL(http.url).pathname.endsWith("/messages")
				? Response.json(body, { status: 429, headers })
				: Response.json({}, { status: 404 }),
	});
	return {
		url: `http://127.0.0.1:${server.port}`,
		stop: () => server.stop(true),
	};
}
