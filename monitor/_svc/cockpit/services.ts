/** Looks at every registered service: its check, its supervisor, where it is reached (contract 06 §7.1). */
import {
	type HealthVerdict,
	runHealthcheck,
} from "../../_services/healthcheck.ts";
import {
	type SupervisorState,
	supervisorState,
} from "../../_services/supervisor.ts";
import { readStopMark, type StopMark } from "../../_state/service-stop.ts";
import type {
	RegistryResult,
	ServiceRow,
} from "../../_state/services-registry.ts";
import { listRecords } from "../../_state/supervisor-record.ts";
import type { Doors } from "../../_sys/doors.ts";
import { endpointFor, type Reach, wantsReach } from "./endpoint.ts";
import { endpointFacts, reachLooks } from "./reach.ts";

export interface ServiceLook {
	readonly row: ServiceRow;
	/** In the registry, from 1: its key. */
	readonly position: number;
	/** Null: the check still runs. */
	readonly verdict: HealthVerdict | null;
	readonly supervisor: SupervisorState;
	readonly stopped: StopMark | null;
	/** DETAIL. */
	readonly endpoint: string;
}
/** Three answers, as the registry gives them. */
export type ServicesFacts =
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly error: string }
	| {
			readonly kind: "rows";
			readonly looks: readonly ServiceLook[];
			readonly warnings: readonly string[];
			/** Supervisors that live and whose row is gone. */
			readonly unlisted: readonly {
				readonly name: string;
				readonly pid: number;
			}[];
	  };

type Look = Pick<Doors, "files" | "proc" | "clock" | "locks">;
export interface LookOptions {
	readonly home: { readonly root: string; readonly stateDir: string };
	readonly boundSeconds: number;
	readonly signal?: AbortSignal;
	/** Only the service of this name. */
	readonly only?: string;
	/** Asked where somebody must know it; default: looked up once. */
	readonly reach?: () => Promise<Reach>;
}

/** All checks at once; as slow as the slowest, at most the bound. */
export async function gatherServices(
	doors: Look,
	registry: RegistryResult,
	opts: LookOptions,
): Promise<ServicesFacts> {
	if (registry.kind !== "rows") return registry;
	const rows = registry.rows.filter(
		(row) => opts.only === undefined || row.name === opts.only,
	);
	const reach = opts.reach ?? reachLooks(doors, opts.signal)();
	const seen = await Promise.all(
		rows.map(async (row) => {
			const verdict = await runHealthcheck(doors, opts.home, row, opts);
			return { verdict, endpoint: await endpointOf(doors, row, opts, reach) };
		}),
	);
	const { stateDir } = opts.home;
	return {
		kind: "rows",
		looks: rows.map((row, i) => ({
			row,
			position: registry.rows.indexOf(row) + 1,
			verdict: seen[i]?.verdict ?? null,
			supervisor: supervisorState(doors, stateDir, row),
			stopped: readStopMark(doors.files, stateDir, row.name),
			endpoint: seen[i]?.endpoint ?? "-",
		})),
		warnings: registry.warnings,
		unlisted: unlistedSupervisors(doors, stateDir, registry.rows).filter(
			({ name }) => opts.only === undefined || name === opts.only,
		),
	};
}

/** After the check: a look for the same process beside it would be found by it. */
async function endpointOf(
	doors: Look,
	row: ServiceRow,
	{ home, signal }: LookOptions,
	reach: () => Promise<Reach>,
): Promise<string> {
	const found = await endpointFacts(doors, home.stateDir, row, signal);
	const local = wantsReach(row, found.deployed);
	return endpointFor(row, found, local ? await reach() : NOWHERE);
}

const NOWHERE: Reach = { listeners: [], fqdn: "localhost" };

/** Records of services that the registry does not name any more and that run all the same. */
export function unlistedSupervisors(
	doors: Pick<Doors, "files" | "proc">,
	stateDir: string,
	rows: readonly ServiceRow[],
): readonly { readonly name: string; readonly pid: number }[] {
	const names = new Set(rows.map((row) => row.name));
	return listRecords(doors.files, stateDir).flatMap((name) => {
		if (names.has(name)) return [];
		// Nobody knows its command any more; namespace and start time alone tell whose pid it is.
		const state = supervisorState(doors, stateDir, { name, launch: "" });
		return state.kind === "alive" ? [{ name, pid: state.pid }] : [];
	});
}
