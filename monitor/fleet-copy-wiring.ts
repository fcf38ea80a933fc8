/** The fleet of an installed copy: found from where the copy lies, told by the environment alone (contract 09 §2.3). */
import { dirname } from "node:path";
import { resolveConfig } from "../config/resolve.ts";
import { failureText } from "./_fleet/failure.ts";
import type { Fleet } from "./_fleet/fleet.ts";
import { keylessEnv } from "./_fleet/jev/keys.ts";
import { openFleet } from "./_fleet/open.ts";
import { type FleetPlace, findPlace } from "./_fleet/paths.ts";
import type { FleetSettings } from "./_fleet/settings.ts";
import { fleetTmuxEnv } from "./_fleet/tmux-env.ts";
import { resolveHome } from "./_state/home.ts";
import { readWatcherTarget } from "./_state/watcher-target.ts";
import type { Doors } from "./_sys/doors.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { fleetDeps } from "./fleet-wiring.ts";

export type CopyPlace =
	| { readonly kind: "ok"; readonly place: FleetPlace }
	| { readonly kind: "none"; readonly why: string };
export type CopyFleet =
	| {
			readonly kind: "ok";
			readonly fleet: Fleet;
			readonly settings: FleetSettings;
	  }
	| { readonly kind: "none"; readonly why: string };

/** What a copy runs is told neither whose session it was started in, nor a key that only the copy itself needs. */
export function copyDoors(logPrefix: string): Doors {
	const tmuxEnv = (env: Doors["proc"]["env"]) => fleetTmuxEnv(keylessEnv(env));
	return realDoors({ logPrefix, tmuxEnv, childEnv: keylessEnv });
}

/** From the copy's own folder upwards, never from the caller's. */
export async function findCopyPlace(
	doors: Doors,
	ownDir: string,
): Promise<CopyPlace> {
	const found = await findPlace(doors, ownDir);
	return found.kind === "ok"
		? { kind: "ok", place: found.value }
		: { kind: "none", why: failureText(found) };
}

/** A bad value in the environment warns and counts as none. */
export async function openCopyFleet(
	doors: Doors,
	place: FleetPlace,
): Promise<CopyFleet> {
	const { env } = doors.proc;
	// Without NEXUS_ROOT the project is the folder that the fleet's files lie in.
	const project = dirname(place.thrumDir);
	const home = resolveHome(env, project, project, doors.files);
	const resolved = resolveConfig({}, env, {
		root: home.root,
		home: env.HOME ?? "/",
	});
	for (const { key, env: name, got } of resolved.warnings)
		if (key.startsWith("monitor.fleet."))
			doors.log.warn(`${name ?? key}: ${got ?? "its value"} is not used`);
	const { config } = resolved;
	// The watcher says which window it pastes into; the configuration that named it is not read here.
	const told =
		config.source("monitor.target_window") === "env"
			? null
			: readWatcherTarget(doors.files, home.stateDir);
	const target = told ?? config["monitor.target_window"];
	const deps = fleetDeps(doors, home, config, target);
	const opened = await openFleet(deps, place);
	return opened.kind === "ok"
		? { kind: "ok", fleet: opened.value.fleet, settings: deps.settings }
		: { kind: "none", why: failureText(opened) };
}
