/** From a classifier's answer to what happens (contract 09 §13). Pure: it never approves, and everything uncertain notifies. */

export const CLASSES = [
	"active_permission_prompt",
	"blocking_user_question_tui",
	"ordinary",
	"failed_or_ambiguous_capture",
] as const;
export type WatchClass = (typeof CLASSES)[number];
export type Probabilities = Readonly<Partial<Record<WatchClass, number>>>;

/** As it came; nothing of it is trusted. */
export interface Answer {
	readonly choice: unknown;
	readonly confidence: unknown;
	readonly probabilities: unknown;
}
export interface Meta {
	readonly captureRc: number;
	/** What kept the classifier from answering, or from being asked; it wins over any answer. */
	readonly error?: string;
	/** Of the error. */
	readonly category?: string;
	readonly provider?: string;
}
export interface Decision {
	readonly agent: string;
	readonly class: WatchClass | null;
	readonly confidence: number | null;
	readonly status: "ok" | "fail_open";
	readonly route: "notify_watcher" | "archive_only";
	readonly reason: string;
	readonly category: string | null;
	readonly provider: string | null;
}

const SURE = 0.8;
const MOST_OF_ANOTHER = 0.2;
const SLACK = 0.1;

/**
 * `fail_open`: a capture that failed, no answer, or one whose figures do not add up. Only a sure `ordinary` keeps
 * quiet.
 */
export function routeDecision(
	row: { readonly agent: string },
	answer: Answer | null,
	meta: Meta,
): Decision {
	const label = answer?.choice;
	const known = isWatchClass(label) ? label : null;
	const confidence =
		typeof answer?.confidence === "number" ? answer.confidence : null;
	const base = {
		agent: row.agent,
		class: known,
		confidence,
		category: meta.category ?? null,
		provider: meta.provider ?? null,
	};
	const failOpen = (reason: string): Decision => ({
		...base,
		status: "fail_open",
		route: "notify_watcher",
		reason,
	});
	if (meta.error !== undefined) return failOpen(meta.error);
	if (meta.captureRc !== 0) return failOpen("capture_rc_nonzero");
	if (known === null) return failOpen("invalid_or_missing_class");
	const probabilities = answer?.probabilities;
	if (!isWhole(probabilities)) return failOpen("missing_class_probability");
	if (!validDistribution(known, confidence, probabilities))
		return failOpen("invalid_probability_distribution");
	if (known !== "ordinary")
		return { ...base, status: "ok", route: "notify_watcher", reason: known };
	const others = CLASSES.filter((one) => one !== "ordinary");
	const isSure =
		confidence !== null &&
		confidence >= SURE &&
		others.every((one) => (probabilities[one] ?? 1) <= MOST_OF_ANOTHER);
	if (!isSure) return failOpen("ordinary_low_confidence");
	return {
		...base,
		status: "ok",
		route: "archive_only",
		reason: "confident_ordinary",
	};
}

/** Every value finite in [0, 1], together about 1, the chosen one the largest, the confidence about its own. */
export function validDistribution(
	label: WatchClass,
	confidence: number | null,
	probabilities: Probabilities,
): boolean {
	const all = CLASSES.map((one) => probabilities[one] ?? Number.NaN);
	const own = probabilities[label] ?? Number.NaN;
	const sum = all.reduce((a, b) => a + b, 0);
	const isShare = (p: number) => p >= 0 && p <= 1;
	return (
		all.every(isShare) &&
		confidence !== null &&
		isShare(confidence) &&
		within(sum, 1) &&
		own === Math.max(...all) &&
		within(confidence, own)
	);
}

/** The two classes in which somebody stands still until he is answered. */
export function isWakeClass(label: WatchClass | null): boolean {
	return (
		label === "active_permission_prompt" ||
		label === "blocking_user_question_tui"
	);
}

/** Narrows what a provider answered. */
export function isWatchClass(label: unknown): label is WatchClass {
	return CLASSES.some((one) => one === label);
}

/** All four are there, as numbers; what is none may still be no share. */
function isWhole(value: unknown): value is Record<WatchClass, number> {
	if (typeof value !== "object" || value === null) return false;
	const all = new Map(Object.entries(value));
	return CLASSES.every((one) => typeof all.get(one) === "number");
}

/** 0.9 and 0.8 are 0.1 apart, whatever binary fractions make of it. */
function within(a: number, b: number): boolean {
	return Math.abs(a - b) <= SLACK + 1e-9;
}
