/** Case D, a question dialog on the orchestrator: one Escape, and a word why (contract 04 §8.8). */
import { deliverText, lineEnd } from "../../_delivery/deliver-text.ts";
import { press } from "../../_delivery/press.ts";
import { DELIVERIES, DISMISS_QUESTION } from "../../_delivery/sequences.ts";
import { underPasteLock } from "../../_delivery/under-lock.ts";
import { questionFingerprint } from "../../_pane/fingerprint.ts";
import { mtimeOf } from "../../_state/peek.ts";
import {
	dropMark,
	hasMark,
	keepAudit,
	readEpisode,
	setMark,
	unstickFile,
	writeEpisode,
} from "../../_state/unstick.ts";
import type { PaneRow } from "../../_sys/doors.ts";
import {
	LOCK_MS,
	note,
	noteOnce,
	type SeenPane,
	type UnstickPass,
} from "./pass.ts";
import { questionDismissed } from "./texts.ts";

/** The question that stands was dismissed and explained; it is not done again. */
const FIRED = "fired";
/** The question was dismissed, and the orchestrator does not know yet why. */
const UNTOLD = "untold";
/** Later it is old news. */
const UNTOLD_SECONDS = 900;

/** Once a question, under the paste lock; the screen is kept as evidence first. */
export async function onTargetQuestion(
	pass: UnstickPass,
	pane: SeenPane,
): Promise<void> {
	const { run, ctx, hands } = pass;
	const { files } = run.doors;
	const fp = questionFingerprint(pane.screen);
	const place = placeOf(pass);
	if (readEpisode(files, place).fingerprint !== fp)
		dropMark(files, place, FIRED);
	writeEpisode(files, place, { fingerprint: fp, tries: 0 });
	const mode = ctx.config["monitor.watcher.on_dialog"];
	if (mode === "skip")
		return noteOnce(pass, line(pass, "skip-detected", fp), fp);
	if (mode === "error")
		return noteOnce(
			pass,
			{ ...line(pass, "detected-no-act", fp), warn: true },
			fp,
		);
	if (hasMark(files, place, FIRED))
		return noteOnce(pass, line(pass, "skip-fired", fp), fp);
	keepAudit(files, place, fp, `${pane.rows.join("\n")}\n`);
	const { signal } = run;
	const work = await underPasteLock(
		hands,
		pane.window,
		LOCK_MS,
		signal,
		async (row) => {
			const off = await press(
				hands,
				row,
				DISMISS_QUESTION,
				{ fingerprint: fp },
				{ signal },
			);
			if (off.kind === "pressed") {
				setMark(files, place, UNTOLD);
				return explain(pass, row, fp);
			}
			const why = off.kind === "aborted" ? off.kind : off.why;
			noteOnce(pass, line(pass, "escape-failed", fp, why), fp);
		},
	);
	if (work.kind !== "done")
		noteOnce(pass, line(pass, "escape-failed", fp, work.kind), fp);
}

/**
 * No question stands any more: the same one, asked again, is another dialog. An explanation that could not be delivered
 * is tried again.
 */
export async function noTargetQuestion(pass: UnstickPass): Promise<void> {
	const { run, hands, ctx } = pass;
	const { files } = run.doors;
	const place = placeOf(pass);
	if (hasMark(files, place, FIRED)) dropMark(files, place, FIRED);
	const since = mtimeOf(files, unstickFile(place, UNTOLD));
	if (since === null) return;
	if (pass.now - since > UNTOLD_SECONDS) return dropMark(files, place, UNTOLD);
	const fp = readEpisode(files, place).fingerprint ?? "";
	await underPasteLock(hands, ctx.target, LOCK_MS, run.signal, (row) =>
		explain(pass, row, fp),
	);
}

async function explain(
	pass: UnstickPass,
	row: PaneRow,
	fp: string,
): Promise<void> {
	const { run, hands, ctx } = pass;
	const { files } = run.doors;
	const end = lineEnd(
		await deliverText(hands, row, {
			window: ctx.target,
			text: questionDismissed(),
			role: DELIVERIES.S6.role,
			signal: run.signal,
		}),
	);
	if (end.kind !== "ok")
		return noteOnce(pass, line(pass, "meta-paste-failed", fp, end.why), fp);
	const place = placeOf(pass);
	dropMark(files, place, UNTOLD);
	setMark(files, place, FIRED);
	note(pass, line(pass, "dismissed-and-pasted", fp));
}

function placeOf({ ctx }: UnstickPass) {
	const { stateDir, target: window } = ctx;
	return { stateDir, window, dialog: "askuq" } as const;
}

function line(
	{ ctx }: UnstickPass,
	action: string,
	fp: string,
	reason?: string,
) {
	const fields = { fp, ...(reason !== undefined && { reason }) };
	return { window: ctx.target, case: "D", action, fields };
}
