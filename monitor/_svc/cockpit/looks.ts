/** All that the cockpit looks at, each look on its own and never twice at once, and what it saw last. */
import type { Settings } from "../../_state/settings.ts";
import type { Doors } from "../../_sys/doors.ts";
import { type CoreFacts, gatherCore } from "./facts.ts";
import { type FleetFacts, gatherFleet } from "./fleet-facts.ts";
import { type ServicesWatch, watchServices } from "./services-watch.ts";

export interface CockpitLooks {
	readonly services: ServicesWatch;
	/** Null: not seen yet. */
	core(): CoreFacts | null;
	fleet(): FleetFacts | null;
	/** Starts every look that does not run already; returns at once. */
	refresh(): void;
}

/** `onNews`: something was seen. `onFailure`: a look broke off, which is told and changes nothing. */
export function cockpitLooks(
	doors: Doors,
	settings: Settings,
	signal: AbortSignal,
	hear: {
		readonly onNews: () => void;
		readonly onFailure: (why: string) => void;
	},
): CockpitLooks {
	const { config } = settings;
	const services = watchServices(doors, settings, signal, hear);
	let core: CoreFacts | null = null;
	let fleet: FleetFacts | null = null;
	const lookAtCore = oneAtATime(hear, async () => {
		core = await gatherCore(doors, settings);
	});
	const lookAtFleet = oneAtATime(hear, async () => {
		const noWorkers = new Set([
			...services.rows().map(({ name }) => name),
			config["monitor.services_window"],
		]);
		fleet = await gatherFleet(doors, settings, noWorkers, signal);
	});
	return {
		services,
		core: () => core,
		fleet: () => fleet,
		refresh: () => {
			services.refresh();
			lookAtCore();
			lookAtFleet();
		},
	};
}

/** A look that is asked for again while it runs is not started again. */
export function oneAtATime(
	hear: {
		readonly onNews: () => void;
		readonly onFailure: (why: string) => void;
	},
	look: () => Promise<void>,
): () => void {
	let isRunning = false;
	return () => {
		if (isRunning) return;
		isRunning = true;
		look()
			.catch((error) => hear.onFailure(String(error)))
			.finally(() => {
				isRunning = false;
				hear.onNews();
			});
	};
}
