/** The ladder (contract 03 §9.2): witnesses in, one verdict out. Pure. */
import { absenceDoor } from "./absence.ts";
import type { Answer, Rung, Verdict } from "./answer.ts";
import { refineIdle } from "./idle.ts";
import { overlayOfWaiting } from "./session.ts";
import {
	factsOf,
	heartbeatSays,
	liveClaude,
	type Witnesses,
} from "./witnesses.ts";

/** First rung whose condition holds; the last one always does. */
export function classify(w: Witnesses): Verdict {
	for (const rung of LADDER) {
		const answer = rung.answer(w);
		if (answer !== null) return { rung, answer };
	}
	return { rung: LAST, answer: unreadableBox(w) };
}

/** Every rung that matches, the deciding one first: for `--explain`. */
export function matchingRungs(w: Witnesses): readonly Verdict[] {
	return [...LADDER, LAST].flatMap((rung) => {
		const answer = rung.answer(w);
		return answer === null ? [] : [{ rung, answer }];
	});
}

/**
 * Why this order: dialogs before the stamp, so that the rate-limit menu is still dismissed; dialogs
 * before the box, because option rows carry a chevron too; a draft shows whatever the turn does; a
 * suggestion is refined like an empty box, for one cosmetic frame must not make live children vanish.
 */
const LADDER: readonly Rung[] = [
	{ n: 1, rule: "no live claude in the pane's tree", answer: livenessGate },
	{ n: 2, rule: "a live dialog on the screen", answer: dialogOnScreen },
	{ n: 3, rule: "session file blocked", answer: sessionBlocked },
	{ n: 4, rule: "session file or heartbeat busy", answer: saidBusy },
	{ n: 5, rule: "heartbeat blocked", answer: heartbeatBlocked },
	{ n: 6, rule: "no captured text", answer: noText },
	{ n: 7, rule: "a valid over-limit stamp", answer: stamped },
	{ n: 8, rule: "a limit notice, not contradicted", answer: limitOnScreen },
	{ n: 9, rule: "no box, queue placeholder", answer: queuedWithoutBox },
	{ n: 10, rule: "no box, live turn", answer: turnWithoutBox },
	{ n: 11, rule: "no box, live claude", answer: noBoxYet },
	{ n: 12, rule: "no box", answer: noBox },
	{ n: 13, rule: "nothing typed, queue placeholder", answer: queued },
	{ n: 14, rule: "text in the box", answer: typed },
	{ n: 15, rule: "live turn", answer: liveTurn },
	{ n: 16, rule: "a suggestion in the box", answer: ghost },
	{ n: 17, rule: "an empty box", answer: blank },
];
const LAST: Rung = {
	n: 18,
	rule: "a box that could not be read",
	answer: (w) => (inputOf(w) === "?" ? unreadableBox(w) : null),
};

/** Number and rule of every rung, in their order: what a page about them is made of. */
export const LADDER_RULES: readonly Pick<Rung, "n" | "rule">[] = [
	...LADDER,
	LAST,
];

function livenessGate(w: Witnesses): Answer | null {
	const isGone = w.process.kind === "seen" && w.process.live === "no";
	return isGone || w.paneDead ? absence(w, "liveness-gate") : null;
}

function dialogOnScreen(w: Witnesses): Answer | null {
	const overlay = factsOf(w)?.overlay;
	if (!overlay) return null;
	return {
		state: "blocked",
		witness: "screen",
		why: rowText(w, overlay.row),
		overlay: overlay.kind,
	};
}

function sessionBlocked({ session }: Witnesses): Answer | null {
	if (session.says !== "blocked") return null;
	return {
		state: "blocked",
		witness: "session",
		why: `waiting for ${session.waitingFor ?? "nothing named"}`,
		overlay: overlayOfWaiting(session.waitingFor),
	};
}

function saidBusy(w: Witnesses): Answer | null {
	const bySession = w.session.says === "busy";
	if (!bySession && heartbeatSays(w) !== "busy") return null;
	const witness = bySession ? "session" : "heartbeat";
	if (inputOf(w) === "typed")
		return { state: "user-typing", witness: "screen", why: boxRow(w) };
	return { state: "busy", witness, why: w[witness].why };
}

function heartbeatBlocked(w: Witnesses): Answer | null {
	if (heartbeatSays(w) !== "blocked") return null;
	return { state: "blocked", witness: "heartbeat", why: w.heartbeat.why };
}

