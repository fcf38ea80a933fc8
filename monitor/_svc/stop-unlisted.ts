/** `svc stop` of a service that was taken out of the registry while it ran: its record alone tells who it is. */
import { aloneWith } from "../_services/alone.ts";
import { stopGroup } from "../_services/group-stop.ts";
import { supervisorState } from "../_services/supervisor.ts";
import { removeRecord } from "../_state/supervisor-record.ts";
import type { UnlistedVerb } from "./verb.ts";

/** 0 its group is ended, else 1. */
export const run: UnlistedVerb = async ({ name }, { doors, settings }) => {
	const { stateDir } = settings.home;
	const done = await aloneWith(doors, stateDir, name, async () => {
		const state = supervisorState(doors, stateDir, { name, launch: "" });
		if (state.kind !== "alive") return { kind: "gone" } as const;
		return stopGroup(doors, state.pid);
	});
	switch (done?.kind) {
		case "stopped":
		case "gone":
			removeRecord(doors.files, stateDir, name);
			doors.log.info(`${name}: stopped (it is no longer in the registry)`);
			return 0;
		case "survivors":
			doors.log.warn(
				`${name}: NOT stopped: pids ${done.pids.join(", ")} outlived SIGKILL`,
			);
			return 1;
		case "refused":
			doors.log.warn(`${name}: NOT stopped: ${done.reason}`);
			return 1;
		case undefined:
			return 1;
	}
};
