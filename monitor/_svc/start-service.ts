/** `svc start <service>` (contract 06 §5.3, §6): takes back a stop, then sees to it that it runs. */
import { aloneWith } from "../_services/alone.ts";
import { type BroughtUp, bringUp } from "../_services/bring-up.ts";
import { isWell } from "../_services/decide.ts";
import { clearStopMark } from "../_state/service-stop.ts";
import { programName } from "../_sys/names.ts";
import type { ServiceVerb } from "./verb.ts";

/** 0 it runs, or something that is to keep it running does; else 1. */
export const run: ServiceVerb = async (row, { doors, settings }) => {
	const { log, files } = doors;
	for (const line of settings.problems) log.warn(line);
	const { home, config } = settings;
	const actor = config.SVC_RESTART_ACTOR;
	clearStopMark(files, home.stateDir, row.name);
	const panes = await doors.tmux.panes();
	const done = await aloneWith(doors, home.stateDir, row.name, () =>
		bringUp(doors, row, { home, panes, actor, dryRun: false }),
	);
	if (done === null) return 1;
	const line = outcomeLine(row.name, done);
	if (isWell(done.outcome)) log.info(line);
	else log.warn(line);
	return isWell(done.outcome) ? 0 : 1;
};

/** `<name>: <outcome>`, with what to do where that is not plain. Pure. */
export function outcomeLine(name: string, done: BroughtUp): string {
	const said = `${name}: ${done.outcome}`;
	if (done.outcome === "healthy-unsupervised")
		return `${said}; it serves, and nothing would restart it: ${programName("svc")} restart ${name}`;
	return done.why === "" ? said : `${said} (${done.why})`;
}
