/** Brings a whole stack back, from nothing or from what is left of it (contract 06 §5). Safe to repeat: what runs is left alone. */
import { preflight } from "../_liveness/preflight.ts";
import { readActionLog } from "../_state/action-log.ts";
import { engagedWindows } from "../_state/engaged-windows.ts";
import { lastSnapshotPath, parseSnapshot } from "../_state/last-snapshot.ts";
import { peekState } from "../_state/peek.ts";
import {
	REGISTRY_UNREADABLE_EXIT,
	type RegistryResult,
} from "../_state/services-registry.ts";
import { registryOf } from "./cockpit/facts.ts";
import type { RecoverContext } from "./recover/context.ts";
import { dropWorkers, takeFreshStart } from "./recover/intent.ts";
import { recoverOrchestrator } from "./recover/orchestrator.ts";
import type { RecoveryPlan } from "./recover/plan.ts";
import { recoverServices } from "./recover/services.ts";
import { recoverWatcher } from "./recover/watcher.ts";
import {
	LIFE_EVENTS,
	resumeWorkers,
	selectWorkers,
	type WorkerPick,
} from "./recover/workers.ts";

type Plan = Extract<RecoveryPlan, { kind: "go" }>;

/** 0; 1 unusable configuration; 3 another instance owns the root; 79 the registry cannot be read. One failure of a service or worker is told, never fatal. */
export async function recover(
	{ doors, settings }: Pick<RecoverContext, "doors" | "settings">,
	{ steps, dryRun, stopsTakenBack }: Plan,
): Promise<0 | 1 | 3 | 79> {
	const { log } = doors;
	const { home, config, problems } = settings;
	for (const line of problems) log.warn(line);
	if (problems.length > 0) return 1;
	const refusal = dryRun
		? []
		: preflight(
				doors,
				home,
				config["monitor.instance_heartbeat_staleness_seconds"],
			);
	for (const line of refusal) log.warn(line);
	if (refusal.length > 0) return 3;
	if (!dryRun) doors.files.mkdir(home.stateDir);

	const ctx: RecoverContext = { doors, settings, dryRun, stopsTakenBack };
	const does = (step: Plan["steps"][number]) => steps.includes(step);
	const ttl = config["monitor.operator_engaged_change_ttl_seconds"];
	const engaged = does("engaged")
		? engagedWindows(doors, home.stateDir, ttl)
		: new Set<string>();
	const registry = registryOf(doors, settings);
	const fresh = does("workers") && takeFreshStart(ctx);
	const picks = does("workers") ? pickWorkers(ctx, registry, engaged) : [];

	const mayAgentsStart = !does("watcher") || (await recoverWatcher(ctx));
	if (does("orchestrator") && mayAgentsStart)
		await recoverOrchestrator(ctx, reasonOf(fresh, picks));
	if (does("services")) await recoverServices(ctx, registry);
	if (!mayAgentsStart)
		log.warn(
			"orchestrator and workers: none is started while the launcher refuses",
		);
	else if (fresh) {
		log.info("workers: a fresh start was asked for; none is resumed");
		dropWorkers(ctx);
	} else if (does("workers")) await resumeWorkers(ctx, picks);
	return does("services") && registry.kind === "unreadable"
		? REGISTRY_UNREADABLE_EXIT
		: 0;
}

/** What a new orchestrator is told; of a fresh start also which workers it will not find. Pure. */
export function reasonOf(fresh: boolean, picks: readonly WorkerPick[]): string {
	const dropped = picks.flatMap((p) => (p.kind === "pick" ? [p.window] : []));
	return fresh && dropped.length > 0
		? `cold recovery, fresh as asked; workers that ran before and were not resumed: ${dropped.join(", ")}`
		: "cold recovery: no window of the orchestrator was there";
}

/** Decided before anything is started: a watcher that starts writes a snapshot of its own. */
function pickWorkers(
	{ doors, settings }: RecoverContext,
	registry: RegistryResult,
	engaged: ReadonlySet<string>,
): readonly WorkerPick[] {
	const { files, log } = doors;
	const { stateDir } = settings.home;
	const none = (why: string) => {
		log.warn(`workers: none is resumed: ${why}`);
		return [];
	};
	// The names would be missing, and every service's window would look like a dead worker.
	if (registry.kind === "unreadable")
		return none("the registry is not readable");
	const snapshot = peekState(files, lastSnapshotPath(stateDir), parseSnapshot);
	if (snapshot.kind === "absent") return [];
	if (snapshot.kind !== "ok") return none(`the snapshot is ${snapshot.kind}`);
	const events = readActionLog(doors, stateDir, LIFE_EVENTS);
	if (events === null) return none("the action log could not be read");
	const { config } = settings;
	const rows = registry.kind === "rows" ? registry.rows : [];
	return selectWorkers(snapshot.value, events, engaged, {
		house: new Set([
			"watcher",
			config["monitor.target_window"],
			config["monitor.services_window"],
			config["monitor.cockpit_window"],
		]),
		services: new Set(rows.map((row) => row.name)),
	});
}
