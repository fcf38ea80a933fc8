/** What an idle worker is (contract 03 §12.5): the first rule that applies. Pure. */
import {
	ABSENT_DETAIL,
	type IdleRow,
	overlayDetail,
} from "../../_emit/idle-rows.ts";
import { paneAssertsDead } from "../../_pane/gates.ts";
import { isForeign } from "../../_pane/heartbeat.ts";
import type { OperatorMark } from "../../_state/operator-engaged.ts";
import type { TurnFailure } from "../../_state/turn-failure.ts";
import { isStillRunning } from "../../_state/worker-health.ts";
import { ageSeconds, formatAge } from "../../_sys/age.ts";
import type { ChildrenSay } from "./children.ts";
import { type Moment, shownName, type WorkerFacts } from "./facts.ts";
import type { IdleSettings } from "./settings.ts";

/** What was worked out before, in this same sweep. */
export interface Findings {
	/** Seconds since the last engagement. */
	readonly age: number;
	readonly engagedAt: number;
	readonly machineSubmitAt: number | null;
	/** Its background shells have stood still for longer than the grace, or are said to be done. */
	readonly stalled: boolean;
	/** What its background shells call for. */
	readonly children: ChildrenSay;
	/** Since when they outlive its turns. */
	readonly childrenSince: number | null;
	/** The mark of the operator who works in it; null: he does not. */
	readonly operator: OperatorMark | null;
}

/** `withheld`: something would be said, but not now; what was said of the window stands. */
export type Classified =
	| { readonly kind: "row"; readonly row: IdleRow }
	| { readonly kind: "none" }
	| { readonly kind: "withheld" };

const NONE: Classified = { kind: "none" };
const WITHHELD: Classified = { kind: "withheld" };

/** After a gap no worker is called dead: the ages say nothing. */
export function classifyWorker(
	f: WorkerFacts,
	found: Findings,
	moment: Moment,
	cfg: IdleSettings,
): Classified {
	const { state, overlay, orphanKinds } = f.pane;
	const row = (
		cls: IdleRow["class"],
		detail = "",
		since: number | null = null,
	): Classified => ({
		kind: "row",
		row: {
			window: shownName(f),
			class: cls,
			ageSeconds: found.age,
			detail,
			since: since ?? found.engagedAt,
			askedAt: f.pane.askedAt,
		},
	});
	const unlessGap = (made: Classified) => (moment.afterGap ? WITHHELD : made);

	if (paneAssertsDead(state))
		return unlessGap(row("pane-absent", ABSENT_DETAIL));
	if (state === "blocked")
		return unlessGap(row("pane-absent", overlayDetail(overlay)));
	if (state === "idle-orphan-async")
		return row("idle-orphan-async", orphanKinds ?? "unknown");

	const failure = freshFailure(f, moment.now, cfg);
	if (state === "empty" && failure === null) return NONE;
	if (state === "working-background" && !found.stalled)
		return ofChildren(f, found, moment, cfg);
	if (!IDLE_STATES.has(state)) return NONE;
	if (state === "working-background" && moment.afterGap) return WITHHELD;

	const tooLong = found.age >= cfg.close;
	if (failure !== null)
		return row(
			tooLong ? "idle-too-long" : "interrupted",
			`${failure.category}:${failure.recovery}`,
			failure.at,
		);
	const { operator } = found;
	if (operator !== null)
		return row("operator-engaged", operator.src || "engaged", operator.since);

	const wrapped = isWrapped(f, found);
	const lacks = wrapped ? f.reportProblems.join(";") : "";
	const runs = !wrapped && hasRunningJob(f, moment.now, cfg);
	if (tooLong && !runs) return row("idle-too-long", lacks);
	if (lacks === "") {
		const paste = unconfirmedPaste(f, moment.now, cfg);
		if (paste !== null)
			return unlessGap(
				row("paste-unconfirmed", `paste ${formatAge(paste)} ago`),
			);
		const retain = liveRetain(f, found.engagedAt, moment.now, cfg);
		if (retain !== null) return row("retained", retain);
	}
	if (runs) return NONE;
	if (!wrapped) return row("no-wrap-up");
	return lacks === "" ? row("wrapped") : row("wrapped-but-stub", lacks);
}

/** Nobody is asked about what the operator, or who had the window kept, lets run. */
function ofChildren(
	f: WorkerFacts,
	found: Findings,
	moment: Moment,
	cfg: IdleSettings,
): Classified {
	const { children } = found;
	if (children.kind !== "ask" && children.kind !== "over") return NONE;
	if (found.operator !== null) return NONE;
	const isKept = liveRetain(f, found.childrenSince ?? 0, moment.now, cfg);
	if (children.kind === "ask" && isKept !== null) return NONE;
	if (moment.afterGap) return WITHHELD;
	const since = found.childrenSince ?? moment.now;
	const row = {
		window: shownName(f),
		ageSeconds: Math.max(0, moment.now - since),
		since,
	};
	if (children.kind === "over")
		return {
			kind: "row",
			row: { ...row, class: "idle-too-long", askedAt: null, detail: "" },
		};
	const { askedAt, words } = children;
	const count = f.pane.children?.count ?? 0;
	const what = `${count} background shell${count === 1 ? "" : "s"}`;
	return {
		kind: "row",
		row: {
			...row,
			class: "idle-children-clarify",
			askedAt,
			detail: words === "" ? what : `${what}; ${words}`,
		},
	};
}

const IDLE_STATES: ReadonlySet<string> = new Set([
	"idle",
	"autosuggest-only",
	"empty",
	"working-background",
]);

/** A turn that crashed lately, of the session that is in the pane. */
export function freshFailure(
	{ failure, pane }: WorkerFacts,
	now: number,
	cfg: IdleSettings,
): TurnFailure | null {
	if (failure === null || isForeign(failure.sessionId, pane.sessionId))
		return null;
	const age = ageSeconds(now, failure.at, cfg.failureFreshness);
	return age !== null && age <= cfg.failureFreshness ? failure : null;
}

/** A wrap-up counts until we submit something new. */
function isWrapped({ events }: WorkerFacts, found: Findings): boolean {
	return (
		events.wrapUp !== null && (found.machineSubmitAt ?? 0) <= events.wrapUp.at
	);
}

/** The worker has told of a job that runs (contract 08 §4.4), in this life of the window. */
function hasRunningJob(
	{ health, events }: WorkerFacts,
	now: number,
	cfg: IdleSettings,
): boolean {
	return (
		health !== null &&
		health.writtenAt >= (events.spawnAt ?? 0) &&
		isStillRunning(health, now, cfg.children)
	);
}

/** Seconds since a paste of ours that no submit followed; null: there is none. */
function unconfirmedPaste(
	f: WorkerFacts,
	now: number,
	cfg: IdleSettings,
): number | null {
	const at = f.submittedPasteAt;
	if (!f.hooksLive || at === null) return null;
	if (at < (f.events.spawnAt ?? 0)) return null;
	if (f.prompt !== null && f.prompt.at >= at) return null;
	const age = ageSeconds(now, at, cfg.pasteConfirmGrace);
	return age !== null && age >= cfg.pasteConfirmGrace ? age : null;
}

/** Why the window is kept; null: nobody asked for it, or something happened in it since. */
function liveRetain(
	{ events }: WorkerFacts,
	engagedAt: number,
	now: number,
	cfg: IdleSettings,
): string | null {
	const { retain } = events;
	if (retain === null || engagedAt > retain.at) return null;
	const age = ageSeconds(now, retain.at, cfg.retainTtl);
	return age !== null && age <= cfg.retainTtl ? retain.reason : null;
}
