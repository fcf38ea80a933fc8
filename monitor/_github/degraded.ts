/** A search that keeps failing is told, again and again with what has become of it, until it has recovered (contract 02 §7.7). */
import type { Config } from "../../config/schema.ts";
import type { StateDoors } from "../_state/damaged.ts";
import { type AlertBlock, alertBlock } from "../_state/emit-blocks.ts";
import type { Surface } from "../_state/graphql-backoff.ts";
import {
	type Degraded,
	readDegraded,
	removeDegraded,
	writeDegraded,
} from "../_state/graphql-degraded.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import { PAGE_SIZE_KEY } from "./partial-row.ts";

/** `total`: no page. `partial`: pages were dropped. `truncated`: nobody knows what stands behind the last one. */
export type Loss = "total" | "partial" | "truncated";

export interface DegradedLimits {
	readonly escalateSeconds: number;
	readonly remindSeconds: number;
}

export interface FailureNoted {
	readonly next: Degraded;
	/** What to tell; null: not yet, or not again. Recomputed each time: a frozen figure reads as a replay, and silence then as recovery. */
	readonly alert: { readonly heldSeconds: number } | null;
}

/** Pure. `now`: epoch seconds. */
export function noteFailure(
	prev: Degraded | null,
	now: number,
	{ escalateSeconds, remindSeconds }: DegradedLimits,
): FailureNoted {
	const first = prev === null || now < prev.first ? now : prev.first;
	const count = (prev?.count ?? 0) + 1;
	const announced = Math.min(prev?.announced ?? 0, now);
	const heldSeconds = now - first;
	const isDue =
		heldSeconds >= escalateSeconds &&
		(announced === 0 || now - announced >= remindSeconds);
	return isDue
		? { next: { first, count, announced: now }, alert: { heldSeconds } }
		: { next: { first, count, announced }, alert: null };
}

/** Pure. Null: there is nothing to take back. */
export function noteSuccess(
	prev: Degraded | null,
	now: number,
): { readonly heldSeconds: number; readonly failures: number } | null {
	return prev === null || prev.announced === 0
		? null
		: { heldSeconds: Math.max(0, now - prev.first), failures: prev.count };
}

/** Counts it; alerts when it has lasted, and again at each reminder. */
export function searchFailed(
	doors: StateDoors,
	stateDir: string,
	surface: Surface,
	loss: Loss,
	limits: DegradedLimits,
): readonly AlertBlock[] {
	const prev = readDegraded(doors, stateDir, surface);
	const { next, alert } = noteFailure(prev, doors.clock.now(), limits);
	writeDegraded(doors.files, stateDir, surface, next);
	if (alert === null) return [];
	const held = alert.heldSeconds;
	appendAlert(
		doors,
		stateDir,
		"WARN",
		`${surface} graphql_degraded_escalated kind=${loss} held_s=${held} consecutive_failures=${next.count}`,
	);
	return [
		alertBlock(
			"ingest-degraded",
			{
				surface,
				kind: loss,
				held_s: held,
				[loss === "total" ? "failures" : "occurrences"]: next.count,
			},
			`The search ${surface} has been failing for ${Math.floor(held / 60)} min (${next.count} times): ${LOSSES[loss]} See watcher-alerts.log.`,
		),
	];
}

/** Forgets the failures; an alert only when they had been told. */
export function searchSucceeded(
	doors: StateDoors,
	stateDir: string,
	surface: Surface,
): readonly AlertBlock[] {
	const prev = readDegraded(doors, stateDir, surface);
	if (prev === null) return [];
	removeDegraded(doors.files, stateDir, surface);
	const recovered = noteSuccess(prev, doors.clock.now());
	if (recovered === null) return [];
	const { heldSeconds, failures } = recovered;
	appendAlert(
		doors,
		stateDir,
		"INFO",
		`${surface} graphql_degraded_recovered after_s=${heldSeconds} failures=${failures}`,
	);
	return [
		alertBlock(
			"ingest-recovered",
			{ surface },
			`The search ${surface} works again: anything that was withheld surfaces now. See watcher-alerts.log.`,
		),
	];
}

/** Seconds, from `monitor.graphql.*`. */
export function degradedLimits(config: Config): DegradedLimits {
	return {
		escalateSeconds: config["monitor.graphql.degraded_escalate_seconds"],
		remindSeconds: config["monitor.graphql.degraded_remind_seconds"],
	};
}

const LOSSES: Readonly<Record<Loss, string>> = {
	total: "comments that only it finds are not lost, but late.",
	partial: `the issues of the pages that were dropped are missing; lower ${PAGE_SIZE_KEY}.`,
	truncated: `an unknown tail of issues is missing; look at ${PAGE_SIZE_KEY} and its neighbours.`,
};
