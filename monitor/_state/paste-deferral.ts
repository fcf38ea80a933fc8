/**
 * `paste-deferral/<key>` = `<count>\t<first-epoch>`: pastes refused in a row because a draft was in
 * the box (contract 04 §6.5). `paste-deferral-alerted/<key>` = the epoch of the last alert about it.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { paneKey } from "./pane-key.ts";

export interface PasteDeferral {
	readonly count: number;
	/** Epoch seconds of the first refusal. */
	readonly firstAt: number;
}

export function pasteDeferralPath(stateDir: string, window: string): string {
	return join(stateDir, "paste-deferral", paneKey(window));
}

function deferralAlertedPath(stateDir: string, window: string): string {
	return join(stateDir, "paste-deferral-alerted", paneKey(window));
}

/** Null unless both are numbers; `firstAt` in epoch seconds. */
export function parseDeferral(text: string): PasteDeferral | null {
	const [count, first] = text.trimEnd().split("\t").map(digits);
	return typeof count === "number" && typeof first === "number"
		? { count, firstAt: first }
		: null;
}

/** With its newline. */
export function renderDeferral(deferral: PasteDeferral): string {
	return `${deferral.count}\t${deferral.firstAt}\n`;
}

/** Null when there is none; an unreadable or foreign file counts as none. */
export function readDeferral(
	files: Files,
	stateDir: string,
	window: string,
): PasteDeferral | null {
	const read = files.read(pasteDeferralPath(stateDir, window));
	return read.kind === "ok" ? parseDeferral(read.text) : null;
}

/** Makes the folder. */
export function writeDeferral(
	files: Files,
	stateDir: string,
	window: string,
	deferral: PasteDeferral,
): WriteResult {
	files.mkdir(join(stateDir, "paste-deferral"));
	return files.writeAtomic(
		pasteDeferralPath(stateDir, window),
		renderDeferral(deferral),
	);
}

/** Epoch seconds of the last alert of this episode, or null. */
export function readDeferralAlerted(
	files: Files,
	stateDir: string,
	window: string,
): number | null {
	const read = files.read(deferralAlertedPath(stateDir, window));
	return read.kind === "ok" ? digits(read.text.trim()) : null;
}

/** `epoch` in seconds. Makes the folder. */
export function writeDeferralAlerted(
	files: Files,
	stateDir: string,
	window: string,
	epoch: number,
): WriteResult {
	files.mkdir(join(stateDir, "paste-deferral-alerted"));
	return files.writeAtomic(deferralAlertedPath(stateDir, window), `${epoch}\n`);
}

/** A delivery ends the episode. */
export function removeDeferral(
	files: Files,
	stateDir: string,
	window: string,
): void {
	files.remove(pasteDeferralPath(stateDir, window));
	files.remove(deferralAlertedPath(stateDir, window));
}
