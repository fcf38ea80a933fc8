/** `svc stop <service>` (contract 06 §6.1): ends its whole group; it stays down until somebody starts it. */
import { aloneWith } from "../_services/alone.ts";
import { type EndOutcome, endService } from "../_services/end.ts";
import {
	readStopMark,
	type StopMark,
	writeStopMark,
} from "../_state/service-stop.ts";
import type { ServiceRow } from "../_state/services-registry.ts";
import { supervisorRecordPath } from "../_state/supervisor-record.ts";
import { programName } from "../_sys/names.ts";
import type { ServiceVerb, SvcContext } from "./verb.ts";

/** 0 nothing of it runs any more, else 1. */
export const run: ServiceVerb = (row, ctx) => {
	for (const line of ctx.settings.problems) ctx.doors.log.warn(line);
	return stopService(row, ctx, "service");
};

/** `scope`: until it is started by name, or until the next `up`. */
export async function stopService(
	row: ServiceRow,
	{ doors, settings }: SvcContext,
	scope: StopMark["scope"],
): Promise<0 | 1> {
	const { log, clock, files } = doors;
	const { home } = settings;
	const { name } = row;
	// First: who looks after services must not revive what is being stopped on purpose.
	const remember = () => {
		// The more particular word stays.
		if (readStopMark(files, home.stateDir, name)?.scope === "service") return;
		const mark = { scope, at: clock.now() };
		const wrote = writeStopMark(files, home.stateDir, name, mark);
		if (wrote.kind === "failed")
			log.warn(
				`${name}: the stop cannot be recorded (${wrote.reason}); the watcher may start it again`,
			);
	};
	const done = await aloneWith(doors, home.stateDir, name, () =>
		endService(doors, home, row, { beforeSignal: remember }),
	);
	if (done === null) return 1;
	const record = supervisorRecordPath(home.stateDir, name);
	const { exit, line } = judgeStop(name, done, record);
	if (exit === 0) log.info(line);
	else log.warn(line);
	return exit;
}

/** Pure. */
function judgeStop(
	name: string,
	done: EndOutcome,
	record: string,
): { readonly exit: 0 | 1; readonly line: string } {
	switch (done.kind) {
		case "stopped":
			return { exit: 0, line: `${name}: stopped` };
		case "nothing":
			return { exit: 0, line: `${name}: nothing to stop` };
		case "unsupervised":
			return {
				exit: 1,
				line: `${name}: NOT stopped: the daemon runs unsupervised (no living process in ${record}); ${programName("svc")} restart ${name} finds it and takes it over`,
			};
		case "still-healthy":
			return {
				exit: 1,
				line: `WARNING: ${name}: its process group is ended, and its healthcheck still passes: a child left the group, or somebody else serves`,
			};
		case "not-ended":
			return { exit: 1, line: `${name}: NOT stopped: ${done.why}` };
	}
}
