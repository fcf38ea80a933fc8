/** Is every state file whole? By its format as its name tells it, the most precious ones by their own reader. */
import { basename } from "node:path";
import { parseSnapshot } from "../monitor/_state/last-snapshot.ts";
import { parsePendingDelivery } from "../monitor/_state/pending-delivery.ts";
import { parseIncident } from "../monitor/_state/service-incident-kv.ts";
import type { FakeFiles } from "../tests/fakes/files.ts";
import { STATE } from "./place.ts";

/** What is there for its name, its time or its lock, and may be empty; and what is no state of ours. */
const MAY_BE_ANYTHING =
	/\.lock$|\/\.tmp\.|\.tmp\.\d+$|\.damaged\.|\/diffs\/|\/requests\/|\/settings\/|\.state\/footgun-seen\/|deliveries-404-warned$|\.superseded$/;
const MAY_BE_EMPTY =
	/scheduler-staging|heartbeat$|paste-received$|\.last$|-since$|-attempted$|-warned$|\.txt$|\.tsv$|\.lines$|\.cache$|\.log$/;

/** Of a log of many thousands: a death tears its end. */
const LAST_LINES = 200;

type Check = (text: string) => boolean;
const each =
	(line: RegExp): Check =>
	(text) =>
		text.endsWith("\n") &&
		text
			.slice(0, -1)
			.split("\n")
			.every((one) => line.test(one));

/** The first that fits decides. */
const FORMATS: readonly (readonly [RegExp, Check])[] = [
	[
		/(?:last-snapshot|untold-baseline)\.txt$/,
		(text) => parseSnapshot(text) !== null,
	],
	[
		/\/pending-delivery\/.*\.json$/,
		(text) => parsePendingDelivery(text) !== null,
	],
	[/\/service-health\/[^/]*\.state$/, (text) => parseIncident(text) !== null],
	[/\.json$/, isJson],
	[
		/\.jsonl$/,
		(text) => text.trimEnd().split("\n").slice(-LAST_LINES).every(isJson),
	],
	[/\.tsv$|\.ring$/, each(/\t|^#/)],
	[/watcher-(?:progress|cycle|heartbeat)$/, each(/^[\w-]+[=:]|^\d/)],
	[/./, (text) => text.endsWith("\n") || !text.includes("\n")],
];

/** A queue that is being drained has another name than it was filled under. */
export const drainedFrom = (path: string): string =>
	path.replace(/\.draining\.[\d.]+$/, "");

/** What does not fit on a disk is cut off there. */
export const growsByAppends = (path: string): boolean =>
	/\.(?:log|jsonl|tsv|lines|txt|events)$/.test(drainedFrom(path));

/** Paths below the state dir that are not whole. */
export function brokenStateFiles(files: FakeFiles): readonly string[] {
	return files.paths(STATE).filter((path) => !isWhole(path, files.text(path)));
}

export function isWhole(path: string, text: string): boolean {
	if (MAY_BE_ANYTHING.test(path)) return true;
	if (text === "")
		return MAY_BE_EMPTY.test(path) || !/[.]/.test(basename(path));
	const [, check] = FORMATS.find(([name]) => name.test(path)) ?? [];
	return check?.(text) ?? true;
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
