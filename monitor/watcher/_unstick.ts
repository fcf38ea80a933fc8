/** `detect_unstick`: answers the dialogs that hold unattended panes up, or hands them on (contract 04 §8). */
import type { TextDeps } from "../_delivery/deliver-text.ts";
import {
	dangerMarker,
	type PermissionPrompt,
	permissionPrompt,
	shownText,
} from "../_pane/permission.ts";
import { classifyPane, type Refusal } from "../_pane/unstick-case.ts";
import { vetoOf } from "../_pane/veto.ts";
import { clearEpisode, readEpisode } from "../_state/unstick.ts";
import { readProvenance } from "../_state/window-provenance.ts";
import { checkAck } from "./_unstick/ack.ts";
import { onPermission } from "./_unstick/case-a.ts";
import { actRateLimit, endEpisode, onLimitMenu } from "./_unstick/case-b.ts";
import { noTargetQuestion, onTargetQuestion } from "./_unstick/case-d.ts";
import { onWorkerQuestion } from "./_unstick/case-w.ts";
import { retryHeadsUp } from "./_unstick/headsup.ts";
import { finishLeftoverOf } from "./_unstick/leftover.ts";
import type { SeenPane, UnstickMemory, UnstickPass } from "./_unstick/pass.ts";
import { refusePrompt } from "./_unstick/refuse.ts";
import { observeCredentials, takeEvent } from "./_unstick/reset-event.ts";
import {
	mayBeHeldUp,
	panesOf,
	unpaintedWaits,
	withHistory,
} from "./_unstick/seen-panes.ts";
import { onStartDialog } from "./_unstick/startup.ts";
import type {
	TaskResult,
	TaskRun,
	TaskSpec,
	WatcherContext,
} from "./context.ts";

export interface UnstickDeps {
	/** What types into panes, on the doors of one run. */
	readonly hands: (ctx: WatcherContext, run: TaskRun) => TextDeps;
	/** Pulls the holds of usage limits to now; the number of rows changed. */
	readonly expedite: (
		ctx: WatcherContext,
		run: TaskRun,
		source: string,
	) => number;
}

/** Every 10 s, a pane at a time; what was said once is remembered as long as the process lives. */
export function detectUnstickTask(deps: UnstickDeps): TaskSpec {
	return {
		name: "detect_unstick",
		intervalSeconds: () => 10,
		class: "medium",
		async: true,
		enabled: (config) => config["monitor.watcher.auto_unstick"],
		make: (ctx) => {
			const memory: UnstickMemory = { told: new Map(), unpainted: new Set() };
			return (run) =>
				unstickPass(
					{
						run,
						ctx,
						hands: deps.hands(ctx, run),
						memory,
						now: run.doors.clock.now(),
					},
					ctx,
					(source) => deps.expedite(ctx, run, source),
				);
		},
	};
}

async function unstickPass(
	pass: UnstickPass,
	{
		fleetThisTick,
		scheduler,
	}: Pick<WatcherContext, "fleetThisTick" | "scheduler">,
	expedite: (source: string) => number,
): Promise<TaskResult> {
	const { run, ctx } = pass;
	const sweep = await fleetThisTick();
	// Without tmux nothing is taken from the disk either: it would be lost.
	if (sweep.kind !== "ok") return { rc: 1 };
	const waits = new Set(unpaintedWaits(sweep));
	// We were woken by the session's word, which comes before its dialog.
	if (!waits.isSubsetOf(pass.memory.unpainted))
		scheduler.override("detect_unstick", 2, 6);
	pass.memory.unpainted = waits;
	checkAck(pass);
	await retryHeadsUp(pass);
	observeCredentials(pass);
	const event = takeEvent(pass, expedite);
	const skip = run.doors.proc.env.WATCHER_WINDOW ?? "watcher";
	const atLimit: SeenPane[] = [];
	for (const pane of panesOf(sweep, { target: ctx.target, skip })) {
		if (run.signal.aborted) return { rc: 1 };
		if (await attend(pass, pane)) atLimit.push(pane);
	}
	if (atLimit.length > 0) await actRateLimit(pass, atLimit, event);
	else endEpisode(pass);
	return { rc: run.signal.aborted ? 1 : 0 };
}

/** True: it stands at the rate-limit menu. */
async function attend(pass: UnstickPass, seen: SeenPane): Promise<boolean> {
	await finishLeftoverOf(pass, seen.window);
	if (seen.overlay === null) await nothingUp(pass, seen);
	if (!mayBeHeldUp(seen)) return false;
	const pane = await withHistory(pass.hands, seen, pass.run.signal);
	if (pane === null) return false;
	if (permissionPrompt(pane.rows) === null) forgetPermission(pass, pane);
	const found = classifyPane({
		...pane,
		refusal: (prompt) => refusalOf(pass, pane, prompt),
	});
	switch (found?.kind) {
		case "S":
			await onStartDialog(pass, pane, found.overlay);
			return false;
		case "A-refuse":
			refusePrompt(pass, pane, found.prompt, found.why);
			return false;
		case "A":
			await onPermission(pass, pane, found.prompt);
			return false;
		case "B":
			onLimitMenu(pass, pane);
			return true;
		case "D":
			await onTargetQuestion(pass, pane);
			return false;
		case "W":
			onWorkerQuestion(pass, pane);
			return false;
		case undefined:
			return false;
	}
}

/** No dialog is live, whatever the text quotes: what was remembered of the last one is over. */
async function nothingUp(pass: UnstickPass, pane: SeenPane): Promise<void> {
	forgetPermission(pass, pane);
	if (pane.isTarget) await noTargetQuestion(pass);
}

/** All prompts with two options share a fingerprint: without this the third one of a window would never be answered. */
function forgetPermission({ run, ctx }: UnstickPass, pane: SeenPane): void {
	const { stateDir } = ctx;
	const { window } = pane;
	const place = { stateDir, window, dialog: "permission" } as const;
	if (readEpisode(run.doors.files, place).fingerprint !== null)
		clearEpisode(run.doors.files, place);
}

/** Row 1 of the contract's table: an arm that refuses comes before every arm that presses. A quoted prompt asks nobody. */
function refusalOf(
	{ run, ctx }: UnstickPass,
	{ window, claudePid, overlay }: SeenPane,
	prompt: PermissionPrompt,
): Refusal | null {
	if (overlay === null) return null;
	const marker = dangerMarker(prompt);
	if (marker !== null) return { verdict: "danger", marker };
	const { files, proc } = run.doors;
	const cwd = claudePid === null ? null : proc.cwd(claudePid);
	const workTree =
		readProvenance(files, ctx.stateDir, window)?.workdir ||
		(cwd?.kind === "ok" ? cwd.value : null);
	const pattern = vetoOf(
		shownText(prompt),
		ctx.config["monitor.watcher.permission_veto"],
		{ workTree, tempDirs: tempDirs(proc.env) },
	);
	return pattern === null ? null : { verdict: "veto", pattern };
}

function tempDirs(env: Readonly<Record<string, string | undefined>>) {
	const dirs = ["/tmp", "/var/tmp", env.TMPDIR ?? ""];
	return dirs.map((d) => d.replace(/\/+$/, "")).filter((d) => d.length > 1);
}
