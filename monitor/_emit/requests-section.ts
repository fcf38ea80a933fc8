/** Rows of `--- requests ---`: which claimed requests are due, and how each closes (contract 08 §6.3). Pure. */

import { type RequestHead, requestTime } from "../_state/requests.ts";
import type { RequestStamp } from "../_state/requests-emit.ts";
import { ageSeconds } from "../_sys/age.ts";
import { byBytes } from "../_sys/byte-order.ts";
import { excerptOf, oneLine } from "./clean-text.ts";
import { sectionLines } from "./sections.ts";

export interface RequestRow {
	readonly id: string;
	readonly origin: string;
	readonly kind: string;
	readonly priority: string;
	readonly summary: string;
	readonly path: string;
	readonly replyRequired: boolean;
	/** When its id was reserved, milliseconds; 0 = not known. Tells apart what was filed within one second. */
	readonly filedAtMs: number;
}

export interface DueConfig {
	readonly cooldownSeconds: number;
	readonly backoffMaxSeconds: number;
	readonly maxPerEmit: number;
	readonly fairness: boolean;
}

const NO_SUMMARY = "(no text under ## Request)";

/** `head` is null when the file could not be read: it is shown all the same. */
export function requestRow(
	id: string,
	path: string,
	head: RequestHead | null,
	filedAtMs = 0,
): RequestRow {
	return {
		id,
		origin: oneLine(head?.origin ?? "", 64) || "unknown",
		kind: oneLine(head?.kind ?? "", 64) || "unknown",
		priority: oneLine(head?.priority ?? "", 64) || "normal",
		summary: excerptOf(head?.text ?? "") || NO_SUMMARY,
		path,
		replyRequired: head?.reply.trim() === "required",
		filedAtMs,
	};
}

/** Rows to show now: high priority first, then in the order they were filed; with fairness one of each origin in turn. */
export function selectDue(
	rows: readonly RequestRow[],
	stamps: readonly RequestStamp[],
	now: number,
	cfg: DueConfig,
): readonly RequestRow[] {
	const due = rows
		.filter((row) =>
			isDue(
				stamps.find((s) => s.id === row.id),
				now,
				cfg,
			),
		)
		.sort(byUrgency);
	return (cfg.fairness ? roundRobin(due) : due).slice(0, cfg.maxPerEmit);
}

/** Doubles with each delivery after the first. Seconds. */
export function effectiveCooldown(
	base: number,
	delivered: number,
	max: number,
): number {
	const cap = Math.max(base, max);
	return delivered <= 1 ? base : Math.min(cap, base * 2 ** (delivered - 1));
}

/** Four lines a request, in the order given. */
export function renderRequests(rows: readonly RequestRow[]): string {
	return rows
		.flatMap((row) => [
			`request=${row.id} origin=${row.origin} kind=${row.kind} priority=${row.priority}`,
			`    summary: ${row.summary}`,
			`    file=${row.path}`,
			`    handling: ${handlingOf(row)}`,
		])
		.map((line) => `${line}\n`)
		.join("");
}

/** Ids of the rows that a finished report carries. A `request=` line of another section is none. */
export function requestsIn(body: string): readonly string[] {
	return sectionLines(body, "requests").flatMap(
		(line) => /^request=([A-Za-z0-9_-]+)(?: |$)/.exec(line)?.[1] ?? [],
	);
}

/** The stamps after a report with these requests was delivered. */
export function commitRequests(
	stamps: readonly RequestStamp[],
	ids: readonly string[],
	now: number,
): readonly RequestStamp[] {
	const others = stamps.filter((s) => !ids.includes(s.id));
	const delivered = ids.map((id) => ({
		id,
		deliveredAt: now,
		count: (stamps.find((s) => s.id === id)?.count ?? 0) + 1,
	}));
	return [...others, ...delivered];
}

function isDue(
	stamp: RequestStamp | undefined,
	now: number,
	cfg: DueConfig,
): boolean {
	if (stamp === undefined) return true;
	const cooldown = effectiveCooldown(
		cfg.cooldownSeconds,
		stamp.count,
		cfg.backoffMaxSeconds,
	);
	const age = ageSeconds(now, stamp.deliveredAt, cooldown);
	return age === null || age >= cooldown;
}

function byUrgency(a: RequestRow, b: RequestRow): number {
	const high = (row: RequestRow): number => (row.priority === "high" ? 0 : 1);
	return (
		high(a) - high(b) ||
		byBytes(requestTime(a.id), requestTime(b.id)) ||
		a.filedAtMs - b.filedAtMs ||
		byBytes(a.id, b.id)
	);
}

/** Origins in order of first appearance, one row of each in turn: a chatty worker must not crowd the others out. */
function roundRobin(rows: readonly RequestRow[]): readonly RequestRow[] {
	const turns: RequestRow[][] = [];
	const taken = new Map<string, number>();
	for (const row of rows) {
		const turn = taken.get(row.origin) ?? 0;
		taken.set(row.origin, turn + 1);
		turns[turn] = [...(turns[turn] ?? []), row];
	}
	const order = [...taken.keys()];
	return turns.flatMap((turn) =>
		turn.sort((a, b) => order.indexOf(a.origin) - order.indexOf(b.origin)),
	);
}

function handlingOf({ id, kind, replyRequired }: RequestRow): string {
	if (replyRequired)
		return `a reply is required: \`ng request reply ${id}\` closes it (an ack is refused)`;
	if (kind === "spawn-skeptic")
		return `spawning the skeptic acks it (by hand: \`ng request ack ${id}\`)`;
	return `\`ng request ack ${id}\` closes it (\`ng request reply ${id}\` does too)`;
}
