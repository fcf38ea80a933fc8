/** The close check (contract 05 §8.8). Pure. Compared is always with the good value, never with the known bad ones. */
import type { ActionEvent } from "../../_state/action-log.ts";

export interface WrapUpVerdict {
	readonly isComplete: boolean;
	readonly wrapUp: "present" | "missing";
	readonly report: "ok" | "fail" | "missing";
	readonly rocket: "ok" | "missing" | "withheld" | "unknown" | "skipped";
	readonly comment: "ok" | "unpublished" | "failed";
}

/** Of this life of the window: not before its newest spawn. */
export function newestWrapUp(
	events: readonly ActionEvent[],
	window: string,
): ActionEvent | null {
	const own = events.filter((e) => e.window === window);
	const spawnAt = own.findLast((e) => e.event === "spawn")?.at ?? null;
	const newest = own.findLast((e) => e.event === "wrap-up");
	if (newest === undefined) return null;
	const isOfNow =
		spawnAt === null || (newest.at !== null && newest.at >= spawnAt);
	return isOfNow ? newest : null;
}

/** `event` null: no wrap-up of this report is in the log. */
export function verdictOf(
	event: ActionEvent | null,
	report: WrapUpVerdict["report"],
): WrapUpVerdict {
	if (event === null)
		return {
			isComplete: false,
			wrapUp: "missing",
			report: "missing",
			rocket: "skipped",
			comment: "ok",
		};
	const rocket = rocketOf(event.field("rocket"));
	const comment = commentOf(event.field("comment"));
	return {
		isComplete: report === "ok" && rocket === "ok" && comment === "ok",
		wrapUp: "present",
		report,
		rocket,
		comment,
	};
}

/** The one line that is printed. */
export function renderVerdict(v: WrapUpVerdict): string {
	const status = v.isComplete ? "ok" : "incomplete";
	return `status=${status} wrap_up=${v.wrapUp} report_check=${v.report} rocket=${v.rocket} comment=${v.comment}`;
}

function rocketOf(recorded: string | null): WrapUpVerdict["rocket"] {
	switch (recorded) {
		case null:
		case "ok":
		case "skipped":
			return "ok";
		case "failed":
			return "missing";
		case "skipped-nothing-published":
			return "withheld";
		default:
			return "unknown";
	}
}

function commentOf(recorded: string | null): WrapUpVerdict["comment"] {
	switch (recorded) {
		case "degenerate-teaser":
		case "nothing-published":
			return "unpublished";
		case "failed":
			return "failed";
		default:
			return "ok";
	}
}
