/** `fleet_monitors`: runs the scheduled jobs of a fleet that is kept here (contract 09 §7.3). */
import { join } from "node:path";
import { type JobRunner, jobRunner } from "../_fleet/jobs/runner.ts";
import type { FleetDeps } from "../_fleet/open.ts";
import { resolveThrumDir } from "../_fleet/paths.ts";
import { readBackend } from "../_state/fleet/backend.ts";
import { pruneMail } from "../_state/fleet/mail-prune.ts";
import type { Files } from "../_sys/doors.ts";
import type { TaskSpec } from "./context.ts";

const PRUNE_EVERY_MS = 3_600_000;

/** `fleet` works on the process's own doors: a run goes on when the tick that started it is over. */
export function fleetMonitorsTask(fleet: FleetDeps): TaskSpec {
	return {
		name: "fleet_monitors",
		intervalSeconds: (config) => config["monitor.fleet.tick_seconds"],
		class: "cheap",
		async: false,
		make: (ctx) => {
			const runners = new Map<string, JobRunner>();
			let lastProblem = "";
			let prunedAt: number | null = null;
			return async (run) => {
				const kept = keptHere(
					run.doors.files,
					ctx.root,
					fleet.settings.backend,
				);
				if (kept.kind !== "here") {
					// Once an episode.
					if (kept.kind === "unclear" && kept.why !== lastProblem)
						run.log(kept.why);
					lastProblem = kept.kind === "unclear" ? kept.why : "";
					return { rc: 0 };
				}
				const { thrumDir } = kept;
				const place = { repoRoot: ctx.root, thrumDir };
				const runner = runners.get(thrumDir) ?? jobRunner({ ...fleet, place });
				runners.set(thrumDir, runner);
				const { files, clock } = run.doors;
				if (prunedAt === null || clock.monoMs() - prunedAt >= PRUNE_EVERY_MS) {
					prunedAt = clock.monoMs();
					pruneMail(files, thrumDir, clock.nowMs());
				}
				const ticked = await runner.tick();
				if (ticked.kind === "ok") return { rc: 0 };
				run.log(ticked.stderr);
				return { rc: 1 };
			};
		},
	};
}

export type KeptHere =
	| { readonly kind: "here"; readonly thrumDir: string }
	/** No fleet, or one that thrum keeps. */
	| { readonly kind: "no" }
	| { readonly kind: "unclear"; readonly why: string };

/** Nothing is probed at each tick: who uses the fleet has recorded its backend. */
export function keptHere(
	files: Pick<Files, "stat" | "read">,
	root: string,
	configured: "auto" | "thrum" | "local",
): KeptHere {
	const own = files.stat(join(root, ".thrum"));
	if (own.kind !== "ok" || configured === "thrum") return { kind: "no" };
	const found = resolveThrumDir(files, root);
	if (!found.ok) return { kind: "unclear", why: found.reason };
	const thrumDir = found.dir;
	if (configured === "local") return { kind: "here", thrumDir };
	const recorded = readBackend(files, thrumDir);
	switch (recorded.kind) {
		case "absent":
			return { kind: "no" };
		case "damaged":
			return { kind: "unclear", why: recorded.why };
		case "ok":
			return recorded.backend === "local"
				? { kind: "here", thrumDir }
				: { kind: "no" };
	}
}
