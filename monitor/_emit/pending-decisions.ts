/** Looks at the decisions folder, takes out what is obsolete, and renders what is due (contract 08 §5.4). */
import { basename, join } from "node:path";
import type { StateDoors } from "../_state/damaged.ts";
import { readDecision } from "../_state/decision-read.ts";
import {
	decisionAge,
	decisionsDir,
	isTombstone,
	parseDecisionName,
	tombstoneOf,
} from "../_state/decisions.ts";
import {
	type DecisionStamp,
	readDecisionStamps,
	writeDecisionStamps,
} from "../_state/decisions-emit.ts";
import type { PaneRows } from "../_sys/doors.ts";
import { oneLine } from "./clean-text.ts";
import {
	commitDecisions,
	type DecisionFacts,
	type DecisionPlan,
	decisionsIn,
	type PendingDecision,
	planDecisions,
	planReap,
	renderDecisions,
} from "./decisions-section.ts";
import { liveWindows } from "./snapshot.ts";

export interface DecisionsConfig {
	readonly cooldownSeconds: number;
	readonly skipDeadWindows: boolean;
	readonly reapDeadWindows: boolean;
	readonly reapMinAgeSeconds: number;
}

export interface DecisionsLook {
	readonly stateDir: string;
	readonly config: DecisionsConfig;
	readonly panes: PaneRows;
	/** In the grace after a clock gap no age is a reason to delete. */
	readonly afterGap: boolean;
	/** The pane gate: the panes' lines, asked for only when a row is due. Absent: the gate is off, and everything due is shown. */
	readonly paneLines?: () => Promise<PaneLineOf>;
	/** Windows in which the operator or a skeptic works; asked for only when it matters. */
	readonly engaged?: () => ReadonlySet<string>;
}

/** The output line of a window's pane (contract 03 §3); null: nobody could tell. */
export type PaneLineOf = NonNullable<DecisionFacts["paneLine"]>;

/** The rows that are due now, empty when none is; null: the folder could not be looked at. */
export async function renderPendingDecisions(
	doors: StateDoors,
	look: DecisionsLook,
): Promise<string | null> {
	if (look.paneLines === undefined || !isAnyDue(doors, look))
		return renderNow(doors, look);
	// Everything else is read after the wait: a delivery meanwhile may have stamped rows.
	const paneLine = await look.paneLines();
	return renderNow(doors, look, paneLine);
}

function isAnyDue(doors: StateDoors, look: DecisionsLook): boolean {
	const listed = doors.files.list(decisionsDir(look.stateDir));
	if (listed.kind !== "ok") return false;
	const stamps = readDecisionStamps(doors, look.stateDir) ?? [];
	return planNow(doors, look, listed.names, stamps).rows.length > 0;
}

function renderNow(
	doors: StateDoors,
	look: DecisionsLook,
	paneLine?: PaneLineOf,
): string | null {
	const { stateDir, config } = look;
	const listed = doors.files.list(decisionsDir(stateDir));
	if (listed.kind === "unreadable") return null;
	const live = liveWindows(look.panes);
	const reaped =
		config.reapDeadWindows && !look.afterGap && listed.kind === "ok"
			? reap(doors, look, listed.names, live)
			: new Set<string>();
	const names = listed.kind === "ok" ? listed.names : [];
	const stamps = readDecisionStamps(doors, stateDir);
	const plan = planNow(
		doors,
		look,
		names.filter((name) => !reaped.has(name)),
		// Could not look: shown once too often rather than never.
		stamps ?? [],
		paneLine,
	);
	if (stamps !== null) writeDecisionStamps(doors.files, stateDir, plan.keep);
	return renderDecisions(plan.rows);
}

