/** Brings a watcher back that died, and only one that died (contract 01 §16.3). */
import { gatherLiveness } from "../_liveness/liveness-facts.ts";
import { deadCutoff, livenessLimits } from "../_liveness/liveness-limits.ts";
import { confirmedVerdict } from "../_liveness/second-look.ts";
import { livenessVerdict, type Verdict } from "../_liveness/verdict.ts";
import {
	listWatcherGroups,
	watcherIdentity,
} from "../_liveness/watcher-process.ts";
import { appendRevive, readReviveHistory } from "../_state/revive-history.ts";
import type { Settings } from "../_state/settings.ts";
import { stopRequested } from "../_state/watcher-stop-requested.ts";
import { alarm } from "../_sys/bell.ts";
import type { Doors } from "../_sys/doors.ts";
import { fsGuardStep } from "../_sys/fs-guard.ts";
import { decideRestart, decideRevive, type Refrain } from "./_revive/decide.ts";
import { markRevived, restartThroughSvc } from "./_revive/restart.ts";
import { REFRAIN_EXIT, refrainText, restartText } from "./_revive/text.ts";

/** 0 nothing to do or revived, 3 revived too often, 4 the state dir takes no writes, 5 it is alive, else svc's exit code. */
export async function revive(
	doors: Doors,
	settings: Settings,
	say: (line: string) => void,
): Promise<number> {
	const { plan, verdict } = await planRevive(doors, settings);
	if (plan.kind !== "restart") {
		say(refrainText(plan, verdict));
		await ringFor(plan, doors, settings);
		return REFRAIN_EXIT[plan.kind];
	}
	const { home } = settings;
	appendRevive(doors.files, home.stateDir, doors.clock.now());
	markRevived(doors, home.stateDir, verdict);
	const { rc, said } = await restartThroughSvc(doors, home);
	if (said !== "") say(said);
	say(restartText(rc, verdict, home.codeRoot));
	return rc;
}

async function planRevive(
	doors: Doors,
	{ home, config }: Settings,
): Promise<{
	readonly plan: Refrain | { readonly kind: "restart" };
	readonly verdict: Verdict;
}> {
	const { files, clock, proc } = doors;
	const { stateDir } = home;
	const identity = watcherIdentity(files, stateDir, home.codeRoot);
	const interval = config["monitor.interval_seconds"];
	const floor = config["monitor.scheduler.async_timeout_floor_seconds"];
	const limits = livenessLimits(
		proc.env,
		interval,
		deadCutoff(interval, floor),
	);
	const groups = listWatcherGroups(doors, identity);
	const verdict = livenessVerdict(
		gatherLiveness(doors, stateDir, identity),
		limits,
	);
	const first = decideRevive({
		verdict,
		stopRequested: stopRequested(files, stateDir),
		writable: files.probeWritable(stateDir).kind === "ok",
		groups: groups.kind === "ok" ? groups.value : null,
	});
	if (first.kind !== "look-again") return { plan: first, verdict };
	const second = await confirmedVerdict(doors, stateDir, identity, limits);
	const plan = decideRestart({
		verdict: second.verdict,
		moved: second.moved,
		history: readReviveHistory(files, stateDir),
		now: clock.now(),
		loopLimit: config["monitor.watcher_supervisor.loop_limit"],
		loopWindowSeconds: config["monitor.watcher_supervisor.loop_window_seconds"],
	});
	return { plan, verdict: second.verdict };
}

/** Two of the reasons are for the operator, not only for the orchestrator. */
async function ringFor(
	plan: Refrain,
	doors: Doors,
	{ home, config }: Settings,
): Promise<void> {
	if (plan.kind === "loop")
		await alarm(
			doors.proc,
			`watcher: revived ${plan.count} times and does not stay up`,
		);
	if (plan.kind === "alarm")
		await fsGuardStep(
			doors,
			{
				dir: home.stateDir,
				root: home.root,
				throttleSeconds: config["monitor.rofs_alarm.throttle_seconds"],
			},
			"unknown",
		);
}
