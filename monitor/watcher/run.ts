/** One watcher, from its start to its end (contract 01 §2). `main.ts` runs it on real doors, the simulation on simulated ones. */
import { childEnv } from "../../config/watcher.ts";
import type { Doors } from "../_sys/doors.ts";
import type { ProcessEvents } from "../_sys/process-events.ts";
import { fleetDeps } from "../fleet-wiring.ts";
import { runOnce } from "./_loop/once.ts";
import { loopParts } from "./_loop/parts.ts";
import { runLoop } from "./_loop.ts";
import { registerTasks } from "./_scheduler/register.ts";
import { takeBaseline } from "./_snapshot_local.ts";
import { exitCleanup } from "./_startup/exit-cleanup.ts";
import { gatherFacts } from "./_startup/facts.ts";
import { PUBLISHING_STEPS, planStartup } from "./_startup/plan.ts";
import { endOnSignals, shutDownOnSignals } from "./_startup/process-end.ts";
import { startupSteps } from "./_startup/steps.ts";
import { carryOutRefusal, runSteps } from "./_startup.ts";
import { runStartupSweep } from "./_startup_sweep.ts";
import { assembleWatcher } from "./assembly.ts";
import { emitDeps, paneHands } from "./emit-wiring.ts";
import { gitHubWiring, saySetup } from "./github-wiring.ts";
import { respawnWiring } from "./respawn-wiring.ts";
import { watcherTasks } from "./tasks.ts";

export interface WatcherWorld {
	readonly doors: Doors;
	readonly events: ProcessEvents;
	/** The checkout that holds the programs. */
	readonly codeRoot: string;
}

/** Resolves to the exit code: 0 ended in order, 1 cannot start, 2 bad flag value, 3 watcher lock held, 4 instance lock held. */
export async function runWatcher(
	{ doors, events, codeRoot }: WatcherWorld,
	argv: readonly string[],
): Promise<number> {
	const cleanup = exitCleanup((error) => doors.log.warn(`at exit: ${error}`));
	endOnSignals(events, doors.log, cleanup);
	const gathered = await gatherFacts(doors, argv, codeRoot);
	const { home, loaded, configRoot } = gathered;
	const plan = planStartup(gathered.facts);
	if (plan.kind === "refused") return carryOutRefusal(doors, plan);
	if (loaded === null) throw new Error("a plan without a configuration");
	for (const line of loaded.warnings) doors.log.warn(line);
	events.exportEnv(childEnv(loaded.config, home.root, loaded.target));

	const watcher = assembleWatcher(doors, home, loaded.config, loaded.target);
	const { ctx, scheduler, hints } = watcher;
	const hands = paneHands(doors);
	const gitHub = gitHubWiring(ctx);
	const respawn = respawnWiring(doors, ctx, hands);
	const emit = emitDeps(hands, !plan.once, gitHub);
	const steps = startupSteps({
		...watcher,
		doors,
		cleanup,
		takeBaseline: () => takeBaseline(ctx, doors, scheduler.shutdownSignal),
		sweep: () => runStartupSweep(ctx, doors, emit),
	});
	const refusal = await runSteps(plan.steps, steps);
	if (refusal !== null) return carryOutRefusal(doors, refusal);

	shutDownOnSignals(events, doors.log, () => scheduler.requestShutdown());
	saySetup(doors, ctx);
	registerTasks(
		watcherTasks({
			emit,
			hands,
			gitHub,
			respawn,
			fleet: fleetDeps(doors, home, loaded.config, loaded.target),
		}),
		ctx,
		scheduler,
		doors.log,
	);
	if (plan.once) await runOnce(scheduler);
	else {
		const publishAgain = async () => {
			const refused = await runSteps(PUBLISHING_STEPS, steps);
			if (refused !== null) await carryOutRefusal(doors, refused);
			return refused === null;
		};
		const app = gitHub?.app ?? null;
		const world = { ...watcher, doors, configRoot, publishAgain, app };
		await runLoop(loopParts(world));
	}
	hints.stop();
	await Promise.all([scheduler.abortAll(), respawn.cancel()]);
	return 0;
}
