/** Case W, a question dialog on a worker: handed on after its grace, never typed into (contract 04 §8.9). */
import { questionFingerprint } from "../../_pane/fingerprint.ts";
import {
	retireTombstone,
	surfaceDecision,
} from "../../_state/decision-surface.ts";
import {
	keepAudit,
	readSighting,
	type Sighting,
	unstickDir,
	unstickFile,
	writeSighting,
} from "../../_state/unstick.ts";
import {
	GAP_SECONDS,
	note,
	noteOnce,
	type SeenPane,
	type UnstickPass,
} from "./pass.ts";

/** What one sighting means. `since`: epoch seconds at which the episode began. */
export type QuestionStep =
	| { readonly kind: "first-seen" | "re-armed" | "restarted" }
	| { readonly kind: "wait" | "relay"; readonly since: number };

/** Pure. Out of sight for longer than the gap: it is another question with the same words. */
export function judgeQuestion(
	seen: Sighting | null,
	now: number,
	graceSeconds: number,
): QuestionStep {
	if (seen === null) return { kind: "first-seen" };
	if (now - seen.lastAt > GAP_SECONDS) return { kind: "re-armed" };
	const { since } = seen;
	if (since === null || since > now) return { kind: "restarted" };
	return { kind: now - since < graceSeconds ? "wait" : "relay", since };
}

/** A grace of 0 turns it off. A question that comes back after a pause is a new one. */
export function onWorkerQuestion(pass: UnstickPass, pane: SeenPane): void {
	const { run, ctx, now } = pass;
	const { files } = run.doors;
	const grace = ctx.config["monitor.watcher.worker_askuq_grace_seconds"];
	if (grace === 0) return;
	const { window } = pane;
	const { stateDir } = ctx;
	const fp = questionFingerprint(pane.screen);
	const place = { stateDir, window, dialog: "worker-askuq" } as const;
	const marker = unstickFile(place, `${fp}.first-seen`);
	const step = judgeQuestion(readSighting(files, marker), now, grace);
	const line = (action: string) => ({
		window,
		case: "W",
		action,
		fields: { fp },
	});
	files.mkdir(unstickDir(stateDir));
	writeSighting(files, marker, "since" in step ? step.since : now);
	switch (step.kind) {
		case "first-seen":
			note(pass, line("first-seen"));
			return;
		case "re-armed":
			note(pass, line("re-armed"));
			if (retireTombstone(files, stateDir, { window, fingerprint: fp }))
				note(pass, line("tombstone-retired"));
			return;
		case "restarted":
		case "wait":
			return;
	}
	const surfaced = surfaceDecision(run.doors, stateDir, {
		window,
		fingerprint: fp,
		kind: "blocked_question",
		promptExcerpt: questionExcerpt(pane.screen),
		toolContext: pane.rows.join("\n"),
	});
	if (surfaced === "silenced") noteOnce(pass, line("skip-tombstone"), fp);
	if (surfaced !== "written") return;
	keepAudit(files, place, fp, `${pane.rows.join("\n")}\n`);
	note(pass, line("relayed"));
}

/** The question, then its options. */
export function questionExcerpt(rows: readonly string[]): string {
	const question = rows.findLast((row) => /\?\s*$/.test(row))?.trim();
	const options = rows.filter((row) => /^\s*(?:❯\s+)?\d+\./.test(row));
	return [question ?? "A worker asks a question.", ...options].join("\n");
}
