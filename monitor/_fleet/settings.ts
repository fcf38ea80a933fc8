/** What the fleet is told by the configuration (contract 09 §2.4). */
import { CONFIG_KEYS } from "../../config/schema.ts";
import type { BackendName } from "./fleet.ts";

export interface FleetSettings {
	readonly backend: BackendName | "auto";
	readonly thrumBin: string;
	/** Cadence of the jobs; 0 = off. */
	readonly tickSeconds: number;
	readonly runTimeoutSeconds: number;
	readonly messageLimitBytes: number;
	readonly nudge: boolean;
	readonly stabilityGapSeconds: number;
	/** Command line by runtime, with `{model}` and `{effort}`. */
	readonly runtimes: Readonly<Record<string, string>>;
	/** Name of the orchestrator's window. */
	readonly targetWindow: string;
}

/** The keys of the configuration that are read. */
export interface FleetConfig {
	readonly "monitor.fleet.backend": BackendName | "auto";
	readonly "monitor.fleet.thrum_bin": string;
	readonly "monitor.fleet.tick_seconds": number;
	readonly "monitor.fleet.run_timeout_seconds": number;
	readonly "monitor.fleet.message_limit_bytes": number;
	readonly "monitor.fleet.nudge": boolean;
	readonly "monitor.fleet.stability_gap_seconds": number;
	readonly "monitor.fleet.runtimes.<rt>.command": Readonly<
		Record<string, string>
	>;
	readonly "monitor.target_window": string;
}

/** The keys of `monitor.fleet.*` in the shape that the adapters take. */
export function fleetSettings(config: FleetConfig): FleetSettings {
	return {
		backend: config["monitor.fleet.backend"],
		thrumBin: config["monitor.fleet.thrum_bin"],
		tickSeconds: config["monitor.fleet.tick_seconds"],
		runTimeoutSeconds: config["monitor.fleet.run_timeout_seconds"],
		messageLimitBytes: config["monitor.fleet.message_limit_bytes"],
		nudge: config["monitor.fleet.nudge"],
		stabilityGapSeconds: config["monitor.fleet.stability_gap_seconds"],
		runtimes: config["monitor.fleet.runtimes.<rt>.command"],
		targetWindow: config["monitor.target_window"],
	};
}

/** For a copy that reads no file: what it would get wrong by the defaults, as its environment. */
export function copyEnv(
	settings: FleetSettings,
): Readonly<Record<string, string>> {
	const told = [
		["monitor.fleet.backend", settings.backend],
		["monitor.fleet.thrum_bin", settings.thrumBin],
		["monitor.fleet.stability_gap_seconds", settings.stabilityGapSeconds],
		["monitor.target_window", settings.targetWindow],
	] as const;
	return Object.fromEntries(
		told.flatMap(([key, value]) => {
			const { env, default: usual } = CONFIG_KEYS[key];
			return value === usual ? [] : [[env, String(value)]];
		}),
	);
}
