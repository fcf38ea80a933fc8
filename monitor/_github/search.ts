/** Asking one search: its page, and what becomes of a call that fails (contract 02 §2.4, §7.5). */
import type { Config } from "../../config/schema.ts";
import { withoutBot } from "../_state/emit-block-target.ts";
import type { AlertBlock } from "../_state/emit-blocks.ts";
import { mayLog } from "../_state/github-throttle.ts";
import type { Surface } from "../_state/graphql-backoff.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import type { Doors } from "../_sys/doors.ts";
import { armBackoff, backoffLimits } from "./backoff.ts";
import type { GhFailure } from "./errors.ts";
import type { GitHub } from "./github.ts";
import { QUERIES, searchString } from "./queries.ts";
import { judgePage, readSearchPage, type SearchNode } from "./search-page.ts";
import type { PageAnswer } from "./walk.ts";

/** One fire of the searches. */
export interface SearchContext {
	readonly doors: Pick<Doors, "clock" | "files" | "locks" | "log">;
	readonly gitHub: GitHub;
	readonly stateDir: string;
	readonly config: Config;
	readonly signal: AbortSignal;
	/** Reactions that the searches did not bring whole: a bounded number of calls. */
	readonly reactions: Pick<GitHub, "get">;
	readonly processed: ReadonlySet<string>;
}

export interface PageAsked {
	readonly first: number;
	/** Null: the first page. */
	readonly after: string | null;
	readonly deadlineMs: number;
}

export interface SearchAnswer {
	readonly page: PageAnswer<SearchNode>;
	readonly alerts: readonly AlertBlock[];
}

/**
 * One page, and alerts for limits that the call met. A partial answer gives its cursor alone; an aborted run `ended`.
 */
export async function askSearch(
	ctx: SearchContext,
	surface: Surface,
	{ first, after, deadlineMs }: PageAsked,
): Promise<SearchAnswer> {
	const q = searchString(surface, whoOf(ctx.config));
	// A variable that is left out is null.
	const variables = { q, first, ...(after !== null && { after }) };
	const answer = await ctx.gitHub.graphql(QUERIES[surface], variables, {
		deadlineMs,
		signal: ctx.signal,
		read: readSearchPage,
	});
	if (answer.kind === "ok")
		return { page: judgePage(answer.value, surface), alerts: [] };
	if (ctx.signal.aborted) return { page: { kind: "ended" }, alerts: [] };
	const { failure } = answer;
	switch (failure.kind) {
		case "graphql_partial": {
			const page = readSearchPage(failure.partial);
			return {
				page:
					page === null
						? { kind: "malformed" }
						: { kind: "partial", next: page.next },
				alerts: [],
			};
		}
		case "malformed":
			return { page: { kind: "malformed" }, alerts: [] };
		case "rate_primary":
		case "rate_secondary": {
			const { doors, stateDir, config } = ctx;
			const limits = backoffLimits(config);
			return {
				page: { kind: "failed" },
				alerts: armBackoff(doors, stateDir, surface, failure, limits),
			};
		}
		default:
			noteFailedSearch(ctx, surface, failure);
			return { page: { kind: "failed" }, alerts: [] };
	}
}

/** Transient noise must not page anybody: a row, once in ten minutes. */
function noteFailedSearch(
	{ doors, stateDir }: SearchContext,
	surface: Surface,
	{ kind, message }: GhFailure,
): void {
	if (!mayLog(doors, stateDir, { of: "other", surface })) return;
	const detail = kind === "timeout" ? `graphql_timeout ${message}` : message;
	appendAlert(
		doors,
		stateDir,
		"WARN",
		`${surface} graphql_failure ${detail || "empty"}`,
	);
}

function whoOf(config: Config) {
	return {
		repo: config["github.repo"],
		operator: config["github.user_login"],
		bot: withoutBot(config["github.bot_login"]),
	};
}
