/** `orchestrator_liveness`: does the orchestrator answer what it is given? One that does not is prodded once, then replaced (contract 04 §16). */
import type { WatcherConfig } from "../../config/watcher.ts";
import { freshSpawnAt } from "../_state/orchestrator-fresh-spawn.ts";
import { peekLastPaste } from "../_state/orchestrator-last-paste.ts";
import { readPin, touchPin } from "../_state/orchestrator-session-id.ts";
import {
	ORCHESTRATOR_STAMPS,
	orchestratorStampPath,
} from "../_state/orchestrator-stamps.ts";
import {
	clearEpisodeMarkers,
	markResubmit,
	markUnresponsive,
	readEpisodeMarkers,
	readIdleOverrides,
	writeIdleOverrides,
} from "../_state/orchestrator-unresponsive.ts";
import { readLeftover } from "../_state/paste-leftover.ts";
import { mtimeOf } from "../_state/peek.ts";
import { readRespawnHistory } from "../_state/respawn-history.ts";
import { targetPresence } from "../_sys/tmux-panes.ts";
import {
	gateRespawn,
	type Liveness,
	type LivenessLimits,
	livenessLine,
	verdict,
} from "./_orchestrator_liveness/decide.ts";
import { operatorHold } from "./_orchestrator_liveness/failed-turn.ts";
import {
	idlePaneGuard,
	isSomebodysDraft,
} from "./_orchestrator_liveness/guard.ts";
import type { LivenessHands } from "./_orchestrator_liveness/hands.ts";
import {
	SILENT,
	throttleLiveness,
} from "./_orchestrator_liveness/log-throttle.ts";
import { tracesOf, witnessed } from "./_orchestrator_liveness/witnesses.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

/** After a clock gap. */
const SUSPICIOUS_SECONDS = 3600;

/** Every 5 s, and only while the target is there: an absent one is `target_window`'s. */
export function orchestratorLivenessTask(hands: LivenessHands): TaskSpec {
	return {
		name: "orchestrator_liveness",
		intervalSeconds: () => 5,
		class: "cheap",
		async: false,
		enabled: (c) => c["monitor.orchestrator_fresh_spawn_enabled"],
		make: (ctx) => {
			const step = livenessStep(ctx, hands);
			const throttle =
				ctx.config["monitor.watcher.liveness_log_throttle_seconds"];
			let said = SILENT;
			return async (run) => {
				const rows = await ctx.panesThisTick();
				if (targetPresence(rows, ctx.target) !== 0) return { rc: 0 };
				const decided = await step(run);
				if (decided === null) return { rc: 0 };
				const now = run.doors.clock.now();
				const { memory, line } = throttleLiveness(said, decided, now, throttle);
				said = memory;
				if (line !== null) run.log(`orchestrator liveness: ${line}`);
				act(ctx, hands, run, decided);
				return { rc: 0 };
			};
		},
	};
}

/** One judgement, with what must be remembered from look to look. Null: nothing is judged now. */
function livenessStep(ctx: WatcherContext, hands: LivenessHands) {
	const { stateDir, config } = ctx;
	const limits = livenessLimits(config);
	const hold = operatorHold(ctx);
	let gapEndedAt: number | null = null;
	let streak = 0;
	return async (run: TaskRun): Promise<Liveness | null> => {
		const { files, clock } = run.doors;
		const now = clock.now();
		if (run.afterGap) gapEndedAt = now;
		const pin = readPin(files, stateDir);
		const transcripts = pin === null ? [] : hands.transcripts(pin);
		const stale = config["monitor.orchestrator_stale_seconds"];
		if (transcripts.some((p) => isFresher(mtimeOf(files, p), now, stale)))
			touchPin(files, stateDir);
		const history = readRespawnHistory(files, stateDir) ?? [];
		if (history.some((at) => isFresher(at, now, stale))) return null;
		const facts = {
			now,
			gapEndedAt,
			afterGap: run.afterGap,
			lastPaste: peekLastPaste(files, stateDir),
			signals: [
				...ORCHESTRATOR_STAMPS.map((s) => orchestratorStampPath(stateDir, s)),
				...tracesOf(transcripts),
			].map((path) => mtimeOf(files, path)),
			...readEpisodeMarkers(files, stateDir),
		};
		const seen = await witnessed(hands, run, pin, facts, limits);
		const decided = hold(run, pin, seen);
		const gated = gateRespawn(decided, {
			now,
			streak,
			lastSpawnAt: freshSpawnAt(files, stateDir),
			cooldownSeconds:
				config["monitor.orchestrator_fresh_spawn_cooldown_seconds"],
			isSuspicious:
				gapEndedAt !== null && now - gapEndedAt < SUSPICIOUS_SECONDS,
		});
		const isVerdict = gated.word === "respawn" || gated.reason === "confirming";
		streak = isVerdict ? streak + 1 : 0;
		return guarded(ctx, hands, run, gated);
	};
}

/** Keeps the episode's markers, and lets an idle pane veto, and one into which somebody types. */
async function guarded(
	{ stateDir, config, target }: WatcherContext,
	hands: LivenessHands,
	run: TaskRun,
	decided: Liveness,
): Promise<Liveness> {
	const { files } = run.doors;
	if (decided.word === "waiting") markUnresponsive(files, stateDir);
	if (decided.word === "healthy") {
		clearEpisodeMarkers(files, stateDir);
		writeIdleOverrides(files, stateDir, 0);
	}
	if (decided.word !== "respawn") return decided;
	const overrides = readIdleOverrides(files, stateDir);
	const max = config["monitor.watcher.idle_pane_override_max"];
	const seen = await hands.lookAtTarget(run);
	if (isSomebodysDraft(seen, readLeftover(files, stateDir, target) !== null)) {
		clearEpisodeMarkers(files, stateDir);
		return verdict("healthy", "somebody-types", livenessLine(decided));
	}
	if (idlePaneGuard(decided, seen, overrides, max) !== "suppress") {
		writeIdleOverrides(files, stateDir, 0);
		return decided;
	}
	writeIdleOverrides(files, stateDir, overrides + 1);
	clearEpisodeMarkers(files, stateDir);
	return verdict(
		"healthy",
		"idle-pane-override",
		`${overrides + 1}/${max} (${livenessLine(decided)})`,
	);
}

function act(
	{ stateDir }: WatcherContext,
	hands: LivenessHands,
	run: TaskRun,
	decided: Liveness,
): void {
	const { files } = run.doors;
	if (decided.word === "resubmit") {
		// First, so that a rescue that hangs is not begun again. Without it nothing is pasted.
		if (markResubmit(files, stateDir).kind === "ok") hands.rescue();
	}
	if (decided.word !== "respawn") return;
	if (hands.replace(run, livenessLine(decided)))
		clearEpisodeMarkers(files, stateDir);
	else run.log("orchestrator liveness: a respawn runs already");
}

function livenessLimits(c: WatcherConfig): LivenessLimits {
	return {
		grace: c["monitor.watcher.paste_response_grace_seconds"],
		unstick: c["monitor.watcher.unstick_window_seconds"],
		ceiling: c["monitor.watcher.stale_paste_ceiling_seconds"],
		dead: c.deadThreshold.seconds,
	};
}

/** Younger than `seconds`; a time further ahead than that is not credible. */
function isFresher(at: number | null, now: number, seconds: number): boolean {
	return at !== null && Math.abs(now - at) < seconds;
}
