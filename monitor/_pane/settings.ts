/** What the pane reader is told, beside the pane (contract 03 §17). Values in seconds. */
import { DEFAULT_HORIZONS, type Horizons } from "./heartbeat.ts";
import { DEFAULT_STAMP_TTL_SECONDS } from "./stamp.ts";

export interface ReaderSettings {
	readonly horizons: Horizons;
	/** `NEXUS_PANE_BOOT_GRACE_SECONDS`; 0 = a pane without claude is never "still starting". */
	readonly bootGrace: number;
	/** `MONITOR_OVER_LIMIT_STAMP_TTL_SECONDS`. */
	readonly stampTtl: number;
	/** Name of the orchestrator's window: its own heartbeat stands in for a worker's. */
	readonly targetWindow: string;
}

export const DEFAULT_SETTINGS: ReaderSettings = {
	horizons: DEFAULT_HORIZONS,
	bootGrace: 90,
	stampTtl: DEFAULT_STAMP_TTL_SECONDS,
	targetWindow: "orchestrator",
};

/** Keys of the configuration that the reader obeys. */
export interface ReaderConfig {
	readonly "monitor.target_window": string;
	readonly "monitor.heartbeat_staleness_seconds": number;
	readonly "monitor.heartbeat_turn_end_staleness_seconds": number;
	readonly NEXUS_PANE_BOOT_GRACE_SECONDS: number;
	readonly MONITOR_OVER_LIMIT_STAMP_TTL_SECONDS: number;
}

/** Horizons that have no key are constants of the contract. */
export function readerSettings(config: ReaderConfig): ReaderSettings {
	return {
		horizons: {
			...DEFAULT_HORIZONS,
			heartbeat: config["monitor.heartbeat_staleness_seconds"],
			turnEnd: config["monitor.heartbeat_turn_end_staleness_seconds"],
		},
		bootGrace: config.NEXUS_PANE_BOOT_GRACE_SECONDS,
		stampTtl: config.MONITOR_OVER_LIMIT_STAMP_TTL_SECONDS,
		targetWindow: config["monitor.target_window"],
	};
}
