/** The output line (contract 03 §3): printing a verdict and reading one. Pure. */
import { resetInstant } from "../_state/reset-token.ts";
import type { Limit, Verdict } from "./answer.ts";
import { conflictsOf } from "./conflicts.ts";
import { PANE_STATES, type PaneStateName } from "./types.ts";
import { factsOf, type Witnesses } from "./witnesses.ts";

export interface LineTarget {
	readonly active: boolean;
	readonly window: number | string;
	readonly name: string;
}
export type Field = readonly [key: string, value: string | number];

/** A line as a consumer reads it. */
export interface PaneReading {
	readonly state: PaneStateName;
	/** First value of a key, or null. */
	get(key: string): string | null;
}

/** `key=value` with blanks between; `fields` follow the four that every line has. */
export function formatLine(
	target: LineTarget,
	state: PaneStateName,
	fields: readonly Field[],
): string {
	const head: readonly Field[] = [
		["state", state],
		["active", target.active ? 1 : 0],
		["window", target.window],
		["name", target.name],
	];
	return [...head, ...fields].map(([k, v]) => `${k}=${v}`).join(" ");
}

/**
 * Splits at white space, compares keys exactly, takes the first match: a window's name may hold a
 * blank and text that looks like a field. null for what is no line of ours.
 */
export function parseLine(line: string): PaneReading | null {
	const fields = new Map<string, string>();
	for (const word of line.trim().split(/\s+/)) {
		const at = word.indexOf("=");
		if (at <= 0) continue;
		const key = word.slice(0, at);
		if (!fields.has(key)) fields.set(key, word.slice(at + 1));
	}
	const state = PANE_STATES.find((s) => s === fields.get("state"));
	if (state === undefined) return null;
	return { state, get: (key) => fields.get(key) ?? null };
}

/** Everything after the first four keys, in the order of the contract's table. */
export function verdictFields(
	w: Witnesses,
	{ rung, answer }: Verdict,
): readonly Field[] {
	const facts = factsOf(w);
	const { state } = answer;
	const fields: Field[] = [];
	// The liveness gate answers before anybody looks at the screen.
	const seen = rung.n === 1 ? null : facts;
	if (seen?.composer) fields.push(["input", seen.composer.input]);
	if (seen?.menu) fields.push(["menu", 1]);
	if (seen && state === "busy") {
		const { queue, throttled, retrying } = seen.activity;
		if (queue !== null) fields.push(["queued", 1]);
		if (throttled) fields.push(["throttled", 1]);
		if (retrying)
			fields.push(["retrying", `${retrying.attempt}/${retrying.of}`]);
	}
	if (answer.overlay) fields.push(["overlay", answer.overlay]);
	if (answer.limit) fields.push(...limitFields(answer.limit, w.now));
	if (answer.orphanKinds) fields.push(["orphan_kinds", answer.orphanKinds]);
	if (answer.shells) {
		const { reliable, count, cpuTicks, oldestStart } = answer.shells;
		fields.push(["bg_shells", count], ["bg_reliable", reliable ? 1 : 0]);
		fields.push(["bg_cpu", cpuTicks], ["bg_oldest_start", oldestStart]);
	}
	if (answer.evidence) fields.push(["evidence", answer.evidence]);
	if (answer.reason) fields.push(["reason", answer.reason]);
	if (answer.site) fields.push(["site", answer.site]);
	if (state === "unknown" && w.capture.kind === "failed")
		fields.push(["capture", "failed"]);
	const conflict =
		seen === null && rung.n === 1 ? null : conflictsOf(w, state)[0];
	if (conflict)
		fields.push(["conflict", `${conflict.winner}/${conflict.loser}`]);
	// Its absence tells consumers that the session file or the heartbeat gave the answer.
	const byOthers = rung.n >= 3 && rung.n <= 5;
	if (seen && !byOthers) fields.push(["content_hash", seen.contentHash]);
	if (seen && seen.inputText !== "")
		fields.push(["input_text", encodeText(seen.inputText)]);
	return fields;
}

function limitFields(limit: Limit, now: number): readonly Field[] {
	const known = resetInstant(limit.resetAt, now).kind === "known";
	return [
		["reset_at", limit.resetAt],
		["limit", limit.flavour],
		...(known ? [] : [["limit_text", encodeText(limit.words)] as const]),
	];
}

const TEXT_MAX = 200;

/** At most 200 characters and `…`; bytes other than `A-Z a-z 0-9 . _ ~ -` as `%HH`. */
function encodeText(text: string): string {
	const plain = text.replace(/[\x00-\x1f\x7f-\x9f\s\u00a0]+/g, " ").trim();
	const points = [...plain];
	const cut =
		points.length > TEXT_MAX ? `${points.slice(0, TEXT_MAX).join("")}…` : plain;
	return encodeURIComponent(cut.toWellFormed()).replace(
		/[!'()*]/g,
		(c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}
