/** Case B, the rate-limit menu: waits for the reset, then wakes the workers and tells the orchestrator (contract 04 §8.4). */
import { deliverText, lineEnd } from "../../_delivery/deliver-text.ts";
import { press } from "../../_delivery/press.ts";
import { DELIVERIES, DISMISS_LIMIT_MENU } from "../../_delivery/sequences.ts";
import { underPasteLock } from "../../_delivery/under-lock.ts";
import { menuFingerprint } from "../../_pane/fingerprint.ts";
import {
	dropLimitReset,
	readCascade,
	readLastWait,
	readLimitReset,
	writeCascade,
	writeLastWait,
	writeLimitReset,
	writePendingHeadsup,
} from "../../_state/ratelimit-episode.ts";
import { resetInstant } from "../../_state/reset-token.ts";
import { keepAudit, readEpisode, writeEpisode } from "../../_state/unstick.ts";
import { capturedRows } from "./captured-rows.ts";
import { headsUp } from "./headsup.ts";
import { stampKeys } from "./ledger.ts";
import { planLimit } from "./limit-plan.ts";
import { LOCK_MS, note, type SeenPane, type UnstickPass } from "./pass.ts";
import { probeReset } from "./probe.ts";
import { continueBrief } from "./texts.ts";

const WAIT_LOG_SECONDS = 300;

/** Logs a menu that was not there before. No key: the limit may be far from over. */
export function onLimitMenu(pass: UnstickPass, pane: SeenPane): void {
	const { files } = pass.run.doors;
	const fp = menuFingerprint(pane.rows);
	const place = placeOf(pass, pane);
	if (readEpisode(files, place).fingerprint === fp) return;
	writeEpisode(files, place, { fingerprint: fp, tries: 0 });
	note(pass, line(pane, "detected", { fp }));
}

/** `panes`: all that stand at the menu; `event`: what proved that the limit is over. */
export async function actRateLimit(
	pass: UnstickPass,
	panes: readonly SeenPane[],
	event: string | null,
): Promise<void> {
	const { run, ctx, now } = pass;
	const { files } = run.doors;
	const { stateDir, config } = ctx;
	if (readCascade(files, stateDir) !== null && event === null) return;
	const known = readLimitReset(files, stateDir);
	const plan = planLimit({
		known,
		event,
		probed: known === null && event === null ? await probe(pass) : null,
		shown: shownReset(pass, panes),
		now,
		heuristicMinutes: config["monitor.watcher.ratelimit_heuristic_minutes"],
	});
	for (const { action, fields } of plan.notes)
		note(pass, { window: null, case: "B", action, fields });
	writeLimitReset(files, stateDir, plan.reset);
	if (!plan.isDue) return logWaiting(pass, plan.reset.at);
	const woken: string[] = [];
	for (const pane of panes) {
		if (pane.isTarget) continue;
		if (run.signal.aborted) return;
		if (await wakeWorker(pass, pane, event)) woken.push(pane.window);
	}
	if (run.signal.aborted) return;
	await tellOrchestrator(pass, woken, event);
	dropLimitReset(files, stateDir);
	note(pass, {
		window: null,
		case: "B",
		action: "cascade-complete",
		fields: {
			unstuck: woken.length,
			total_windows: panes.length,
			target: ctx.target,
		},
	});
}

/** A reset that is left over would fire the next episode in the second it is detected. */
export function endEpisode(pass: UnstickPass): void {
	const { run, ctx, now } = pass;
	const { files } = run.doors;
	const reset = readLimitReset(files, ctx.stateDir);
	if (reset === null || readCascade(files, ctx.stateDir) !== null) return;
	if (reset.at !== null && reset.at > now) return;
	dropLimitReset(files, ctx.stateDir);
	note(pass, { window: null, case: "B", action: "episode-ended" });
}

async function tellOrchestrator(
	pass: UnstickPass,
	windows: readonly string[],
	event: string | null,
): Promise<void> {
	const { run, ctx, now } = pass;
	const { files } = run.doors;
	const told = await headsUp(pass, windows.length, windows, event);
	if (told !== "deferred") return writeCascade(files, ctx.stateDir, now);
	writePendingHeadsup(files, ctx.stateDir, {
		at: now,
		woken: windows.length,
		windows,
	});
}

