/** Joins what replaces an orchestrator that is wedged: situation report, respawn, and what is told again. */
import type { Config } from "../../config/schema.ts";
import type { PasteDeps } from "../_delivery/paste-to-target.ts";
import { monitorCommand } from "../_liveness/supervisor-text.ts";
import type { Home } from "../_state/home.ts";
import { resetDeliveryState } from "../_state/requests-emit.ts";
import { bell } from "../_sys/bell.ts";
import type { Doors } from "../_sys/doors.ts";
import {
	chooseResumeMode,
	type RespawnDeps,
	type RespawnRequest,
	respawnOrchestrator,
	respawnSettings,
} from "./_respawn.ts";
import { type RespawnRun, respawnFlight } from "./_respawn_async.ts";
import { type FreshSpawnRequest, spawnFresh } from "./_spawn_fresh.ts";
import type { WatcherContext } from "./context.ts";
import type { PaneHands } from "./emit-wiring.ts";

export type Place = Pick<WatcherContext, "target"> &
	Home & { readonly config: Config };

/** A replacement by hand, from a process of its own: it stands in the record of respawns, so that the watcher begins none beside it. */
export async function replaceOnce(
	doors: Doors,
	place: Place,
	handsOf: PaneHands,
	request: FreshSpawnRequest,
): Promise<number> {
	const flight = respawnFlight(doors, place.stateDir);
	const started = flight.launch((run) =>
		replaceOrchestrator(
			place,
			respawnDeps(place, handsOf(place, run), run),
			request,
		),
	);
	if (started !== 0) {
		doors.log.warn(
			started === 1
				? "a respawn runs already; nothing was done"
				: "the respawn could not be written down; nothing was done",
		);
		return 1;
	}
	await flight.settled();
	return flight.reap() ?? 1;
}

/** Replaces a wedged orchestrator unless `veto` says why not, and lets what was delivered to the old one be told again. */
export async function replaceOrchestrator(
	place: Place,
	deps: RespawnDeps & { readonly signal?: AbortSignal },
	request: FreshSpawnRequest,
	veto?: RespawnRequest["veto"],
): Promise<number> {
	const { doors, home } = deps;
	const rc = await spawnFresh(
		{
			doors,
			home,
			configuredTarget: place.target,
			armCommand: monitorCommand(place.codeRoot),
			chooseMode: () => chooseResumeMode(doors, home),
			respawn: (target, mode, promptFile) =>
				respawnOrchestrator(deps, {
					target,
					mode,
					promptFile,
					signal: deps.signal,
					forceReplace: true,
					veto,
					streakStart: 0,
				}),
		},
		request,
	);
	if (rc === 0 || rc === 4) await resetDeliveryState(doors, home.stateDir);
	return rc;
}

/** The same run. It rings when the new window stands: before that a draft, or an answer, may still stop the replacement. */
export function ringsWhenReplaced(run: RespawnRun, reason: string): RespawnRun {
	return {
		...run,
		onStage: (stage) => {
			run.onStage(stage);
			if (stage.kind === "spawned")
				void bell(run.doors.proc, `the orchestrator is replaced: ${reason}`);
		},
	};
}

/** For one respawn: its doors are the flight's, which can be taken away. */
export function respawnDeps(
	place: Omit<Place, "target">,
	hands: PasteDeps,
	run: RespawnRun,
): RespawnDeps & { readonly signal: AbortSignal } {
	const { root, stateDir, codeRoot } = place;
	return {
		...hands,
		doors: run.doors,
		home: { root, stateDir, codeRoot },
		settings: respawnSettings(place.config),
		onStage: run.onStage,
		signal: run.signal,
	};
}
