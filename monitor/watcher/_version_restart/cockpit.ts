/** The cockpit's window is a person's: its restart is asked for (contract 06 §9.4). */
import { lastRestartOf, stampRestart } from "../../_state/version-record.ts";
import { resolveActivePane } from "../../_sys/tmux-lookup.ts";
import {
	adopt,
	ask,
	settledDrift,
	short,
	type VersionCheck,
} from "./component.ts";
import { coolingDown } from "./guards.ts";

const COCKPIT = "cockpit";

/**
 * Asks once for each new state of the code, and not oftener than the cooldown; without a window there is nothing to
 * ask for.
 */
export async function checkCockpit(
	check: VersionCheck,
	current: string | null,
): Promise<void> {
	const drifted = settledDrift(check, COCKPIT, current);
	if (drifted === null) return;
	const { run, place, now } = check;
	const { files } = run.doors;
	const { stateDir, config } = place;
	const cooling = coolingDown({
		now,
		lastRestartAt: lastRestartOf(files, stateDir, COCKPIT),
		cooldownSeconds: config["monitor.version_restart.cooldown_seconds"],
	});
	if (cooling?.kind === "later") {
		check.sayOnce(`${COCKPIT}: ${short(drifted.hash)}: ${cooling.why}`);
		return;
	}
	const window = config["monitor.cockpit_window"];
	const found = resolveActivePane(await place.panesThisTick(), window);
	if (found.kind === "could-not-look") return;
	if (found.kind === "present") {
		const { windowId, server } = found.value;
		const tmuxServer = `${server.pid}:${server.startTime}`;
		if (!ask(check, COCKPIT, drifted, { window, windowId, tmuxServer })) return;
	}
	adopt(check, COCKPIT, drifted.hash);
	stampRestart(files, stateDir, COCKPIT);
}
