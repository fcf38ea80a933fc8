/**
 * Comments in other repositories that name the operator, or the bot (contract 02 §8). By their cursor they come
 * once, so they go where deliveries go: into the queue, which nothing but a delivery empties.
 */
import { appendQueue } from "../_state/deliveries-queue.ts";
import { withoutBot } from "../_state/emit-block-target.ts";
import { type Block, renderBlocks } from "../_state/emit-blocks.ts";
import {
	type MentionSearch,
	readMentionCursor,
	writeMentionCursor,
} from "../_state/mention-cursor.ts";
import { backoffLimits, passBackoff } from "./backoff.ts";
import { blockOf } from "./found.ts";
import {
	type Candidate,
	type MentionScope,
	mentionWalk,
	nextCursor,
} from "./mention-walk.ts";
import { openMarks } from "./open-marks.ts";
import { askSearch, type SearchContext } from "./search.ts";

const PAGE = 50;

/** Text of the operator's where the bot is not installed: it can be read there, not answered. */
export async function snapshotMentions(
	ctx: SearchContext,
	installed: readonly string[],
): Promise<string> {
	const { config } = ctx;
	const login = config["github.user_login"];
	if (login === "") return "";
	return snapshotSearch(
		ctx,
		"mentions",
		{ shape: "cross_repo", handle: login, installed, inInstalled: false },
		config["monitor.graphql_timeout_seconds"] * 1000,
	);
}

/** What deliveries bring, for an App whose webhook is dead. */
export async function snapshotBotMentions(
	ctx: SearchContext,
	installed: readonly string[],
): Promise<string> {
	const { config } = ctx;
	const bot = withoutBot(config["github.bot_login"]);
	if (bot === "") return "";
	return snapshotSearch(
		ctx,
		"bot_mentions",
		{ shape: "mention", handle: bot, installed, inInstalled: true },
		config["monitor.mentions.max_time_seconds"] * 1000,
	);
}

/** What is to be staged: alerts, as a rule. */
async function snapshotSearch(
	ctx: SearchContext,
	search: MentionSearch,
	scope: Omit<MentionScope, "home">,
	deadlineMs: number,
): Promise<string> {
	const { doors, stateDir, config } = ctx;
	const limits = backoffLimits(config);
	const hold = passBackoff(doors, stateDir, search, limits);
	if (!hold.open) return renderBlocks(hold.alerts);
	const asked = await askSearch(ctx, search, {
		first: PAGE,
		after: null,
		deadlineMs,
	});
	// A page that is not whole is asked for again, from the same cursor.
	if (asked.page.kind !== "page") return renderBlocks(asked.alerts);
	const cursor = readMentionCursor(doors, stateDir, search);
	const home = config["github.repo"];
	const candidates = mentionWalk(asked.page.items, { ...scope, home }, cursor);
	const told = await openOnes(ctx, candidates, scope.shape);
	if (told.blocks.length === 0) return "";
	const text = renderBlocks(told.blocks);
	const queued = await appendQueue(doors, stateDir, text);
	if (queued.kind === "failed") {
		// Staged they are told as well; the next search finds them again.
		doors.log.warn(`${search} could not be queued: ${queued.reason}`);
		return text;
	}
	const next = nextCursor(cursor, told.candidates, told.unknown);
	writeMentionCursor(doors.files, stateDir, search, next);
	return "";
}

/** Those that are open; `unknown` may be, and must not be passed by the cursor. */
async function openOnes(
	ctx: SearchContext,
	all: readonly Candidate[],
	shape: MentionScope["shape"],
) {
	const { config, signal } = ctx;
	const marks = openMarks({
		gitHub: ctx.reactions,
		operator: config["github.user_login"],
		home: config["github.repo"],
		signal,
	});
	const blocks: Block[] = [];
	const candidates: Candidate[] = [];
	const unknown: Candidate[] = [];
	for (const candidate of all) {
		const where = { kind: shape, repo: candidate.repo };
		const block = blockOf(candidate.found, where, config["github.bot_login"]);
		const before = marks.unknown();
		const open = await marks.look(candidate.record, block);
		if (marks.unknown() > before) unknown.push(candidate);
		if (open !== "open") continue;
		blocks.push(block);
		candidates.push(candidate);
	}
	return { blocks, candidates, unknown };
}