function noText(w: Witnesses): Answer | null {
	if (w.capture.kind === "ok") return null;
	const { says } = w.session;
	if (says === "idle" || says === "shell")
		return {
			state: says === "idle" ? "idle" : "working-background",
			witness: "session",
			why: w.session.why,
			...(says === "shell" ? { shells: w.shells } : {}),
		};
	if (heartbeatSays(w) === "idle")
		return { state: "idle", witness: "heartbeat", why: w.heartbeat.why };
	return absence(w, "empty-capture");
}

function stamped({ stamp }: Witnesses): Answer | null {
	if (stamp.kind !== "valid") return null;
	const { resetAt, flavour, words, why } = stamp;
	const limit = { resetAt, flavour, words };
	return { state: "over-limit", witness: "stamp", why, limit };
}

function limitOnScreen(w: Witnesses): Answer | null {
	const notice = factsOf(w)?.limit;
	if (!notice || notice.contradictedBy !== null) return null;
	const { resetAt, flavour, words } = notice;
	return {
		state: "over-limit",
		witness: "screen",
		why: rowText(w, notice.row),
		limit: { resetAt, flavour, words },
	};
}

function queuedWithoutBox(w: Witnesses): Answer | null {
	return inputOf(w) === null ? queueAnswer(w) : null;
}

function turnWithoutBox(w: Witnesses): Answer | null {
	return inputOf(w) === null ? turnAnswer(w) : null;
}

function noBoxYet(w: Witnesses): Answer | null {
	if (inputOf(w) !== null || liveClaude(w) !== "yes") return null;
	return { state: "empty", witness: "process", why: "claude lives" };
}

function noBox(w: Witnesses): Answer | null {
	return inputOf(w) === null ? absence(w, "renderer-no-input-row") : null;
}

function queued(w: Witnesses): Answer | null {
	return inputOf(w) === "typed" ? null : queueAnswer(w);
}

function typed(w: Witnesses): Answer | null {
	if (inputOf(w) !== "typed") return null;
	return { state: "user-typing", witness: "screen", why: boxRow(w) };
}

/** A live session file outranks what the screen shows of the turn. */
function liveTurn(w: Witnesses): Answer | null {
	const { says } = w.session;
	return says === "idle" || says === "shell" ? null : turnAnswer(w);
}

function ghost(w: Witnesses): Answer | null {
	if (inputOf(w) !== "ghost") return null;
	const idle = idleAnswer(w);
	return idle.state === "idle" ? { ...idle, state: "autosuggest-only" } : idle;
}

function blank(w: Witnesses): Answer | null {
	return inputOf(w) === "blank" ? idleAnswer(w) : null;
}

function unreadableBox(w: Witnesses): Answer {
	return { state: "empty", witness: "screen", why: boxRow(w) };
}

function idleAnswer(w: Witnesses): Answer {
	const { evidence, ...idle } = { evidence: boxRow(w), ...refineIdle(w) };
	const witness =
		w.session.says === "idle" || w.session.says === "shell"
			? "session"
			: heartbeatSays(w) === "idle"
				? "heartbeat"
				: "screen";
	const shells = "shells" in idle ? idle.shells : null;
	return {
		state: idle.state,
		witness,
		why: evidence,
		...("orphanKinds" in idle ? { orphanKinds: idle.orphanKinds } : {}),
		...(shells ? { shells } : {}),
	};
}

function queueAnswer(w: Witnesses): Answer | null {
	const row = factsOf(w)?.activity.queue ?? null;
	if (row === null) return null;
	return { state: "busy", witness: "screen", why: rowText(w, row) };
}

function turnAnswer(w: Witnesses): Answer | null {
	const turn = factsOf(w)?.activity.turn[0];
	if (turn === undefined) return null;
	return { state: "busy", witness: "screen", why: rowText(w, turn.row) };
}

function absence(w: Witnesses, site: string): Answer {
	const answer = absenceDoor(w);
	return answer.state === "absent"
		? { ...answer, witness: "process", why: answer.evidence }
		: { ...answer, witness: "process", why: answer.reason, site };
}

function inputOf(w: Witnesses) {
	return factsOf(w)?.composer?.input ?? null;
}

function boxRow(w: Witnesses): string {
	const row = factsOf(w)?.screen.box?.row;
	return row === undefined ? "" : rowText(w, row);
}

function rowText(w: Witnesses, row: number): string {
	return factsOf(w)?.screen.grid.rows[row]?.text ?? "";
}
