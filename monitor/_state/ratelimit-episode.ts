/** `unstick/ratelimit.*`: one usage limit from its menu to the orchestrator's acknowledgement (contract 04 §8.4, §8.5). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { unstickDir } from "./unstick.ts";

const SOURCES = ["probe", "shown", "event"] as const;
export type ResetSource = "guess" | (typeof SOURCES)[number];

/** When the stuck panes may be woken. */
export interface LimitReset {
	/** Epoch seconds; null: the file holds no number. */
	readonly at: number | null;
	/** Who said so: `shown` = the pane's own notice. `guess` when the file names none. */
	readonly source: ResetSource;
}

/** The orchestrator is to be told, and could not be yet. */
export interface PendingHeadsup {
	/** Epoch seconds. */
	readonly at: number;
	readonly woken: number;
	readonly windows: readonly string[];
}

/** Null when none is known. A reset without a readable time has `at` null; an unknown source counts as a guess. */
export function readLimitReset(
	files: Files,
	stateDir: string,
): LimitReset | null {
	const text = textOf(files, path(stateDir, "ratelimit.reset.epoch"));
	if (text === null) return null;
	const [epoch = "", source] = text.trim().split("\t");
	return {
		at: digits(epoch),
		source: SOURCES.find((known) => known === source) ?? "guess",
	};
}

/** Older readers know the bare number. */
export function writeLimitReset(
	files: Files,
	stateDir: string,
	{ at, source }: LimitReset & { readonly at: number },
): void {
	const text = source === "guess" ? `${at}\n` : `${at}\t${source}\n`;
	write(files, stateDir, "ratelimit.reset.epoch", text);
}

/** Ends the waiting, and forgets when it was last logged. */
export function dropLimitReset(files: Files, stateDir: string): void {
	files.remove(path(stateDir, "ratelimit.reset.epoch"));
	files.remove(path(stateDir, "ratelimit.last-wait.epoch"));
}

/** Epoch at which the orchestrator was told; null: nothing is pending. `malformed` is removed. */
export function readCascade(files: Files, stateDir: string): number | null {
	const at = path(stateDir, "ratelimit.cascade.epoch");
	const text = textOf(files, at);
	const epoch = text === null ? null : digits(text.trim());
	if (text !== null && epoch === null) files.remove(at);
	return epoch;
}

/**
 * `at` in epoch seconds: when the orchestrator was told of the panes that were woken; its acknowledgement is waited
 * for from then on.
 */
export function writeCascade(files: Files, stateDir: string, at: number): void {
	write(files, stateDir, "ratelimit.cascade.epoch", `${at}\n`);
}

/** It was acknowledged, or never will be. */
export function dropCascade(files: Files, stateDir: string): void {
	files.remove(path(stateDir, "ratelimit.cascade.epoch"));
}

/** When the log last said that the reset is waited for, epoch seconds; null for never. */
export function readLastWait(files: Files, stateDir: string): number | null {
	const text = textOf(files, path(stateDir, "ratelimit.last-wait.epoch"));
	return text === null ? null : digits(text.trim());
}

/** `at` in epoch seconds. */
export function writeLastWait(
	files: Files,
	stateDir: string,
	at: number,
): void {
	write(files, stateDir, "ratelimit.last-wait.epoch", `${at}\n`);
}

/** `malformed`: there is one, and it says nothing. */
export function readPendingHeadsup(
	files: Files,
	stateDir: string,
): PendingHeadsup | "malformed" | null {
	const text = textOf(files, path(stateDir, "ratelimit.headsup.pending"));
	if (text === null) return null;
	const [epoch, count, windows = ""] = text.replace(/\n$/, "").split("\t");
	const at = digits(epoch);
	const woken = digits(count);
	if (at === null || woken === null) return "malformed";
	return { at, woken, windows: windows.split(" ").filter((w) => w !== "") };
}

/** `at` in epoch seconds. A name with a blank comes back as two. */
export function writePendingHeadsup(
	files: Files,
	stateDir: string,
	{ at, woken, windows }: PendingHeadsup,
): void {
	const text = `${at}\t${woken}\t${windows.join(" ")}\n`;
	write(files, stateDir, "ratelimit.headsup.pending", text);
}

/** It was told, or is given up. */
export function dropPendingHeadsup(files: Files, stateDir: string): void {
	files.remove(path(stateDir, "ratelimit.headsup.pending"));
}

function path(stateDir: string, name: string): string {
	return join(unstickDir(stateDir), name);
}

function textOf(files: Files, at: string): string | null {
	const read = files.read(at);
	return read.kind === "ok" ? read.text : null;
}

function write(
	files: Files,
	stateDir: string,
	name: string,
	text: string,
): void {
	files.mkdir(unstickDir(stateDir));
	files.writeAtomic(path(stateDir, name), text);
}
