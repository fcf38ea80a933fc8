/** `context-usage` (`ng context`): how full a session's context is (contract 08 §10). */

import { digits } from "../_state/kv.ts";
import { readSettings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import { type ContextRequest, parseContextArgs, USAGE } from "./args.ts";
import { resolveTranscript } from "./resolve.ts";
import { readUsage } from "./usage.ts";

export interface ContextUsageContext {
	readonly doors: Pick<Doors, "files" | "clock" | "proc">;
	readonly codeRoot: string;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

const SCAN_LINES = 400;

/** 0 below the threshold, 10 at or above it, 1 could not tell, 2 usage. */
export async function runContextUsage(
	argv: readonly string[],
	ctx: ContextUsageContext,
): Promise<0 | 1 | 2 | 10> {
	const request = parseContextArgs(argv);
	switch (request.kind) {
		case "help":
			ctx.out(USAGE);
			return 0;
		case "refused":
			ctx.err(`context-usage: ${request.message}`);
			ctx.err(USAGE);
			return 2;
		case "usage":
			return tell(request, ctx);
	}
}

async function tell(
	req: ContextRequest,
	{ doors, codeRoot, out, err }: ContextUsageContext,
): Promise<0 | 1 | 10> {
	const { files, proc } = doors;
	const { home, config, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	const found = resolveTranscript(req.selector, {
		files,
		env: proc.env,
		stateDir: home.stateDir,
		targetWindow: config["monitor.target_window"],
	});
	const lines = digits(proc.env.NEXUS_CONTEXT_SCAN_LINES) || SCAN_LINES;
	const usage =
		found.kind === "ok"
			? readUsage(files, found.transcript, lines)
			: ({ kind: "unresolved" } as const);
	if (found.kind === "failed" || usage.kind !== "ok") {
		const error =
			found.kind === "failed"
				? found.error
				: usage.kind === "none"
					? "no-usage-record"
					: "transcript-missing";
		if (!req.quiet) out(renderError(error, req.format));
		return 1;
	}
	const threshold =
		req.threshold ?? config["monitor.context_rotation.orchestrator_tokens"];
	const over = threshold > 0 && usage.tokens >= threshold;
	const report = {
		tokens: usage.tokens,
		limit: req.limit ?? config["monitor.context_rotation.limit_tokens"],
		threshold,
		over,
		session: found.session,
		window: req.selector.by === "window" ? req.selector.window : "unknown",
		transcript: found.transcript,
	};
	if (!req.quiet) out(renderReport(report, req.format));
	return over ? 10 : 0;
}

export interface UsageReport {
	readonly tokens: number;
	readonly limit: number;
	readonly threshold: number;
	readonly over: boolean;
	readonly session: string;
	readonly window: string;
	readonly transcript: string;
}

/** Pure. */
function renderReport(r: UsageReport, format: "kv" | "json"): string {
	const { tokens, limit, threshold, session, window, transcript } = r;
	const pct = Math.floor((tokens * 100) / limit);
	const sizes = { tokens, limit, pct, threshold };
	const whose = { session, window, transcript };
	return format === "json"
		? JSON.stringify({ ok: true, ...sizes, over: r.over, ...whose })
		: Object.entries({ ...sizes, over: r.over ? 1 : 0, ...whose })
				.map(([key, value]) => `${key}=${value}`)
				.join(" ");
}

function renderError(error: string, format: "kv" | "json"): string {
	return format === "json"
		? JSON.stringify({ ok: false, error })
		: `error=${error}`;
}
