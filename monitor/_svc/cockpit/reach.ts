/** What is looked up for the DETAIL column: a service's own word, its process, and where this machine is reached (contract 06 §7.2). */
import { join } from "node:path";
import { inTurn } from "../../_services/process-turn.ts";
import type { ServiceRow } from "../../_state/services-registry.ts";
import type { Doors } from "../../_sys/doors.ts";
import { type EndpointFacts, processQueryOf, type Reach } from "./endpoint.ts";

const LIMIT_MS = 1000;
const MAX_BYTES = 4096;

/** Null for what is not there. A look at processes waits for its turn and ends with us. */
export async function endpointFacts(
	doors: Pick<Doors, "files" | "proc" | "clock" | "locks">,
	stateDir: string,
	row: ServiceRow,
	signal: AbortSignal | undefined,
): Promise<EndpointFacts> {
	const { files, proc } = doors;
	const path = join(row.workdir, ".deploy/endpoint");
	const deployed = files.read(path, MAX_BYTES);
	const query = processQueryOf(row.healthcheck);
	const ask = (text: string) =>
		proc.exec(["/bin/sh", "-c", 'eval "$NEXUS_SERVICE_QUERY"'], {
			timeoutMs: LIMIT_MS,
			...(signal ? { signal } : {}),
			env: {
				PATH: proc.env.PATH ?? "/usr/bin:/bin",
				NEXUS_SERVICE_QUERY: text,
			},
			endsWithUs: true,
		});
	const asked =
		query === null
			? null
			: await inTurn(doors, stateDir, query, () => ask(query));
	return {
		deployed: deployed.kind === "ok" ? deployed.text : null,
		firstPid:
			asked?.kind === "exited" ? (asked.stdout.split("\n", 1)[0] ?? "") : null,
	};
}

/**
 * One look a frame at the sockets that listen, each frame with a call; whoever asks within it gets the same answer. The
 * machine's name is asked for once.
 */
export function reachLooks(
	{ proc }: Pick<Doors, "proc">,
	signal?: AbortSignal,
): () => () => Promise<Reach> {
	let name: Promise<string> | null = null;
	async function look(): Promise<Reach> {
		const listeners = proc.listeners();
		name ??= fullName(proc, signal);
		return {
			listeners: listeners.kind === "ok" ? listeners.value : [],
			fqdn: await name,
		};
	}
	return () => {
		let reach: Promise<Reach> | null = null;
		return () => {
			reach ??= look();
			return reach;
		};
	};
}

async function fullName(
	proc: Doors["proc"],
	signal: AbortSignal | undefined,
): Promise<string> {
	const named = await proc.exec(["hostname", "-f"], {
		timeoutMs: LIMIT_MS,
		...(signal ? { signal } : {}),
	});
	const fqdn =
		named.kind === "exited" && named.rc === 0 ? named.stdout.trim() : "";
	return /^[\w.-]+$/.test(fqdn) ? fqdn : proc.hostname;
}
