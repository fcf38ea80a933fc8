/**
 * The comments that are to be told now, as a view of queue, staging and registry (contract 01 §8.3, 02 §11).
 * Whoever gets a view ends it: `commit` after a delivery, else `release`, and then nothing was told.
 */
import { type Drained, drainQueue } from "../_state/deliveries-queue.ts";
import { withoutBot } from "../_state/emit-block-target.ts";
import {
	alertBlock,
	type Block,
	type CommentBlock,
	parseBlocks,
	renderForEmit,
} from "../_state/emit-blocks.ts";
import { readSuppressed } from "../_state/emit-suppression.ts";
import { readProcessed } from "../_state/processed-comments.ts";
import { lookAtStaged } from "../_state/staging.ts";
import { asOneLine } from "../_sys/control-characters.ts";
import { claim, stampLooks } from "./comment-claims.ts";
import { type Item, releaseDrained, viewOf } from "./comments-ending.ts";
import type { CommentsParts, CommentsPlace } from "./comments-place.ts";
import { byCrossRepo } from "./filters/cross-repo.ts";
import { registryTurn } from "./mention-registry.ts";
import { type Passed, type PipelineFacts, runPipeline } from "./pipeline.ts";
import type { CommentsView, ProviderRun } from "./providers.ts";

/** Never fails its caller: what goes wrong is logged, released, and an empty view. */
export async function composeGhNow(
	run: ProviderRun,
	parts: CommentsParts,
): Promise<CommentsView> {
	const { memory, place } = parts;
	const { doors } = run;
	const drained = await drainQueue(doors, place.stateDir, {
		pid: doors.proc.pid,
		live: memory.draining,
	});
	const ends: (() => void)[] = [];
	const forget = () => {
		for (const end of ends.splice(0)) end();
		for (const file of drained.files) memory.draining.delete(file);
	};
	try {
		const input = await gatherInput(run, parts, drained);
		const passed = await pass(run, parts, input, ends);
		if (passed !== null)
			return viewOf({ run, parts, drained, passed, input, forget });
		doors.log.warn("comments: the filters took too long; nothing is lost");
	} catch (error) {
		doors.log.warn(`comments: no view: ${String(error)}`);
	}
	await releaseDrained({ run, parts, drained, forget }, drained.text);
	return NOTHING;
}

const NOTHING: CommentsView = {
	text: "",
	commit: () => {},
	commitTold: () => {},
	release: () => {},
};

async function gatherInput(
	run: ProviderRun,
	parts: CommentsParts,
	drained: Drained,
): Promise<readonly Item[]> {
	const { stateDir, stageDir, startedAt } = parts.place;
	const { files } = run.doors;
	const fresh = blocksIn(drained.text);
	const searched = searchedIn(
		lookAtStaged(files, stageDir, "github_poll", startedAt),
	);
	const rule = crossRepoRule(parts.place);
	const due = await registryTurn(
		{
			run,
			...parts,
			memory: parts.memory.registry,
			processed: readProcessed(files, stateDir),
		},
		fresh
			.filter(isAnswerable)
			.filter((block) => byCrossRepo(block, rule).kind === "keep"),
	);
	return [
		...fresh.map((block) => ({ block, drained: true })),
		...[...searched, ...due].map((block) => ({ block, drained: false })),
	];
}

/**
 * What cannot be read is told: it is all that a dead webhook leaves. What is no comment comes as one alert, which the hops
 * hold back: staging is read again and again, and the lines themselves would be told each time.
 */
function searchedIn(staged: ReturnType<typeof lookAtStaged>): readonly Block[] {
	if (staged.kind === "none") return [];
	if (staged.kind === "ok") {
		const blocks = blocksIn(staged.text);
		const [stray, ...more] = blocks.filter((block) => block.kind === "opaque");
		if (stray === undefined) return blocks;
		const what = `What the searches found has ${more.length + 1} line(s) that are no comment, as after a crash; the next search replaces them. The first: ${stray.line}`;
		return [
			...blocks.filter((block) => block.kind !== "opaque"),
			alertBlock("search-damaged", { surface: "github_poll" }, what),
		];
	}
	const why = `What the searches found cannot be read (${staged.reason}): comments that only they find are not lost, but wait until it can. Deliveries go on.`;
	return [alertBlock("search-unreadable", { surface: "github_poll" }, why)];
}

function blocksIn(text: string): readonly Block[] {
	return parseBlocks(text).filter(
		(block) => block.kind !== "opaque" || asOneLine(block.line).trim() !== "",
	);
}

/** In another repository that has the bot. What can only be read there nobody could ever answer, and it would be told for days. */
function isAnswerable(block: Block): block is CommentBlock {
	return block.kind === "comment" && block.shape === "mention";
}

async function pass(
	{ doors }: ProviderRun,
	{ place, memory }: CommentsParts,
	input: readonly Item[],
	ends: (() => void)[],
): Promise<Passed<Item> | null> {
	const { config, stateDir } = place;
	const { clock, files, log } = doors;
	const now = clock.now();
	const facts: PipelineFacts = {
		operator: config["github.user_login"],
		home: config["github.repo"],
		crossRepo: crossRepoRule(place),
		suppressed: readSuppressed(files, stateDir),
		processed: readProcessed(files, stateDir),
		stamps: stampLooks(doors, stateDir, memory.claims),
		mentionBackoff: config["monitor.mentions.reemit_backoff_seconds"],
		alertCooldown: config["monitor.alert_emit_cooldown_seconds"],
		emitCooldown: config["monitor.emit_cooldown_seconds"],
		now,
	};
	const end =
		clock.monoMs() + config.MONITOR_COMPOSE_FILTER_TIMEOUT_SECONDS * 1000;
	const passed = runPipeline(input, facts, {
		isOver: () => clock.monoMs() > end,
		claim: (stamps) => ends.push(claim(memory.claims, stamps, now)),
	});
	for (const { block } of passed?.optedOut ?? []) {
		const header = renderForEmit(block).split("\n", 1)[0] ?? "";
		// What a search shows is read again and again; said once is enough.
		if (memory.optedOut.has(header)) continue;
		memory.optedOut.add(header);
		log.info(`[skip-marker] dropped emit (opt-out): ${header}`);
	}
	return passed;
}

function crossRepoRule({ config }: CommentsPlace) {
	return {
		surface: config["monitor.cross_repo_surface"],
		bot: withoutBot(config["github.bot_login"]),
	};
}
