/** Everything the probe knows of one worker at one moment: plain data, the input of every decision here. Times in epoch seconds. */
import { oneLine } from "../../_emit/clean-text.ts";
import type { IdleLimit } from "../../_emit/idle-rows.ts";
import type { PaneStateName } from "../../_pane/types.ts";
import type { BackgroundProgress } from "../../_state/background-progress.ts";
import type { OperatorMark } from "../../_state/operator-engaged.ts";
import type { PaneChange } from "../../_state/pane-change.ts";
import type { TurnFailure } from "../../_state/turn-failure.ts";
import type { UserPrompt } from "../../_state/user-prompt.ts";
import type { WindowEvents } from "../../_state/window-events.ts";
import type { WorkerHealth } from "../../_state/worker-health.ts";

/** What one look at the pane says. */
export interface PaneFacts {
	readonly state: PaneStateName;
	/** Kind of the dialog that is up; null also when it has no name. */
	readonly overlay: string | null;
	/** Digest of the transcript; null when the screen was not what decided. */
	readonly contentHash: string | null;
	/** Processor time of its background shells; null without any, or when nobody could count it. */
	readonly backgroundTicks: number | null;
	/** Background shells that are the reason for the state; null: none, or nobody could count them. */
	readonly children: {
		readonly count: number;
		/** Epoch seconds; 0: nobody could tell. */
		readonly oldestStart: number;
	} | null;
	/** When the state is `over-limit`. */
	readonly limit: (IdleLimit & { readonly resetAt: string }) | null;
	/** When the state is `idle-orphan-async`. */
	readonly orphanKinds: string | null;
	/** By Claude Code's own session file. */
	readonly sessionId: string | null;
	/** When the agent put the question that it waits for; null: there is none, or nobody says when. */
	readonly askedAt: number | null;
}

export interface WorkerFacts {
	readonly window: string;
	readonly pane: PaneFacts;
	readonly windowActivity: number | null;
	/** Since when it has nothing to do; null: seen for the first time. */
	readonly engagedAt: number | null;
	readonly mark: OperatorMark;
	readonly change: PaneChange | null;
	readonly progress: BackgroundProgress | null;
	/** Since when its background shells outlive its turns; null: there were none. */
	readonly childrenSince: number | null;
	/** The last prompt that somebody submitted. */
	readonly prompt: UserPrompt | null;
	/** Our last key or paste into it, whatever its kind. */
	readonly machineInputAt: number | null;
	/** Our last paste that was to be submitted. */
	readonly submittedPasteAt: number | null;
	readonly machineSubmitAt: number | null;
	readonly failure: TurnFailure | null;
	/** It has a heartbeat: its hooks work. */
	readonly hooksLive: boolean;
	/** The session that was started in it. */
	readonly ownSessionId: string | null;
	/** What it said of its job. */
	readonly health: WorkerHealth | null;
	readonly events: WindowEvents;
	/** What the report of its wrap-up lacks; none also when there is no report to read. */
	readonly reportProblems: readonly string[];
}

/** The window's name as it stands in rows, and in what was told of them. */
export function shownName({ window }: Pick<WorkerFacts, "window">): string {
	return oneLine(window);
}

export interface Moment {
	readonly now: number;
	/** In the grace after a clock gap nothing is judged dead, lost or stalled (contract 01 §3.3). */
	readonly afterGap: boolean;
}