/** S4. True: it was told to go on. */
async function wakeWorker(
	pass: UnstickPass,
	pane: SeenPane,
	event: string | null,
): Promise<boolean> {
	const { hands, run } = pass;
	const { signal } = run;
	const work = await underPasteLock(
		hands,
		pane.window,
		LOCK_MS,
		signal,
		async (row) => {
			const rows = (await capturedRows(hands, row, signal)) ?? pane.rows;
			const fp = menuFingerprint(rows);
			const place = placeOf(pass, pane);
			keepAudit(run.doors.files, place, fp, `${rows.join("\n")}\n`);
			const off = await press(hands, row, DISMISS_LIMIT_MENU, null, {
				limitMs: pass.ctx.config.UNSTICK_DISMISS_VERIFY_S * 1000,
				signal,
			});
			if (off.kind === "refused") return refused(off.why, "before-dismiss");
			if (off.kind !== "pressed") return refused(off.kind);
			if (!off.isDone) return refused("dismiss-unverified");
			stampKeys(pass, pane, DELIVERIES.S4.ledger);
			const end = lineEnd(
				await deliverText(hands, row, {
					window: pane.window,
					text: continueBrief(event),
					role: DELIVERIES.S4.role,
					signal,
				}),
			);
			if (end.kind === "deferred")
				return refused("operator-draft", "after-dismiss");
			if (end.kind === "failed") return refused(end.why);
			writeEpisode(run.doors.files, place, { fingerprint: fp, tries: 1 });
			return { fp, outcome: end.unconfirmed };
		},
	);
	const end = work.kind === "done" ? work.value : refused(work.kind);
	if ("reason" in end) {
		note(pass, line(pane, "cascade-refused", { ...end }));
		return false;
	}
	const { fp, outcome } = end;
	note(
		pass,
		line(pane, "cascade-resumed", {
			fp,
			...(outcome !== null && { outcome: `unconfirmed:${outcome}` }),
		}),
	);
	return true;
}

interface Refused {
	readonly reason: string;
	readonly stage?: string;
}

/** Only of a draft it matters when it was found. */
function refused(reason: string, stage?: string): Refused {
	return reason === "operator-draft" && stage !== undefined
		? { reason, stage }
		: { reason };
}

function probe({ run, ctx }: UnstickPass): Promise<number | null> {
	const { config } = ctx;
	return probeReset(
		run.doors,
		{
			enabled: config["monitor.watcher.ratelimit_probe"],
			apiKey: config.ANTHROPIC_API_KEY,
			model: config["monitor.watcher.probe_model"],
		},
		run.signal,
	);
}

/** The latest that a notice names: all are woken together. */
function shownReset(
	{ ctx, now }: UnstickPass,
	panes: readonly SeenPane[],
): number | null {
	const resets = panes.flatMap(({ resetToken }) => {
		const reset = resetToken === null ? null : resetInstant(resetToken, now);
		return reset?.kind === "known" ? [reset.at] : [];
	});
	const margin = ctx.config["monitor.over_limit.wake_margin_seconds"];
	return resets.length === 0 ? null : Math.max(...resets) + margin;
}

function logWaiting(pass: UnstickPass, reset: number): void {
	const { run, ctx, now } = pass;
	const last = readLastWait(run.doors.files, ctx.stateDir);
	if (last !== null && last <= now && now - last < WAIT_LOG_SECONDS) return;
	writeLastWait(run.doors.files, ctx.stateDir, now);
	note(pass, {
		window: null,
		case: "B",
		action: "waiting",
		fields: { reset, remaining_s: reset - now },
	});
}

function placeOf({ ctx }: UnstickPass, { window }: SeenPane) {
	return { stateDir: ctx.stateDir, window, dialog: "ratelimit" } as const;
}

function line(
	{ window }: SeenPane,
	action: string,
	fields: Readonly<Record<string, string>>,
) {
	return { window, case: "B", action, fields };
}
