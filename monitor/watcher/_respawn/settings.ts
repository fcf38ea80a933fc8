/** What a respawn is told beside its target. Times in ms. */
import type { Config } from "../../../config/schema.ts";

export interface RespawnSettings {
	readonly reprobeMs: number;
	/** Where the launcher is written; null: the system's temporary folder. */
	readonly tmpDir: string | null;
	readonly readyPollMs: number;
	readonly readyBudgetMs: { readonly fresh: number; readonly resume: number };
	/** Equal looks in a row before a resumed session counts as ready. */
	readonly stableReads: number;
	/** Arrow keys in a start-up dialog, at most. */
	readonly maxSteps: number;
	readonly submit: SubmitLimits;
}

export interface SubmitLimits {
	/** How long an Enter may take to begin a turn. */
	readonly verifyMs: number;
	/** How long a paste may take to show in the box. */
	readonly lateRenderMs: number;
	/** How long Enter is pressed again while the text stays in the box. */
	readonly retryBudgetMs: number;
	/** An empty box for this long, without a turn: the paste is lost. */
	readonly lostMs: number;
	/** Pastes in all. */
	readonly pastes: number;
}

const READY_SECONDS = { fresh: 30, resume: 120 };

/** From `FRESH_SPAWN_*` and their like; a poll is at least 100 ms. */
export function respawnSettings(c: Config): RespawnSettings {
	const budget = c.FRESH_SPAWN_READINESS_BUDGET_SECONDS;
	return {
		reprobeMs: c.MONITOR_VERIFY_REPROBE_SECONDS * 1000,
		tmpDir: c.RESPAWN_TMPDIR,
		// 0 would be a loop that never sleeps.
		readyPollMs: Math.max(100, c.FRESH_SPAWN_READINESS_POLL_SECONDS * 1000),
		readyBudgetMs: {
			fresh: (budget ?? READY_SECONDS.fresh) * 1000,
			resume: (budget ?? READY_SECONDS.resume) * 1000,
		},
		stableReads: c.FRESH_SPAWN_RESUME_STABLE_READS,
		maxSteps: c.MAX_DISMISS_ATTEMPTS,
		submit: {
			verifyMs: c.FRESH_SPAWN_POST_PASTE_VERIFY_SECONDS * 1000,
			lateRenderMs: c.FRESH_SPAWN_LATE_RENDER_SECONDS * 1000,
			retryBudgetMs: c.FRESH_SPAWN_SUBMIT_TYPED_RETRY_BUDGET_SECONDS * 1000,
			lostMs: c.FRESH_SPAWN_LOST_PASTE_SECONDS * 1000,
			pastes: c.FRESH_SPAWN_REPASTE_ATTEMPTS,
		},
	};
}
