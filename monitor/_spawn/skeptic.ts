/** What the start of a reviewer leaves (contract 08 §6.5, §7, §8.5). Best effort, as the other records. */
import { join } from "node:path";
import { appendEvent } from "../_state/action-log-append.ts";
import { requestFileName } from "../_state/requests.ts";
import { openReviewRequests } from "../_state/review-requests.ts";
import { skepticChannelDir, writeSkepticPending } from "../_state/skeptic.ts";
import type { SkepticRecord } from "../_state/window-provenance.ts";
import { type SpawnContext, warn } from "./context.ts";

/** The log, the channel of both windows and their marks; what fails is a warning. */
export function linkSkeptic(
	ctx: SpawnContext,
	window: string,
	{ target, orig, depth }: SkepticRecord,
): void {
	const { doors, home } = ctx;
	const logged = appendEvent(doors, home.stateDir, {
		agent: "monitor",
		event: "skeptic-spawn",
		extras: [
			["window", window],
			["target-window", target],
			["orig-window", orig],
			["depth", String(depth)],
		],
	});
	if (logged.kind === "failed") warn(ctx, `action log: ${logged.reason}`);
	acknowledge(ctx, target);
	for (const reviewed of new Set([target, orig])) {
		const { files } = doors;
		const made = [
			files.mkdir(skepticChannelDir(home.stateDir, reviewed)),
			writeSkepticPending(files, home.stateDir, reviewed, depth),
		];
		for (const step of made)
			if (step.kind === "failed")
				warn(ctx, `review of ${reviewed}: ${step.reason}`);
	}
}

/** The request for this reviewer is fulfilled by starting it; the rename is the signal. */
function acknowledge(ctx: SpawnContext, target: string): void {
	const { files } = ctx.doors;
	const { inbox } = ctx.settings;
	if (inbox === null) return;
	for (const { id, name } of openReviewRequests(files, inbox, target)) {
		const done = requestFileName({ id, state: "done" });
		const moved = files.renameNew(join(inbox, name), join(inbox, done));
		if (moved.kind === "failed") warn(ctx, `request ${name}: ${moved.reason}`);
	}
}
