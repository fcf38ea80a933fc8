/** Looks at every registered service: its check, its supervisor, where it is reached (contract 06 §7.1). */
import { join } from "node:path";
import {
	type HealthVerdict,
	privateFolder,
	runHealthcheck,
	wordsIn,
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
import {
	type EndpointFacts,
	endpointFor,
	processQueryOf,
	type Reach,
	wantsReach,
} from "./endpoint.ts";

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

type Look = Pick<Doors, "files" | "proc" | "clock">;
export interface LookOptions {
	readonly home: { readonly root: string; readonly stateDir: string };
	readonly boundSeconds: number;
	readonly signal?: AbortSignal;
	/** Only the service of this name. */
	readonly only?: string;
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
	const [verdicts, endpoints] = await Promise.all([
		checkAll(doors, rows, opts),
		endpointsOf(doors, rows, opts.signal),
	]);
	const { stateDir } = opts.home;
	return {
		kind: "rows",
		looks: rows.map((row, i) => ({
			row,
			position: registry.rows.indexOf(row) + 1,
			verdict: verdicts[i] ?? null,
			supervisor: supervisorState(doors, stateDir, row),
			stopped: readStopMark(doors.files, stateDir, row.name),
			endpoint: endpoints[i] ?? "-",
		})),
		warnings: registry.warnings,
		unlisted: unlistedSupervisors(doors, stateDir, registry.rows).filter(
			({ name }) => opts.only === undefined || name === opts.only,
		),
	};
}

async function checkAll(
	doors: Look,
	rows: readonly ServiceRow[],
	opts: LookOptions,
): Promise<readonly HealthVerdict[]> {
	if (rows.length === 0) return [];
	const dir = privateFolder(doors.files);
	try {
		const check = (row: ServiceRow) => {
			const words = wordsIn(dir, row.name);
			return runHealthcheck(doors, opts.home, row, { ...opts, words });
		};
		return await Promise.all(rows.map(check));
	} finally {
		if (dir !== null) doors.files.removeTree(dir);
	}
}

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

const ASK_LIMIT_MS = 1000;

async function endpointsOf(
	doors: Look,
	rows: readonly ServiceRow[],
	signal: AbortSignal | undefined,
): Promise<readonly string[]> {
	const found = await Promise.all(
		rows.map((row) => endpointFacts(doors, row, signal)),
	);
	const local = rows.some((row, i) =>
		wantsReach(row, found[i]?.deployed ?? null),
	);
	const reach = local ? await reachOf(doors, signal) : NOWHERE;
	return rows.map((row, i) =>
		endpointFor(row, found[i] ?? { deployed: null, firstPid: null }, reach),
	);
}

const NOWHERE: Reach = { listeners: [], fqdn: "localhost" };

async function endpointFacts(
	{ files, proc }: Look,
	row: ServiceRow,
	signal: AbortSignal | undefined,
): Promise<EndpointFacts> {
	const deployed = files.read(join(row.workdir, ".deploy/endpoint"), 4096);
	const query = processQueryOf(row.healthcheck);
	const asked =
		query === null
			? null
			: await proc.exec(["/bin/sh", "-c", 'eval "$NEXUS_SERVICE_QUERY"'], {
					timeoutMs: ASK_LIMIT_MS,
					...(signal ? { signal } : {}),
					env: {
						PATH: proc.env.PATH ?? "/usr/bin:/bin",
						NEXUS_SERVICE_QUERY: query,
					},
				});
	return {
		deployed: deployed.kind === "ok" ? deployed.text : null,
		firstPid:
			asked?.kind === "exited" ? (asked.stdout.split("\n", 1)[0] ?? "") : null,
	};
}

/** Read once a frame. */
async function reachOf(
	{ proc }: Look,
	signal: AbortSignal | undefined,
): Promise<Reach> {
	const listeners = proc.listeners();
	const named = await proc.exec(["hostname", "-f"], {
		timeoutMs: ASK_LIMIT_MS,
		...(signal ? { signal } : {}),
	});
	const fqdn =
		named.kind === "exited" && named.rc === 0 ? named.stdout.trim() : "";
	return {
		listeners: listeners.kind === "ok" ? listeners.value : [],
		fqdn: /^[\w.-]+$/.test(fqdn) ? fqdn : proc.hostname,
	};
}
