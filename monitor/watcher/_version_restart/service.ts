/** A service whose launch script has changed on the disk (contract 06 §9.4). */
import { serviceSourceHash } from "../../_services/launch-token.ts";
import { restartService } from "../../_services/restart-service.ts";
import { supervisorState } from "../../_services/supervisor.ts";
import type { ServiceRow } from "../../_state/services-registry.ts";
import {
	lastRestartOf,
	readVersionRecord,
	serviceComponent,
	stampRestart,
} from "../../_state/version-record.ts";
import {
	adopt,
	ask,
	settledDrift,
	short,
	type VersionCheck,
} from "./component.ts";
import { decideService } from "./guards.ts";

/**
 * One that does not run is brought up to date by whoever starts it; one whose supervisor cannot be told is left
 * alone.
 */
export async function checkService(
	check: VersionCheck,
	row: ServiceRow,
): Promise<void> {
	const { run, place, now } = check;
	const { files } = run.doors;
	const { stateDir, config } = place;
	const source = serviceSourceHash(files, row);
	// Its command names no file: nobody can tell its version.
	if (source === null) return;
	const current = source.kind === "ok" ? source.hash : null;
	const component = serviceComponent(row.name);
	const supervisor = supervisorState(run.doors, stateDir, row);
	if (supervisor.kind === "unknown") return;
	if (supervisor.kind !== "alive") {
		// Whoever starts it next starts what is there.
		const { running } = readVersionRecord(files, stateDir, component);
		if (current !== null && running !== current)
			adopt(check, component, current);
		return;
	}
	const drifted = settledDrift(check, component, current);
	if (drifted === null || run.signal.aborted) return;
	const action = decideService(
		{
			now,
			lastRestartAt: lastRestartOf(files, stateDir, component),
			cooldownSeconds: config["monitor.version_restart.cooldown_seconds"],
		},
		config["monitor.version_restart.services"],
	);
	switch (action.kind) {
		case "later":
			check.sayOnce(`${component}: ${short(drifted.hash)}: ${action.why}`);
			return;
		case "ask":
			if (ask(check, component, drifted, { note: action.note }))
				adopt(check, component, drifted.hash);
			return;
		case "restart": {
			if (!stampRestart(files, stateDir, component)) return;
			const rc = await restartService(run, place, row.name, "version-restart");
			run.log(
				`${component}: restarted for ${short(drifted.hash)} (rc=${rc ?? "none"})`,
			);
			// Its launch has recorded what it found on the disk, which may be newer by now.
			const { running } = readVersionRecord(files, stateDir, component);
			if (rc === 0 && running === drifted.old)
				adopt(check, component, drifted.hash);
		}
	}
}
