/**
 * Does the operator himself work in this window? (contract 03 §12.3) A submitted prompt is attributed once: to us, to the
 * agent, or to him. What the pane shows never makes a mark; it only keeps one alive. Pure.
 */
import type { PaneStateName } from "../../_pane/types.ts";
import type { OperatorMark } from "../../_state/operator-engaged.ts";
import type { PaneChange } from "../../_state/pane-change.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { WorkerFacts } from "./facts.ts";
import type { IdleSettings } from "./settings.ts";

export interface Observed {
	readonly mark: OperatorMark;
	readonly change: PaneChange | null;
	/** A prompt of ours that was attributed now; epoch seconds. */
	readonly machineSubmit: number | null;
}

/** The mark as it is from now on, and what moved it; epoch seconds. */
export function observe(
	f: WorkerFacts,
	now: number,
	cfg: IdleSettings,
): Observed {
	const change = changeClock(f, now);
	const attributed = attribute(f, change, now, cfg);
	const works =
		WORKS.has(f.pane.state) && isFresh(attributed.mark, f, now, cfg);
	const mark = works ? { ...attributed.mark, last: now } : attributed.mark;
	return { ...attributed, mark, change };
}

/** States in which a turn or its children are at work. Somebody who merely types has not changed anything yet. */
const WORKS: ReadonlySet<PaneStateName> = new Set<PaneStateName>([
	"busy",
	"working-background",
	"working-self-paced",
]);

/** When the transcript last said something new. Without a digest a working pane counts as moving. */
function changeClock(
	{ pane, change }: WorkerFacts,
	now: number,
): PaneChange | null {
	if (pane.contentHash !== null)
		return change?.hash === pane.contentHash
			? change
			: { hash: pane.contentHash, at: now };
	return WORKS.has(pane.state) ? { hash: change?.hash ?? "", at: now } : change;
}

function attribute(
	f: WorkerFacts,
	change: PaneChange | null,
	now: number,
	cfg: IdleSettings,
): Omit<Observed, "change"> {
	const { mark, prompt } = f;
	const age = ageSeconds(now, prompt?.at, cfg.changeTtl);
	if (prompt === null || age === null || prompt.at <= mark.promptSeen)
		return { mark, machineSubmit: null };
	const seen = { ...mark, promptSeen: prompt.at };
	if (isOurs(f, prompt.at, now, cfg))
		return {
			mark: {
				since: 0,
				last: 0,
				promptSeen: prompt.at,
				src: "machine",
				reminded: 0,
			},
			machineSubmit: prompt.at,
		};
	if (prompt.sessionId !== null && prompt.sessionId === f.ownSessionId)
		return { mark: seen, machineSubmit: null };
	if (change !== null && change.at >= prompt.at - cfg.changeTtl) {
		const refreshed = isFresh(mark, f, now, cfg)
			? { ...seen, last: Math.max(mark.last, prompt.at) }
			: seeded(f, prompt.at);
		return { mark: refreshed, machineSubmit: null };
	}
	// A stamp that nothing ever followed is a phantom; until it is old enough the screen may still follow.
	return { mark: age > cfg.changeTtl ? seen : mark, machineSubmit: null };
}

/** Our own input came shortly before the submit, or after it. One from the future, after a clock that stepped back, claims no submit. */
function isOurs(
	f: WorkerFacts,
	promptAt: number,
	now: number,
	{ inputSlack }: IdleSettings,
): boolean {
	const ours = [f.machineInputAt, f.events.pastedAt, f.events.spawnAt];
	return ours.some(
		(at) =>
			at !== null &&
			ageSeconds(now, at, inputSlack) !== null &&
			at >= promptAt - inputSlack,
	);
}

function seeded({ events }: WorkerFacts, at: number): OperatorMark {
	const afterWrap = events.wrapUp !== null && events.wrapUp.at < at;
	return {
		since: at,
		last: at,
		promptSeen: at,
		src: afterWrap ? "submit-after-wrap" : "submit",
		reminded: 0,
	};
}

function isFresh(
	mark: OperatorMark,
	{ events }: WorkerFacts,
	now: number,
	cfg: IdleSettings,
): boolean {
	const age = ageSeconds(now, mark.last || null, cfg.engagedGrace);
	return (
		mark.since > 0 &&
		age !== null &&
		age <= cfg.engagedGrace &&
		mark.since >= (events.engagedDoneAt ?? 0)
	);
}
