/** Ends one service and looks whether it is ended (contract 06 §6.1). */
import type { ServiceRow } from "../_state/services-registry.ts";
import { removeRecord } from "../_state/supervisor-record.ts";
import type { Doors } from "../_sys/doors.ts";
import { type StopOutcome, stopGroup } from "./group-stop.ts";
import {
	ACTION_BOUND_SECONDS,
	type HealthVerdict,
	isHealthy,
	runHealthcheck,
} from "./healthcheck.ts";
import { endLeftovers } from "./leftovers.ts";
import { supervisorState } from "./supervisor.ts";

/** `check`: what was found once nothing of it ran. */
export type EndOutcome =
	| { readonly kind: "stopped"; readonly check: HealthVerdict }
	| { readonly kind: "nothing"; readonly check: HealthVerdict }
	/** It serves, and nothing we may signal is known of it; the record was kept. */
	| { readonly kind: "unsupervised" }
	/** The group is ended, and the check still passes: a child escaped, or somebody else serves. */
	| { readonly kind: "still-healthy" }
	| { readonly kind: "not-ended"; readonly why: string };

type Hands = Pick<Doors, "files" | "proc" | "clock" | "locks" | "log">;
type Home = { readonly root: string; readonly stateDir: string };

export interface EndOptions {
	/** Runs when it is sure that something or nothing is to be ended, and before anything is. */
	readonly beforeSignal?: () => void;
	/** Of a check that has run just now. */
	readonly known?: HealthVerdict;
}

/** The caller holds the lock. */
export async function endService(
	doors: Hands,
	home: Home,
	row: ServiceRow,
	{ beforeSignal, known }: EndOptions = {},
): Promise<EndOutcome> {
	const { files } = doors;
	const { stateDir } = home;
	const state = supervisorState(doors, stateDir, row);
	if (state.kind === "unknown") return { kind: "not-ended", why: state.why };
	if (state.kind !== "alive") {
		const check = known ?? (await checkNow(doors, home, row));
		if (isHealthy(check)) return { kind: "unsupervised" };
		beforeSignal?.();
		const left = await endLeftovers(doors, stateDir, row.name);
		const why = left === null ? null : whyNotEnded(left);
		if (why !== null) return { kind: "not-ended", why };
		removeRecord(files, stateDir, row.name);
		return { kind: left === null ? "nothing" : "stopped", check };
	}
	beforeSignal?.();
	const why = whyNotEnded(await stopGroup(doors, state.pid));
	if (why !== null) return { kind: "not-ended", why };
	removeRecord(files, stateDir, row.name);
	const check = await checkNow(doors, home, row);
	return isHealthy(check)
		? { kind: "still-healthy" }
		: { kind: "stopped", check };
}

/** Null: it is ended. */
export function whyNotEnded(stopped: StopOutcome): string | null {
	switch (stopped.kind) {
		case "refused":
			return stopped.reason;
		case "survivors":
			return `pids ${stopped.pids.join(", ")} outlived SIGKILL`;
		default:
			return null;
	}
}

/** The check within the bound of an action; one that does not finish is not healthy. */
export function checkNow(
	doors: Hands,
	home: Home,
	row: ServiceRow,
): Promise<HealthVerdict> {
	const opts = { boundSeconds: ACTION_BOUND_SECONDS };
	return runHealthcheck(doors, home, row, opts);
}
