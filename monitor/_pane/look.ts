/** A look at one pane now: one capture, the process tree and the session file (contract 03, 04 §5). */
import type { TmuxFailure } from "../_sys/doors.ts";
import { dialogView } from "./dialog.ts";
import { rowTexts } from "./facts.ts";
import { paneAssertsDead } from "./gates.ts";
import {
	captureWitness,
	gatherWitnesses,
	type PaneToRead,
	type ReaderDeps,
} from "./gather.ts";
import { processView } from "./process.ts";
import { judgePane, type PaneReport } from "./report.ts";
import type { LookAt, LookResult, PaneLook } from "./types.ts";
import { factsOf, isStopped, liveClaude } from "./witnesses.ts";
import { makeWordLog } from "./word-log.ts";

/**
 * The pane reader for delivery. `gone` needs positive evidence; a capture that failed, a process
 * table that shows nothing, or death that is not provable is `unreadable`: doubt never pastes.
 */
export function makeLookAt(deps: ReaderDeps): LookAt {
	const noteWord = makeWordLog(deps.doors.log);
	return async (pane, signal) => {
		const { tmux, proc } = deps.doors;
		const shot = await tmux.capture(pane.paneId, { escapes: true }, signal);
		if (shot.kind !== "ok") return lostPane(deps, pane, shot, signal);
		const capture = captureWitness(shot.stdout, pane.width);
		const view = processView(proc);
		const witnesses = gatherWitnesses(deps, view, pane, capture);
		noteWord(witnesses.session);
		return resultOf(judgePane(targetOf(pane), witnesses));
	};
}

/** Which window a line speaks of. */
export function targetOf(pane: PaneToRead) {
	return {
		active: pane.windowActive ?? false,
		window: pane.windowIndex,
		name: pane.windowName,
	};
}

function resultOf(report: PaneReport): LookResult {
	const { answer } = report.verdict;
	if (paneAssertsDead(answer.state))
		return { kind: "gone", evidence: answer.evidence ?? "absent" };
	const claude = liveClaude(report.witnesses);
	if (claude !== "yes")
		return {
			kind: "unreadable",
			reason: answer.reason ?? "no claude could be seen under the pane",
			...(claude === "no" && { isForeign: true }),
		};
	if (isStopped(report.witnesses))
		return {
			kind: "unreadable",
			reason: "its claude is suspended",
			isStopped: true,
		};
	return { kind: "ok", look: lookOf(report) };
}

function lookOf({ witnesses, verdict, line }: PaneReport): PaneLook {
	const facts = factsOf(witnesses);
	const { answer } = verdict;
	return {
		state: answer.state,
		input: facts?.composer?.input ?? null,
		overlay: answer.overlay ?? facts?.overlay?.kind ?? null,
		menu: facts?.menu !== null && facts !== null,
		menuSelected: facts?.menu?.selected ?? null,
		queued: (facts?.activity.queue ?? null) !== null,
		composer: facts?.composer ?? null,
		dialog: facts && dialogView(rowTexts(facts), facts.overlay?.kind ?? null),
		line,
		sessionId: witnesses.session.sessionId,
	};
}

/** The capture failed: only tmux's own word that the pane is no more makes it gone. */
async function lostPane(
	{ doors }: ReaderDeps,
	pane: PaneToRead,
	failure: TmuxFailure,
	signal: AbortSignal | undefined,
): Promise<LookResult> {
	const reason =
		failure.kind === "failed" ? failure.stderr : `tmux: ${failure.kind}`;
	if (failure.kind !== "failed") return { kind: "unreadable", reason };
	const exists = await doors.tmux.exists(pane.paneId, signal);
	return exists === "no"
		? { kind: "gone", evidence: "pane-not-listed" }
		: { kind: "unreadable", reason };
}
