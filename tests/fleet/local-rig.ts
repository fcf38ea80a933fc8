/** A local fleet on fake doors: the orchestrator's window with an input box that behaves like Claude Code's. */
import { DEFAULT_TIMINGS } from "../../monitor/_delivery/timings.ts";
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import { type JobRunner, jobRunner } from "../../monitor/_fleet/jobs/runner.ts";
import type { LocalContext } from "../../monitor/_fleet/local/context.ts";
import { localFleet } from "../../monitor/_fleet/local.ts";
import type { FleetDeps } from "../../monitor/_fleet/open.ts";
import { fleetDeps, typingHands } from "../../monitor/fleet-wiring.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { type FakeRepl, fakeRepl } from "../delivery/fake-repl.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

export const REPO = "/repo";
export const T = "/repo/.thrum";
export const STATE = "/repo/monitor/.state";
export const TARGET = "orchestrator";

export interface LocalRig {
	readonly doors: FakeDoors;
	readonly repl: FakeRepl;
	readonly ctx: LocalContext;
	readonly runner: JobRunner;
	/** What was to ring for a person. */
	readonly rung: string[];
	open(as?: string): Fleet;
}

/** 2026-01-01T12:30:15Z. */
export const START = 1_767_270_615;

/** `auto`: the clock moves by itself whenever everything waits. */
export function localRig(
	part: Partial<FleetDeps["settings"]> = {},
	auto = true,
): LocalRig {
	const doors = fakeDoors({ auto, now: START });
	doors.files.seedDir(T);
	const repl = fakeRepl(doors, TARGET);
	const home = { root: REPO, stateDir: STATE, codeRoot: "/code" };
	const known = fleetDeps(doors, home, watcherConfig());
	const rung: string[] = [];
	const deps: FleetDeps = {
		doors,
		settings: { ...known.settings, ...part },
		hands: {
			...known.hands,
			...typingHands({
				doors,
				stateDir: STATE,
				timings: DEFAULT_TIMINGS,
				lookAt: repl.lookAt,
				orchestratorWindow: TARGET,
			}),
			notify: async (title, body) => {
				rung.push(`${title}: ${body}`);
				return null;
			},
		},
	};
	const place = { repoRoot: REPO, thrumDir: T };
	const ctx = { ...deps, place };
	return {
		doors,
		repl,
		ctx,
		rung,
		runner: jobRunner(ctx),
		open: (as) => localFleet(as === undefined ? deps : { ...deps, as }, place),
	};
}
