/** Starts a watcher where none is left: steps 7 to 15 of contract 01 §17. */
import type { WatcherIdentity } from "../../_liveness/watcher-process.ts";
import type { Home } from "../../_state/home.ts";
import { removeWatcherPid } from "../../_state/watcher-pid.ts";
import { bunFolder } from "../../_sys/bun-folder.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { Audit } from "./audit.ts";
import { installMissingClaude } from "./claude-install.ts";
import { watcherEnv } from "./environment.ts";
import { otherInstance } from "./instance.ts";
import { type Spawned, spawnWatcher } from "./spawn.ts";
import { closeLeftover, ensureSession } from "./windows.ts";

export interface StartPlan {
	readonly home: Home;
	readonly identity: WatcherIdentity;
	readonly target: string;
	/** Window of an old, visible watcher. */
	readonly leftoverWindow: string;
	readonly beaconWindowSeconds: number;
	readonly writable: boolean;
	readonly stalePidfile: boolean;
	/** `replace=… ensure=…`, for the audit log. */
	readonly how: string;
	readonly print: (line: string) => void;
}

/**
 * 0 it lives · 3, 4, 6 as contract 01 §17 has them; another instance's refusal (4) is told as that instance words it.
 */
export async function startWatcher(
	doors: Doors,
	plan: StartPlan,
	audit: Audit,
): Promise<0 | 3 | 4 | 6> {
	const { home, target } = plan;
	await installMissingClaude(doors, home);
	const env = watcherEnv(
		doors.proc.env,
		home,
		bunFolder(doors.files, doors.proc, home.codeRoot),
	);
	await ensureSession(doors, home.root, env.PATH ?? "");
	await closeLeftover(doors, plan.leftoverWindow, target);
	const refusal = await otherInstance(doors, home, plan.beaconWindowSeconds);
	if (refusal !== null) {
		doors.log.warn(refusal.join("\n"));
		return 4;
	}
	if (plan.stalePidfile) removeWatcherPid(doors.files, home.stateDir);
	const spawned = await spawnWatcher(doors, { ...plan, env });
	return report(doors, plan, spawned, audit);
}

function report(
	doors: Pick<Doors, "log">,
	plan: StartPlan,
	spawned: Spawned,
	audit: Audit,
): 0 | 3 | 6 {
	switch (spawned.kind) {
		case "failed":
			audit(`spawn-failed target=${plan.target}`);
			doors.log.warn(
				[
					`the watcher did not come up; see ${spawned.log}. Its last words:`,
					...spawned.said.split("\n").slice(-10),
				].join("\n  "),
			);
			return 3;
		case "duplicate":
			audit(`post-spawn-duplicate pgids=${spawned.pgids.join(",")}`);
			doors.log.warn(
				`more than one watcher runs now: process groups ${spawned.pgids.join(", ")}`,
			);
			return 6;
		case "ok":
			if (spawned.warning) doors.log.warn(spawned.warning);
			audit(`spawned pid=${spawned.pid} target=${plan.target} ${plan.how}`);
			plan.print(
				`launcher.ts: spawned headless pid=${spawned.pid} target='${plan.target}' log='${spawned.log}'`,
			);
			return 0;
	}
}
