/** One look at all workers: gathered, judged, nothing written. What sweep, counts and snapshot have in common. */
import type { EmitPlace } from "../../_emit/place.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { Moment } from "./facts.ts";
import { gatherWorkers } from "./gather.ts";
import { type IdleSettings, idleSettings } from "./settings.ts";
import { probeWorker, type WorkerVerdict } from "./worker.ts";

export type ProbePlace = Pick<
	EmitPlace,
	"root" | "stateDir" | "target" | "config" | "fleetThisTick" | "windowEventLog"
>;

export interface LookOptions {
	readonly afterGap: boolean;
	readonly signal?: AbortSignal;
	/** How old the picture of the fleet may be. */
	readonly maxAgeMs?: number;
}

export type WorkersLook =
	| {
			readonly kind: "ok";
			readonly workers: readonly WorkerVerdict[];
			readonly moment: Moment;
			readonly settings: IdleSettings;
	  }
	| { readonly kind: "failed"; readonly why: string };

/** `maxAgeMs`: how old a sweep of the panes may be to be used again. */
export async function lookAtWorkers(
	doors: Doors,
	place: ProbePlace,
	{ afterGap, signal, maxAgeMs }: LookOptions,
): Promise<WorkersLook> {
	const settings = idleSettings(place.config);
	const sweep = await place.fleetThisTick(maxAgeMs);
	const gathered = gatherWorkers(
		doors,
		{
			root: place.root,
			stateDir: place.stateDir,
			windowEventLog: place.windowEventLog,
			target: place.target,
			servicesWindow: place.config["monitor.services_window"],
			reportMinBytes: settings.reportMinBytes,
		},
		sweep,
		signal,
	);
	if (gathered.kind !== "ok") return gathered;
	const moment = { now: doors.clock.now(), afterGap };
	const workers = gathered.workers.map((facts) =>
		probeWorker(facts, moment, settings),
	);
	return { kind: "ok", workers, moment, settings };
}
