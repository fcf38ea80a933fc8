/** Gathers what the review gate decides from. */
import type { ActionEvent } from "../../_state/action-log.ts";
import { readSkepticPending } from "../../_state/skeptic.ts";
import { readProvenance } from "../../_state/window-provenance.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { NgHub } from "../hub.ts";
import type { ReviewArguments } from "./review-arguments.ts";
import { decideReview, type ReviewPlan } from "./review-gate.ts";

/** Looks only. A log that cannot be read counts as no rounds yet. */
export function planReview(
	asked: ReviewArguments,
	caller: {
		readonly window: string | null;
		/** Wrap-ups and spawns; null: the log cannot be read. */
		readonly events: readonly ActionEvent[] | null;
	},
	{ settings, stateDir }: Pick<NgHub, "settings" | "stateDir">,
	{ files }: Pick<Doors, "files">,
): ReviewPlan {
	const { config } = settings;
	const { window } = caller;
	const record =
		window === null
			? null
			: (readProvenance(files, stateDir, window)?.skeptic ?? null);
	const isReviewer = asked.role || record?.role === true;
	const reviewed = isReviewer ? asked.target || record?.target : window;
	const rounds = reviewed ? roundsOf(caller.events ?? [], reviewed) : 0;
	const isPending =
		window !== null &&
		readSkepticPending(files, stateDir, window).kind === "pending";
	return decideReview({
		asked,
		window,
		record,
		rounds,
		isRoundOpen: isPending && !isReviewer && rounds > 0,
		enforceAuto: config["monitor.skeptic.enforce_auto_decision"],
		rewrapGuard: config["monitor.skeptic.rewrap_guard"],
		threshold: config["monitor.skeptic.findings_threshold"],
		maxDepth: config["monitor.skeptic.max_depth"],
	});
}

/** How often the window's work was handed to a reviewer since it was started: names of windows are used again. A resumed session goes on with its work. */
function roundsOf(events: readonly ActionEvent[], window: string): number {
	const own = events.filter((event) => event.field("window") === window);
	const from = own.findLastIndex(
		(event) => event.event === "spawn" && event.field("mode") !== "resume",
	);
	return own
		.slice(from + 1)
		.filter((event) => event.field("skeptic") === "asked").length;
}
