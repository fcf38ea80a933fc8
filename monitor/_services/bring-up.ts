/** Sees to it that one service is up (contract 06 §5.3): looks, decides, and launches at most once. */
import { writeRestartMarker } from "../_state/service-marks.ts";
import type { ServiceRow } from "../_state/services-registry.ts";
import type { Doors, PaneRows } from "../_sys/doors.ts";
import { resolveWindowId } from "../_sys/tmux-lookup.ts";
import {
	decideService,
	type ServiceFacts,
	type ServiceOutcome,
} from "./decide.ts";
import {
	ACTION_BOUND_SECONDS,
	type HealthVerdict,
	isHealthy,
	runHealthcheck,
} from "./healthcheck.ts";
import { launchService } from "./launch.ts";
import { endLeftovers } from "./leftovers.ts";
import { findOrphans, supervisorState } from "./supervisor.ts";

type Hands = Pick<Doors, "files" | "proc" | "clock" | "locks" | "log">;
export interface BringUpOptions {
	readonly home: { readonly root: string; readonly stateDir: string };
	/** One look at tmux, for all services. */
	readonly panes: PaneRows;
	readonly dryRun: boolean;
	/** Who starts it, for the credit of its recovery; absent: the caller has said so already. */
	readonly actor?: string;
	readonly signal?: AbortSignal;
	/** Of a check that has run just now. */
	readonly verdict?: HealthVerdict;
}
export interface BroughtUp {
	readonly outcome: ServiceOutcome;
	/** Why, where the outcome's word does not say it. */
	readonly why: string;
}

/** The caller holds the service's lock. */
export async function bringUp(
	doors: Hands,
	row: ServiceRow,
	opts: BringUpOptions,
): Promise<BroughtUp> {
	const facts = await factsOf(doors, row, opts);
	const decision = decideService(facts);
	if (decision !== "launch")
		return {
			outcome: decision,
			why: decision === "supervisor-unknown" ? whyUnknown(facts) : "",
		};
	if (opts.actor !== undefined) {
		const { files, clock } = doors;
		const mark = { actor: opts.actor, at: clock.now(), iso: clock.iso() };
		writeRestartMarker(files, opts.home.stateDir, row.name, mark);
	}
	const left = await endLeftovers(doors, opts.home.stateDir, row.name);
	if (left?.kind === "survivors" || left?.kind === "refused")
		return {
			outcome: "launch-failed",
			why: "what its wrapper left running cannot be ended",
		};
	const launched = await launchService(doors, opts.home, row);
	return launched.kind === "launched"
		? { outcome: "relaunched", why: `pid ${launched.pid}` }
		: { outcome: "launch-failed", why: launched.why };
}

async function factsOf(
	doors: Hands,
	row: ServiceRow,
	opts: BringUpOptions,
): Promise<ServiceFacts> {
	const { home, panes, dryRun, signal } = opts;
	const verdict =
		opts.verdict ??
		(await runHealthcheck(doors, home, row, {
			boundSeconds: ACTION_BOUND_SECONDS,
			...(signal ? { signal } : {}),
		}));
	const supervisor = supervisorState(doors, home.stateDir, row);
	const window = resolveWindowId(panes, row.name);
	const workdir = doors.files.stat(row.workdir);
	return {
		healthy: isHealthy(verdict),
		supervisor,
		lookalikes:
			supervisor.kind === "stale" && supervisor.reason === "malformed-record"
				? lookalikes(doors, row)
				: 0,
		// Services outlive tmux; where nobody can ask it, no window keeps one from being started.
		window: window.kind === "present" ? "present" : "absent",
		workdir: workdir.kind === "absent" ? "missing" : "there",
		dryRun,
	};
}

function lookalikes(doors: Hands, row: ServiceRow): number {
	const found = findOrphans(doors, row);
	return found.kind === "ok" ? found.value.length : 0;
}

function whyUnknown({ supervisor, lookalikes: many }: ServiceFacts): string {
	return supervisor.kind === "unknown"
		? supervisor.why
		: `its record is damaged, and ${many} processes look like its supervisor`;
}
