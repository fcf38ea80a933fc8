/** One worker, one sweep: what is said of it and what is remembered (contract 03 §12.3, the numbered steps). Pure. */
import type { IdleRow } from "../../_emit/idle-rows.ts";
import type { PaneStateName } from "../../_pane/types.ts";
import type { BackgroundProgress } from "../../_state/background-progress.ts";
import { isMarked, type OperatorMark } from "../../_state/operator-engaged.ts";
import type { PaneChange } from "../../_state/pane-change.ts";
import { ageSeconds } from "../../_sys/age.ts";
import { backgroundProgress } from "./background.ts";
import { type ChildrenSay, lookAtChildren } from "./children.ts";
import { type Classified, classifyWorker, type Findings } from "./classify.ts";
import { observe } from "./engaged.ts";
import { type Moment, shownName, type WorkerFacts } from "./facts.ts";
import type { IdleSettings } from "./settings.ts";

/** What is to stand in the files of the window after the sweep. */
export interface Remembered {
	readonly engagedAt: number;
	readonly mark: OperatorMark;
	readonly change: PaneChange | null;
	readonly progress: BackgroundProgress | null;
	readonly machineSubmitAt: number | null;
	readonly childrenSince: number | null;
}

export interface WorkerVerdict {
	readonly facts: WorkerFacts;
	readonly row: IdleRow | null;
	/** Something stands that is not said now; what was said before stays true. */
	readonly withheld: boolean;
	/** The operator works in it. */
	readonly marked: boolean;
	/** Seconds since its last engagement. */
	readonly age: number;
	readonly next: Remembered;
}

/** What is remembered is returned, not written: only the rows' own sweep keeps it. */
export function probeWorker(
	f: WorkerFacts,
	moment: Moment,
	cfg: IdleSettings,
): WorkerVerdict {
	const { now } = moment;
	const { state } = f.pane;
	const background = backgroundProgress(
		state === "working-background" ? f.pane.backgroundTicks : null,
		f.progress,
		now,
		cfg.backgroundGrace,
	);
	const children = lookAtChildren(f, background.frozen, now, cfg.children);
	const stalled = background.frozen || children.say.kind === "left-behind";
	const seen = observe(f, now, cfg);
	const engagedAt =
		ENGAGED.has(state) || (state === "working-background" && !stalled)
			? now
			: Math.max(knownEngagement(f, now, cfg), seen.machineSubmit ?? 0);
	const age = Math.max(0, now - engagedAt);
	const next: Remembered = {
		engagedAt,
		mark: seen.mark,
		change: seen.change,
		progress: background.progress,
		machineSubmitAt: seen.machineSubmit ?? f.machineSubmitAt,
		childrenSince: children.since,
	};
	const marked = isMarked(seen.mark, {
		spawnAt: f.events.spawnAt,
		engagedDoneAt: f.events.engagedDoneAt,
		changeAt: seen.change?.at ?? null,
		now,
		changeTtlSeconds: cfg.changeTtl,
	});
	const said = sayOf(f, moment, cfg, {
		age,
		engagedAt,
		machineSubmitAt: next.machineSubmitAt,
		stalled,
		children: children.say,
		childrenSince: children.since,
		operator: marked ? seen.mark : null,
	});
	return {
		facts: f,
		marked,
		age,
		next,
		row: said.kind === "row" ? said.row : null,
		withheld: said.kind === "withheld",
	};
}

/** States that are an engagement by themselves. */
const ENGAGED: ReadonlySet<PaneStateName> = new Set<PaneStateName>([
	"busy",
	"user-typing",
	"working-self-paced",
]);

const ASKED: ReadonlySet<ChildrenSay["kind"]> = new Set(["ask", "over"]);

/** First seen now, or stamped by a clock that ran ahead: its age starts now. Redraws move tmux's own activity time, so that is no anchor. */
function knownEngagement(
	{ engagedAt }: WorkerFacts,
	now: number,
	cfg: IdleSettings,
): number {
	const age = ageSeconds(now, engagedAt, cfg.threshold);
	return engagedAt === null || age === null ? now : engagedAt;
}

function sayOf(
	f: WorkerFacts,
	moment: Moment,
	cfg: IdleSettings,
	found: Findings,
): Classified {
	const { now } = moment;
	const { state, limit } = f.pane;
	if (state === "over-limit") return overLimit(f, limit, found.engagedAt, now);
	const isNews = asksSomebody(f) || ASKED.has(found.children.kind);
	const cannotWait = isNews && found.operator === null;
	if (!cannotWait && (isJustSpawned(f, now, cfg) || found.age < cfg.threshold))
		return { kind: "none" };
	return classifyWorker(f, found, moment, cfg);
}

function isJustSpawned(
	{ events }: WorkerFacts,
	now: number,
	cfg: IdleSettings,
): boolean {
	const age = ageSeconds(now, events.spawnAt, cfg.spawnGrace);
	return age !== null && age < cfg.spawnGrace;
}

/**
 * The agent itself has asked, and stands still until somebody answers: waiting for an idle threshold helps nobody. A
 * dialog that a person opened, or one of the start, is no such question; and where the operator works he answers it.
 */
function asksSomebody({ pane }: WorkerFacts): boolean {
	return (
		pane.state === "blocked" &&
		(pane.overlay === null || QUESTIONS.has(pane.overlay))
	);
}
const QUESTIONS: ReadonlySet<string> = new Set([
	"permission",
	"askuq",
	"rate-limit",
]);

function overLimit(
	f: WorkerFacts,
	limit: WorkerFacts["pane"]["limit"],
	since: number,
	now: number,
): Classified {
	const {
		resetAt = "unknown",
		flavour = "unknown",
		words = null,
	} = limit ?? {};
	const age =
		f.windowActivity === null ? 0 : Math.max(0, now - f.windowActivity);
	return {
		kind: "row",
		row: {
			window: shownName(f),
			class: "over-limit",
			ageSeconds: age,
			since,
			askedAt: null,
			detail: resetAt,
			limit: { flavour, words },
		},
	};
}
