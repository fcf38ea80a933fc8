/** What the action log says of one window (contract 03 §12.4). Pure; the newest matching event wins. */
import type { ActionEvent } from "./action-log.ts";

/** The events that are asked for here: what `readActionLog` must give. */
export const WINDOW_EVENTS = [
	"spawn",
	"wrap-up",
	"window-retain",
	"engaged-done",
	"paste-followup",
] as const;

export interface WindowEvents {
	/** Epoch seconds; null: none that is known. */
	readonly spawnAt: number | null;
	/** Session id of the newest spawn, when it names one. */
	readonly spawnSessionId: string | null;
	readonly engagedDoneAt: number | null;
	/** A wrap-up of this life of the window. */
	readonly wrapUp: { readonly at: number; readonly report: string } | null;
	readonly retain: { readonly at: number; readonly reason: string } | null;
	/** Newest paste of ours, whatever its kind. */
	readonly pastedAt: number | null;
	/** Newest paste that was to be submitted, and was not proven to be when it was logged. */
	readonly submittedPasteAt: number | null;
}

/** Looks a window up. Events are sorted once, for all windows. */
export function windowEvents(
	events: readonly ActionEvent[],
): (window: string) => WindowEvents {
	const newestFirst = events.toReversed();
	const byWindow = Map.groupBy(newestFirst, (e) => e.window);
	const wrapUps = newestFirst.filter(isWrapUp);
	return (window) => eventsOf(window, byWindow.get(window) ?? [], wrapUps);
}

/** Both lists newest first; `own` name the window. */
function eventsOf(
	window: string,
	own: readonly ActionEvent[],
	wrapUps: readonly ActionEvent[],
): WindowEvents {
	const newest = (event: string) => own.find((e) => e.event === event);
	const spawn = newest("spawn");
	const spawnAt = spawn?.at ?? null;
	const retained = newest("window-retain");
	const pastes = own.filter((e) => e.event === "paste-followup");
	return {
		spawnAt,
		spawnSessionId: spawn?.field("session-id") ?? null,
		engagedDoneAt: newest("engaged-done")?.at ?? null,
		wrapUp: wrapUpOf(window, spawnAt, wrapUps),
		retain:
			retained === undefined || retained.at === null
				? null
				: { at: retained.at, reason: retained.field("reason") ?? "" },
		pastedAt: pastes[0]?.at ?? null,
		submittedPasteAt:
			pastes.find((e) => e.field("no_enter") !== "1" && !isProven(e))?.at ??
			null,
	};
}

/** Logged when its submit was known, so after it: the record of its keys (`machine-input.tsv`) says when it was pasted. */
function isProven(e: ActionEvent): boolean {
	return (e.field("outcome") ?? "").startsWith("submitted");
}

function isWrapUp(e: ActionEvent): boolean {
	return e.event === "wrap-up" && e.field("report") !== null;
}

function wrapUpOf(
	window: string,
	spawnAt: number | null,
	wrapUps: readonly ActionEvent[],
): WindowEvents["wrapUp"] {
	for (const e of wrapUps) {
		if (e.at !== null && spawnAt !== null && e.at < spawnAt) continue;
		const report = baseName(e.field("report") ?? "");
		const belongs =
			e.window === null ? names(report, window) : e.window === window;
		if (belongs) return { at: e.at ?? 0, report };
	}
	return null;
}

/** Reports of older agents name no window; their file name does. */
function names(report: string, window: string): boolean {
	return (
		report.startsWith(`${window}_`) ||
		report.includes(`_${window}`) ||
		report.includes(`-${window}`)
	);
}

function baseName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
