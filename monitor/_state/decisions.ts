/** `decisions/<window>.<fingerprint>.json`: questions that wait for the orchestrator, and their tombstones (contract 08 §5.1). */
import { join } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { parseObject, textAt } from "./json-object.ts";

export interface DecisionRecord {
	readonly window: string;
	readonly fingerprint: string;
	readonly kind: string;
	readonly promptExcerpt: string;
	/** Who wrote it; empty: a hook. */
	readonly source: string;
	readonly unresolved: boolean;
	readonly resolved: boolean;
}

/** What a file's name says. Window names may hold dots. */
export interface DecisionName {
	readonly window: string;
	readonly fingerprint: string;
	/** A tombstone: `<window>.<fingerprint>.handled.json`. */
	readonly handled: boolean;
}

export function decisionsDir(stateDir: string): string {
	return join(stateDir, "decisions");
}

/** `.handled` before the ending makes it a tombstone. */
export function decisionFileName(d: DecisionName): string {
	return `${d.window}.${d.fingerprint}${d.handled ? ".handled" : ""}.json`;
}

/** Splits on the LAST `.<12 hex>` before the ending; null when the name has none. */
export function parseDecisionName(name: string): DecisionName | null {
	const [, window, fingerprint, handled] =
		/^(.+)\.([0-9a-f]{12})(\.handled)?\.json$/.exec(name) ?? [];
	if (window === undefined || fingerprint === undefined) return null;
	return { window, fingerprint, handled: handled !== undefined };
}

/** Answered; it stays so that the same question is not raised again. */
export function isTombstone(name: string): boolean {
	return name.endsWith(".handled.json");
}

/** Name of the tombstone that would silence this record. */
export function tombstoneOf(name: string): string {
	return name.replace(/\.json$/, ".handled.json");
}

/** First 12 hex of sha1 over `<window>|<kind>|<message>`. */
export function decisionFingerprint(
	window: string,
	kind: string,
	message: string,
): string {
	// Not of node:crypto, which takes longer to load than a hook may run.
	return new Bun.CryptoHasher("sha1")
		.update(`${window}|${kind}|${message}`)
		.digest("hex")
		.slice(0, 12);
}

export interface NewDecision {
	/** UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
	readonly ts: string;
	readonly window: string;
	readonly sessionId: string;
	readonly kind: string;
	readonly promptExcerpt: string;
	/** Raw text, possibly JSON. */
	readonly toolContext: string;
	readonly fingerprint: string;
	/** Who wrote it, when it was no hook, and why it did not answer itself. */
	readonly source?: string;
	readonly verdict?: string;
}

/** One line of JSON with the keys of contract 08 §5.1. */
export function renderDecision(d: NewDecision): string {
	return `${JSON.stringify({
		ts: d.ts,
		window: d.window,
		session_id: d.sessionId,
		kind: d.kind,
		prompt_excerpt: d.promptExcerpt,
		tool_context: d.toolContext,
		fingerprint: d.fingerprint,
		...(d.source !== undefined && { source: d.source }),
		...(d.verdict !== undefined && { verdict: d.verdict }),
	})}\n`;
}

/** Writes the record, or over it: it is pending again. A question that was answered for good (its tombstone is there) stays silent. */
export function writeDecision(
	files: EverydayFiles,
	stateDir: string,
	decision: NewDecision,
): WriteResult {
	const dir = decisionsDir(stateDir);
	const { window, fingerprint } = decision;
	const path = (handled: boolean) =>
		join(dir, decisionFileName({ window, fingerprint, handled }));
	if (files.lstat(path(true)).kind !== "absent") return { kind: "ok" };
	files.mkdir(dir);
	return files.writeAtomic(path(false), renderDecision(decision));
}

/** Null unless it is a JSON object. A field of a wrong type counts as absent. */
export function parseDecision(text: string): DecisionRecord | null {
	const json = parseObject(text);
	if (json === null) return null;
	return {
		window: textAt(json, "window") ?? "",
		fingerprint: textAt(json, "fingerprint") ?? "",
		kind: textAt(json, "kind") ?? "",
		promptExcerpt: textAt(json, "prompt_excerpt") ?? "",
		source: textAt(json, "source") ?? "",
		unresolved: json.unresolved === true,
		resolved: json.resolved === true,
	};
}

/** Age by mtime, seconds; null when it cannot be looked at. */
export function decisionAge(
	files: EverydayFiles,
	stateDir: string,
	name: string,
	now: number,
): number | null {
	const found = files.lstat(join(decisionsDir(stateDir), name));
	return found.kind === "ok"
		? Math.max(0, now - found.stat.mtimeMs / 1000)
		: null;
}
