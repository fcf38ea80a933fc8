/** Case B, the rate-limit menu: waits for the reset, then wakes the workers and tells the orchestrator (contract 04 §8.4). */
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
import { readEpisode, writeEpisode } from "../../_state/unstick.ts";
import { headsUp } from "./headsup.ts";
import { planLimit } from "./limit-plan.ts";
import { note, type SeenPane, type UnstickPass } from "./pass.ts";
import { probeReset } from "./probe.ts";
import { limitPlace, wakeWorker } from "./wake-worker.ts";

const WAIT_LOG_SECONDS = 300;

/** Logs a menu that was not there before. No key: the limit may be far from over. */
export function onLimitMenu(pass: UnstickPass, pane: SeenPane): void {
	const { files } = pass.run.doors;
	const fp = menuFingerprint(pane.rows);
	const place = limitPlace(pass, pane);
	if (readEpisode(files, place).fingerprint === fp) return;
	writeEpisode(files, place, { fingerprint: fp, tries: 0 });
	note(pass, {
		window: pane.window,
		case: "B",
		action: "detected",
		fields: { fp },
	});
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
