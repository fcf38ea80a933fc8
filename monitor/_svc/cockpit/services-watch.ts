/** The services as last seen, each looked at on its own: one slow check holds up no other, and no picture. */
import { supervisorState } from "../../_services/supervisor.ts";
import { readStopMark } from "../../_state/service-stop.ts";
import type {
	RegistryResult,
	ServiceRow,
} from "../../_state/services-registry.ts";
import type { Settings } from "../../_state/settings.ts";
import type { Doors } from "../../_sys/doors.ts";
import { registryOf } from "./facts.ts";
import { reachLooks } from "./reach.ts";
import {
	gatherServices,
	type ServiceLook,
	type ServicesFacts,
	unlistedSupervisors,
} from "./services.ts";

export interface ServicesWatch {
	/** Reads the registry and starts the checks that do not run already. */
	refresh(): void;
	/** The registry in its order, each service with the last answer there is; a first one may be on its way. */
	facts(): ServicesFacts;
	rows(): readonly ServiceRow[];
	/** Resolves when no check runs any more: one that is being ended has its two seconds for it. */
	settled(): Promise<void>;
}

/** `onNews` is called when a check has answered, `onFailure` when looking itself broke off. */
export function watchServices(
	doors: Pick<Doors, "files" | "proc" | "clock" | "locks">,
	settings: Settings,
	signal: AbortSignal,
	hear: {
		readonly onNews: () => void;
		readonly onFailure: (why: string) => void;
	},
): ServicesWatch {
	const { home, config } = settings;
	const boundSeconds = config.SVC_STATUS_HEALTH_TIMEOUT;
	let registry: RegistryResult = { kind: "absent" };
	const looks = new Map<string, ServiceLook>();
	const running = new Map<string, Promise<void>>();
	const frame = reachLooks(doors, signal);

	async function look(
		row: ServiceRow,
		reach: ReturnType<typeof frame>,
	): Promise<void> {
		try {
			const opts = { home, boundSeconds, signal, only: row.name, reach };
			const seen = await gatherServices(doors, registry, opts);
			const [found] = seen.kind === "rows" ? seen.looks : [];
			if (found !== undefined && !signal.aborted) looks.set(row.name, found);
		} catch (error) {
			hear.onFailure(String(error));
		} finally {
			running.delete(row.name);
		}
		if (!signal.aborted) hear.onNews();
	}

	function lookOf(row: ServiceRow, at: number): ServiceLook {
		const known = looks.get(row.name);
		const position = at + 1;
		// Its command changed: what was seen of the old one says nothing.
		if (known?.row.healthcheck === row.healthcheck)
			return { ...known, row, position };
		const supervisor = supervisorState(doors, home.stateDir, row);
		const stopped = readStopMark(doors.files, home.stateDir, row.name);
		return {
			row,
			position,
			supervisor,
			stopped,
			verdict: null,
			endpoint: "-",
		};
	}

	return {
		refresh: () => {
			registry = registryOf(doors, settings);
			if (registry.kind !== "rows") return;
			const reach = frame();
			for (const row of registry.rows)
				if (!running.has(row.name)) running.set(row.name, look(row, reach));
		},
		settled: async () => {
			await Promise.all(running.values());
		},
		rows: () => (registry.kind === "rows" ? registry.rows : []),
		facts: () =>
			registry.kind === "rows"
				? {
						kind: "rows",
						looks: registry.rows.map(lookOf),
						warnings: registry.warnings,
						unlisted: unlistedSupervisors(doors, home.stateDir, registry.rows),
					}
				: registry,
	};
}
