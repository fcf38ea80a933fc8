/** Brings a watcher back that died, and only one that died (contract 01 §16.3). */

import { gatherLiveness } from "../_liveness/liveness-facts.ts";
import { deadCutoff, livenessLimits } from "../_liveness/liveness-limits.ts";
import { confirmedVerdict } from "../_liveness/second-look.ts";
import { monitorCommand } from "../_liveness/supervisor-text.ts";
import {
	type LivenessLimits,
	livenessVerdict,
	type Verdict,
} from "../_liveness/verdict.ts";
import {
	listWatcherGroups,
	type WatcherIdentity,
	watcherIdentity,
} from "../_liveness/watcher-process.ts";
import { appendRevive, readReviveHistory } from "../_state/revive-history.ts";
import type { Settings } from "../_state/settings.ts";
import { stopRequested } from "../_state/watcher-stop-requested.ts";
import { bell } from "../_sys/bell.ts";
import type { Doors } from "../_sys/doors.ts";
import { fsGuardStep } from "../_sys/fs-guard.ts";
import { programName } from "../_sys/names.ts";
import {
	decideRevive,
	type ReviveFacts,
	type RevivePlan,
} from "./_revive/decide.ts";
import { markRevived, restartThroughSvc } from "./_revive/restart.ts";

/**
 * 0 nothing to do or revived, 3 revived too often, 4 state dir not writable, 5 it is alive, else svc's exit code.
 * `say` prints a line for the orchestrator.
 */
export async function revive(
	doors: Doors,
	settings: Settings,
	say: (line: string) => void,
): Promise<number> {
	const { home, config } = settings;
	const interval = config["monitor.interval_seconds"];
	const limits = livenessLimits(
		doors.proc.env,
		interval,
		deadCutoff(
			interval,
			config["monitor.scheduler.async_timeout_floor_seconds"],
		),
	);
	const identity = watcherIdentity(doors.files, home.stateDir, home.codeRoot);
	const { plan, verdict } = await planRevive(doors, settings, identity, limits);
	switch (plan.kind) {
		case "nothing":
			say(NOTHING[plan.why]);
			return 0;
		case "alarm":
			say(`not revived: ${plan.why}`);
			await alarm(doors, settings);
			return 4;
		case "refuse-alive":
			say(
				`REFUSING to revive: a watcher is alive (process group ${plan.pgids.join(", ")}) and moved ${verdict.progressAge}s ago; only its heartbeat is late. Nothing was killed.`,
			);
			return 5;
		case "loop":
			say(
				`not revived: ${plan.count} revivals within ${config["monitor.watcher_supervisor.loop_window_seconds"]}s; the watcher does not stay up. Read ${programName("svc")} logs watcher.`,
			);
			await bell(
				doors.proc,
				`watcher: revived ${plan.count} times and does not stay up`,
			);
			return 3;
		case "look-again":
		case "restart":
			return restart(doors, settings, verdict, say);
	}
}

const NOTHING = {
	stopped: `the watcher was stopped on purpose; nothing done (\`${programName("svc")} start watcher\` starts it)`,
	alive: "the watcher is alive; nothing done",
	moved: "the watcher moved at the second look; nothing done",
} as const;

async function planRevive(
	doors: Doors,
	{ home, config }: Settings,
	identity: WatcherIdentity,
	limits: LivenessLimits,
): Promise<{ readonly plan: RevivePlan; readonly verdict: Verdict }> {
	const decide = (verdict: Verdict, moved: boolean | null): RevivePlan => {
		const groups = listWatcherGroups(doors, identity);
		const facts: ReviveFacts = {
			verdict,
			moved,
			stopRequested: stopRequested(doors.files, home.stateDir),
			writable: doors.files.probeWritable(home.stateDir).kind === "ok",
			groups: groups.kind === "ok" ? groups.value : null,
			history: readReviveHistory(doors.files, home.stateDir),
			now: doors.clock.now(),
			loopLimit: config["monitor.watcher_supervisor.loop_limit"],
			loopWindowSeconds:
				config["monitor.watcher_supervisor.loop_window_seconds"],
		};
		return decideRevive(facts);
	};
	const first = livenessVerdict(
		gatherLiveness(doors, home.stateDir, identity),
		limits,
	);
	const plan = decide(first, null);
	if (plan.kind !== "look-again") return { plan, verdict: first };
	const { verdict, moved } = await confirmedVerdict(
		doors,
		home.stateDir,
		identity,
		limits,
	);
	return { plan: decide(verdict, moved), verdict };
}

async function restart(
	doors: Doors,
	{ home }: Settings,
	verdict: Verdict,
	say: (line: string) => void,
): Promise<number> {
	const { files, clock } = doors;
	appendRevive(files, home.stateDir, clock.now());
	markRevived(doors, home.stateDir, verdict);
	const { rc, said } = await restartThroughSvc(doors, home);
	if (said !== "") say(said);
	say(
		rc === 0
			? [
					`revived: exactly ONE live watcher runs now (${verdict.reason}). Check it with ${programName("svc")} status.`,
					`Arm the supervisor again: ${monitorCommand(home.codeRoot)}`,
				].join("\n")
			: `NOT revived: svc restart watcher ended with ${rc}`,
	);
	return rc;
}

async function alarm(doors: Doors, { home, config }: Settings): Promise<void> {
	const throttleSeconds = config["monitor.rofs_alarm.throttle_seconds"];
	const place = { dir: home.stateDir, root: home.root, throttleSeconds };
	await fsGuardStep(doors, place, "unknown");
}
