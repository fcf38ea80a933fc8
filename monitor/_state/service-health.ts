/** `service-health/<service>.state` (`key=value`) and `.events` (`<ISO>\t<event>\t<detail>`): how a service fared (contract 05 §14.2). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { type Kv, parseKv } from "./kv.ts";

export interface ServiceHealth {
	readonly statePath: string;
	readonly eventsPath: string;
	/** Null: there is no such file. */
	readonly state: Kv | null;
	/** As they stand in the file. */
	readonly events: string | null;
}

/** `service`: a name without a slash. */
export function readServiceHealth(
	files: Files,
	stateDir: string,
	service: string,
): ServiceHealth {
	const dir = join(stateDir, "service-health");
	const statePath = join(dir, `${service}.state`);
	const eventsPath = join(dir, `${service}.events`);
	const textOf = (path: string) => {
		const read = files.read(path);
		return read.kind === "ok" ? read.text : null;
	};
	const state = textOf(statePath);
	return {
		...{ statePath, eventsPath, events: textOf(eventsPath) },
		state: state === null ? null : parseKv(state),
	};
}
