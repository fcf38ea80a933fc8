/** Is there something to say, and why (contract 01 §11.3, §11.6). Pure. */
import type { Bell } from "./bells.ts";
import type { SectionId, SectionTexts } from "./sections.ts";

export type EmitReason =
	| "poll"
	| "poll-full-state"
	| "poll-resurface"
	| "poll-cc-update"
	| "poll-component-drift"
	| "poll-service-health"
	| "poll-requests"
	| "poll-reports-roll"
	| "startup-sweep"
	| "comments";

/** Sections that are each a reason to send a report. */
const REASONS = [
	"gh",
	"idle",
	"decisions",
	"requests",
	"ccUpdate",
	"drift",
	"serviceHealth",
	"reportsRoll",
] as const satisfies readonly SectionId[];
type ReasonId = (typeof REASONS)[number];

/** Of the sections, their texts; empty or missing ones have nothing to say. */
export interface EmitInputs extends Pick<SectionTexts, ReasonId> {
	/** Unified diff of baseline and current snapshot; empty when they are equal. */
	readonly localDiff: string;
	readonly diffSignal: boolean;
	readonly noiseSummary: string;
	readonly fullStateDue: boolean;
	readonly bells: readonly Bell[];
}

export interface EmitDecision {
	readonly emit: boolean;
	readonly reason: EmitReason;
	/** Suffix of the archive's name. */
	readonly tag?: string;
	/** A due full-state report is the heartbeat: it goes out even when nothing changed. */
	readonly skipDedup: boolean;
	/** Asks "did this poll change local state", not "did we emit": a comment-only emit must not swallow the next local change. */
	readonly advanceBaseline: boolean;
	readonly logSuppressed?: string;
}

/** The arm section is no input: it rides emits that happen anyway. */
export function decideEmit(i: EmitInputs): EmitDecision {
	const has = presence(i);
	const trigger = has.bells || REASONS.some((id) => has[id]);
	const emit = trigger || i.fullStateDue || (has.localDiff && i.diffSignal);
	const pureNoise = !emit && has.localDiff;
	return {
		emit,
		...reasonOf(has),
		skipDedup: i.fullStateDue,
		advanceBaseline: has.localDiff || has.bells,
		...(pureNoise && {
			logSuppressed: `suppressed emit: ${i.noiseSummary || "noise-only"}`,
		}),
	};
}

type Input = ReasonId | "localDiff" | "fullStateDue" | "bells";
type Presence = Readonly<Record<Input, boolean>>;

interface ReasonRow {
	readonly reason: EmitReason;
	readonly tag: string;
	readonly when: Input;
	readonly noneOf: readonly Input[];
}

const CC_UPDATE_ALONE: readonly Input[] = [
	"localDiff",
	"gh",
	"bells",
	"idle",
	"decisions",
	"drift",
	"fullStateDue",
];
const DRIFT_ALONE: readonly Input[] = [
	"localDiff",
	"gh",
	"bells",
	"idle",
	"decisions",
	"ccUpdate",
	"fullStateDue",
];
const SERVICE_HEALTH_ALONE: readonly Input[] = [...DRIFT_ALONE, "drift"];
const REQUESTS_ALONE: readonly Input[] = [
	...SERVICE_HEALTH_ALONE,
	"serviceHealth",
];
const REPORTS_ROLL_ALONE: readonly Input[] = [...REQUESTS_ALONE, "requests"];

/** One source that speaks alone names the emit. The last row that matches wins. */
const ALONE: readonly ReasonRow[] = [
	{
		reason: "poll-cc-update",
		tag: "cc-update",
		when: "ccUpdate",
		noneOf: CC_UPDATE_ALONE,
	},
	{
		reason: "poll-component-drift",
		tag: "component-drift",
		when: "drift",
		noneOf: DRIFT_ALONE,
	},
	{
		reason: "poll-service-health",
		tag: "service-health",
		when: "serviceHealth",
		noneOf: SERVICE_HEALTH_ALONE,
	},
	{
		reason: "poll-requests",
		tag: "requests",
		when: "requests",
		noneOf: REQUESTS_ALONE,
	},
	{
		reason: "poll-reports-roll",
		tag: "reports-roll",
		when: "reportsRoll",
		noneOf: REPORTS_ROLL_ALONE,
	},
];

function reasonOf(has: Presence): { reason: EmitReason; tag?: string } {
	const alone = ALONE.findLast(
		({ when, noneOf }) => has[when] && !noneOf.some((other) => has[other]),
	);
	if (alone) return { reason: alone.reason, tag: alone.tag };
	if (has.localDiff || has.bells) return { reason: "poll" };
	if (has.fullStateDue && !has.gh && !has.idle)
		return { reason: "poll-full-state", tag: "full-state" };
	return { reason: "poll-resurface", tag: "resurface" };
}

function presence(i: EmitInputs): Presence {
	const says = (id: ReasonId) => (i[id] ?? "") !== "";
	return {
		localDiff: i.localDiff !== "",
		fullStateDue: i.fullStateDue,
		bells: i.bells.length > 0,
		gh: says("gh"),
		idle: says("idle"),
		decisions: says("decisions"),
		requests: says("requests"),
		ccUpdate: says("ccUpdate"),
		drift: says("drift"),
		serviceHealth: says("serviceHealth"),
		reportsRoll: says("reportsRoll"),
	};
}
