/** Looks at everything that speaks for or against retiring a window (contract 08 §9.1). Leaves no trace. */
import { type ActionEvent, readActionLog } from "../_state/action-log.ts";
import {
	machineInputPath,
	machineInputSeconds,
	newestMachineInput,
} from "../_state/machine-input.ts";
import {
	isMarked,
	operatorEngagedPath,
	parseOperatorRow,
} from "../_state/operator-engaged.ts";
import { readPaneChange } from "../_state/pane-change.ts";
import { reviewerOf, reviewRequestedAt } from "../_state/review-standing.ts";
import { parseRows } from "../_state/rows-file.ts";
import { readSkepticPending, skepticChannelDir } from "../_state/skeptic.ts";
import { parseUserPrompt, userPromptPath } from "../_state/user-prompt.ts";
import {
	WINDOW_EVENTS,
	type WindowEvents,
	windowEvents,
} from "../_state/window-events.ts";
import { spawnedSessionId } from "../_state/window-provenance.ts";
import { ageSeconds } from "../_sys/age.ts";
import type { Doors, Files, PaneRows } from "../_sys/doors.ts";
import { onlyLooking } from "../_sys/only-looking.ts";
import type { RetireFacts } from "./decide.ts";
import type { Known, Unknown } from "./known.ts";
import { judgeReview, type Review } from "./review.ts";
import type { RetireSettings } from "./settings.ts";

export interface RetirePlace {
	readonly doors: Pick<Doors, "files" | "clock" | "log">;
	readonly stateDir: string;
	readonly settings: RetireSettings;
	readonly now: number;
}

/** Everything but the pane. `rows`: what tmux listed. */
export function gatherRetire(
	place: RetirePlace,
	window: string,
	rows: PaneRows,
): Omit<RetireFacts, "pane"> {
	const { stateDir, settings, now } = place;
	const files = onlyLooking(place.doors.files);
	const doors = { ...place.doors, files };
	const log = readActionLog(doors, stateDir, [
		...WINDOW_EVENTS,
		"skeptic-spawn",
	]);
	const events = windowEvents(log ?? [])(window);
	const logUnread: Unknown | null =
		log === null ? { unknown: "the action log" } : null;
	return {
		standsFor: settings.standing.get(window) ?? null,
		review: reviewOf({ ...place, doors }, window, rows, log ?? []),
		submit: submitOf(files, stateDir, window),
		machineAt: logUnread ?? machineAt(place, files, window, events),
		ownSessionId: spawnedSessionId(files, stateDir, window),
		marked: logUnread ?? markOf(place, files, window, events),
		now,
		freshSeconds: settings.freshSeconds,
		slackSeconds: settings.slackSeconds,
	};
}

function submitOf(
	files: Files,
	stateDir: string,
	window: string,
): RetireFacts["submit"] {
	if (window.includes("/")) return null;
	const path = userPromptPath(stateDir, window);
	const read = files.read(path);
	if (read.kind === "absent") return null;
	if (read.kind === "unreadable") return { unknown: read.reason };
	return parseUserPrompt(read.text) ?? { unknown: `${path} is damaged` };
}

function machineAt(
	{ stateDir, settings, now }: RetirePlace,
	files: Files,
	window: string,
	events: WindowEvents,
): Known<number> {
	const ledger = files.read(machineInputPath(stateDir));
	if (ledger.kind === "unreadable") return { unknown: ledger.reason };
	const row = newestMachineInput(files, stateDir, window);
	const stamps = [
		row === null ? 0 : machineInputSeconds(row),
		events.pastedAt ?? 0,
		events.spawnAt ?? 0,
	];
	// Input of ours from the future, after a clock that stepped back, answers for no submit.
	const { slackSeconds } = settings;
	const credible = stamps.filter(
		(at) => ageSeconds(now, at, slackSeconds) !== null,
	);
	return Math.max(0, ...credible);
}

function markOf(
	{ stateDir, settings, now }: RetirePlace,
	files: Files,
	window: string,
	events: WindowEvents,
): Known<true> {
	const read = files.read(operatorEngagedPath(stateDir));
	if (read.kind === "absent") return null;
	if (read.kind === "unreadable") return { unknown: read.reason };
	const rows = parseRows(read.text, parseOperatorRow);
	const mark = rows.findLast((row) => row.window === window);
	// No rows, no file: an empty one is damaged, as a row of this window is that cannot be read.
	const isOwn = (line: string) => line.startsWith(`${window}\t`);
	if (mark === undefined)
		return rows.length === 0 || read.text.split("\n").some(isOwn)
			? { unknown: "its file is damaged" }
			: null;
	const holds = isMarked(mark, {
		spawnAt: events.spawnAt,
		engagedDoneAt: events.engagedDoneAt,
		changeAt: readPaneChange(files, stateDir, window)?.at ?? null,
		now,
		changeTtlSeconds: settings.changeTtlSeconds,
	});
	return holds ? true : null;
}

function reviewOf(
	{ doors, stateDir, settings, now }: RetirePlace,
	window: string,
	rows: PaneRows,
	log: readonly ActionEvent[],
): Review {
	const { files } = doors;
	const pending = readSkepticPending(files, stateDir, window);
	if (pending.kind === "none") return pending;
	return judgeReview({
		pending,
		reviewer: reviewerOf(window, rows, log),
		requestedAt: requestedAt(files, stateDir, settings.inbox, window),
		now,
		...settings.review,
	});
}

/** A question of the channel, or a request in the inbox. */
function requestedAt(
	files: Files,
	stateDir: string,
	inbox: string | null,
	window: string,
): Known<number> {
	if (inbox === null) return { unknown: "the inbox of requests" };
	for (const dir of [inbox, skepticChannelDir(stateDir, window)]) {
		const listed = files.list(dir);
		if (listed.kind === "unreadable") return { unknown: listed.reason };
	}
	return reviewRequestedAt(files, stateDir, inbox, window);
}
