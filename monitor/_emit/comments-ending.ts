/** How a view of comments ends: its stamps are written, or what was drained for it goes back (contract 01 §8.1). */
import {
	type Drained,
	endDrain,
	NOTHING_DRAINED,
	putBack,
} from "../_state/deliveries-queue.ts";
import { sameLogin } from "../_state/emit-block-target.ts";
import {
	type Block,
	renderBlock,
	renderForEmit,
} from "../_state/emit-blocks.ts";
import { writeStamps } from "./comment-claims.ts";
import type { CommentsParts } from "./comments-place.ts";
import { standsIn } from "./dedup.ts";
import { learnDelivered } from "./mention-registry.ts";
import type { Passed } from "./pipeline.ts";
import type { CommentsView, ProviderRun } from "./providers.ts";
import { quoteBodies } from "./quote.ts";

/** A block, and whether it was drained: then nothing else holds it. */
export interface Item {
	readonly block: Block;
	readonly drained: boolean;
}

export interface Ending {
	readonly run: ProviderRun;
	readonly parts: CommentsParts;
	readonly drained: Drained;
	/** Ends the claims; the files of the drain are anybody's again. */
	readonly forget: () => void;
}

export interface ViewFrom extends Ending {
	readonly input: readonly Item[];
	readonly passed: Passed<Item>;
}

/** A run that is abandoned ends nothing itself. Until then it may still deliver what it carries. */
const ABANDONED_AFTER_MS = 15_000;

/**
 * `commit` and `commitTold` learn; what was drained and is not learned goes back. A run that is aborted forgets its
 * view after a while, so that the blocks can be told by another.
 */
export function viewOf(from: ViewFrom): CommentsView {
	const { run, parts, input, forget } = from;
	const { passed, claimed } = from.passed;
	const { clock } = run.doors;
	const onAbort = () => void clock.after(ABANDONED_AFTER_MS, forget);
	if (run.signal.aborted) onAbort();
	else run.signal.addEventListener("abort", onAbort, { once: true });
	const end = async (back: ReadonlySet<Item>): Promise<void> => {
		run.signal.removeEventListener("abort", onAbort);
		// Only of what was drained: the rest is still where it was.
		const items = input.filter((item) => item.drained && back.has(item));
		const text = items.map(({ block }) => renderBlock(block)).join("");
		await releaseDrained(from, text);
	};

	const carried = passed.map(({ item }) => item);
	const blocks = carried.map(({ block }) => block);
	const learn = async (told: typeof passed): Promise<void> => {
		const stamps = told.flatMap((one) => one.stamps);
		writeStamps(run.doors, parts.place.stateDir, stamps, clock.now());
		const learned = told.map(({ item }) => item.block);
		await learnDelivered({ run, place: parts.place }, learned);
		// Another view carries the claimed ones, and may still fail.
		const untold = passed.filter((one) => !told.includes(one));
		await end(new Set([...claimed, ...untold.map(({ item }) => item)]));
	};
	return {
		text: blocks.map(renderForEmit).join(""),
		commit: () => learn(passed),
		commitTold: (body) => {
			const operator = parts.place.config["github.user_login"];
			const isOperator = (login: string) => sameLogin(login, operator);
			return learn(
				passed.filter(({ item }) =>
					standsIn(
						body,
						quoteBodies(renderForEmit(item.block), "000000", isOperator),
					),
				),
			);
		},
		release: () => end(new Set([...carried, ...claimed])),
	};
}

/** `text` goes back to the head of the queue. */
export async function releaseDrained(
	{ run, parts, drained, forget }: Ending,
	text: string,
): Promise<void> {
	const { doors } = run;
	try {
		if (drained === NOTHING_DRAINED) return;
		if (text === "") endDrain(doors.files, drained);
		else await putBack(doors, parts.place.stateDir, text, drained);
	} finally {
		forget();
	}
}
