/** The comments of a report on fake doors: queue and stage blocks, take views, run the tasks that tell them. */

import { commentsMemory } from "../../monitor/_emit/comments-place.ts";
import { composeGhNow } from "../../monitor/_emit/comments-view.ts";
import type { LookAtMention } from "../../monitor/_emit/mention-registry.ts";
import { appendQueue } from "../../monitor/_state/deliveries-queue.ts";
import { stageOut } from "../../monitor/_state/staging.ts";
import { commentSurfaceTask } from "../../monitor/watcher/_comment_surface.ts";
import { emitRig, type RigOptions, STAGE, STATE } from "../emit/emit-rig.ts";

export const QUEUE = `${STATE}/deliveries-queue.lines`;

export interface CommentsRigOptions
	extends Pick<RigOptions, "after" | "config" | "pollSources"> {
	/** What GitHub says of a comment in the registry; default: it is not asked. */
	readonly look?: LookAtMention;
	/** Held back, as by a usage limit, while it says so. */
	readonly isHeld?: () => boolean;
}

export function commentsRig(opts: CommentsRigOptions = {}) {
	const memory = commentsMemory();
	const held: string[] = [];
	const rig = emitRig({
		...opts,
		config: {
			"github.repo": "acme/hub",
			"github.user_login": "op",
			"github.bot_login": "hub-bot",
			...opts.config,
		},
		further: {
			composeGhNow: (run) =>
				composeGhNow(run, { place: rig.ctx, memory, look: opts.look ?? null }),
			hold: () => ({
				paused: () => opts.isHeld?.() ?? false,
				record: (archive) => held.push(archive),
			}),
		},
	});
	const { doors, files } = rig;
	const surface = commentSurfaceTask(rig.deps);
	return {
		...rig,
		memory,
		held,
		queue: (text: string) => appendQueue(doors, STATE, text),
		stage: (text: string) =>
			stageOut(files, STAGE, "github_poll", text, rig.ctx.startedAt),
		view: (signal = new AbortController().signal) =>
			composeGhNow(
				{ doors, signal },
				{ place: rig.ctx, memory, look: opts.look ?? null },
			),
		surface: (signal?: AbortSignal) =>
			rig.run(surface, signal === undefined ? {} : { signal }),
		queued: () => (files.has(QUEUE) ? files.text(QUEUE) : ""),
		/** The dead process's disk, used by a new one. */
		restart: () => {
			doors.clock.stall(1000);
			return commentsRig({ ...opts, after: doors });
		},
	};
}
export type CommentsRig = ReturnType<typeof commentsRig>;

export const comment = (id: number, body = "please do", author = "op") =>
	`issue=9 id=${id} author=${author}\n  body: ${body}\n`;
export const mention = (id: number, body = "@hub-bot please", author = "op") =>
	`mention=acme/other kind=issue n=7 id=${id} author=${author}\n  body: ${body}\n`;
export const alert = (kind: string, held = 0) =>
	`watcher_alert=${kind} surface=pr_comments held_s=${held}\n  body: it fails\n`;
