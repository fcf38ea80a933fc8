/** Who reviews a window's work, and since when somebody was asked for (contract 08 §7). */
import type { Files, PaneRows } from "../_sys/doors.ts";
import type { ActionEvent } from "./action-log.ts";
import { openReviewRequests } from "./review-requests.ts";
import { newestOpenQuestion } from "./skeptic.ts";

/** `unknown`: tmux could not be asked. */
export type Reviewer = "live" | "absent" | "unknown";

/** The newest reviewer that was started for the window, or one that is named after it. `log` holds at least `skeptic-spawn`. Pure. */
export function reviewerOf(
	window: string,
	rows: PaneRows,
	log: readonly ActionEvent[],
): Reviewer {
	if (rows.kind !== "ok") return "unknown";
	const started = log.findLast(
		(e) =>
			e.event === "skeptic-spawn" &&
			[e.field("target-window"), e.field("orig-window")].includes(window),
	);
	const names = [`${window}-skeptic`, started?.window];
	const isLive = rows.rows.some(
		(row) => names.includes(row.windowName) && row.paneDead !== "1",
	);
	return isLive ? "live" : "absent";
}

/** Epoch seconds of the newest question or request for a review that waits; null: there is none. `inbox` null: it cannot be looked at. */
export function reviewRequestedAt(
	files: Files,
	stateDir: string,
	inbox: string | null,
	window: string,
): number | null {
	const requests =
		inbox === null ? [] : openReviewRequests(files, inbox, window);
	const times = [
		newestOpenQuestion(files, stateDir, window) ?? 0,
		...requests.map((request) => request.askedAt),
	];
	return Math.max(...times) || null;
}