function planNow(
	doors: StateDoors,
	{ stateDir, config, panes, engaged }: DecisionsLook,
	names: readonly string[],
	shown: readonly DecisionStamp[],
	paneLine?: PaneLineOf,
): DecisionPlan {
	const pending = pendingOf(doors, stateDir, names);
	const hasIdle = pending.some((d) => d.record?.kind === "idle_prompt");
	return planDecisions({
		pending,
		shown,
		liveWindows: liveWindows(panes),
		engaged: (hasIdle && engaged?.()) || new Set(),
		...(paneLine && { paneLine }),
		now: doors.clock.now(),
		cooldownSeconds: config.cooldownSeconds,
		skipDeadWindows: config.skipDeadWindows,
	});
}

/** A report with this body was delivered, or repeats one that was. */
export function commitPendingDecisions(
	doors: StateDoors,
	stateDir: string,
	body: string,
): void {
	const rows = decisionsIn(body);
	if (rows.length === 0) return;
	// Stamps that cannot be read are forgotten, or these rows would be composed every cycle.
	const stamps = readDecisionStamps(doors, stateDir) ?? [];
	writeDecisionStamps(
		doors.files,
		stateDir,
		commitDecisions(stamps, rows, doors.clock.now()),
	);
}

/** Deletes what belongs to windows that are gone; answers the names that are gone now. */
function reap(
	doors: StateDoors,
	{ stateDir, config }: DecisionsLook,
	names: readonly string[],
	live: ReadonlySet<string> | null,
): ReadonlySet<string> {
	const aged = names.flatMap((name) => {
		const window = parseDecisionName(name)?.window;
		const age = decisionAge(doors.files, stateDir, name, doors.clock.now());
		return window === undefined || age === null
			? []
			: [{ name, window: oneLine(window), ageSeconds: age }];
	});
	const gone = new Set<string>();
	for (const name of planReap(aged, live, config.reapMinAgeSeconds)) {
		const path = join(decisionsDir(stateDir), name);
		const removed = doors.files.remove(path);
		if (removed.kind === "ok") gone.add(name);
		else doors.log.warn(`reap FAILED: ${path}: ${removed.reason}`);
	}
	return gone;
}

/** Records that are neither silenced by a tombstone nor resolved. */
function pendingOf(
	doors: StateDoors,
	stateDir: string,
	names: readonly string[],
): readonly PendingDecision[] {
	const all = new Set(names);
	const pending = names
		.filter(
			(name) =>
				name.endsWith(".json") &&
				!isTombstone(name) &&
				!all.has(tombstoneOf(name)),
		)
		.flatMap((name) => {
			const read = readDecision(doors, stateDir, name);
			if (read.kind === "absent" || read.kind === "damaged") return [];
			const record = read.kind === "ok" ? read.value : null;
			if (record?.resolved) return [];
			const said = parseDecisionName(name) ?? record;
			if (!said?.window || !/^\S{1,64}$/.test(said.fingerprint)) return [];
			return [
				{
					window: oneLine(said.window),
					fingerprint: said.fingerprint,
					path: join(decisionsDir(stateDir), name),
					record,
				},
			];
		});
	return pending.filter((one) => !isToldTwice(doors, stateDir, one, pending));
}

/** Longer than the watcher takes from one look at the dialogs to the next. */
const HOOK_WAITS_SECONDS = 15;

/** Of a prompt that the watcher does not answer, hook and watcher both write; the hook's gives way at the watcher's next look, and waits for it. */
function isToldTwice(
	{ files, clock }: StateDoors,
	stateDir: string,
	{ window, path, record }: PendingDecision,
	pending: readonly PendingDecision[],
): boolean {
	if (record?.kind !== "permission_prompt" || record.source !== "")
		return false;
	const isKnown = pending.some(
		(other) =>
			other.window === window &&
			other.record?.kind === "permission_prompt" &&
			other.record.source !== "",
	);
	if (!isKnown) return false;
	const age = decisionAge(files, stateDir, basename(path), clock.now());
	return age !== null && age < HOOK_WAITS_SECONDS;
}
