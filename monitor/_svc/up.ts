/** `svc up` (contract 06 §6): brings up what is declared, then shows what came of it. Safe to repeat. */
import { clearStopMark, readStopMark } from "../_state/service-stop.ts";
import { clearStopRequest } from "../_state/watcher-stop-requested.ts";
import { programArgv, programName } from "../_sys/names.ts";
import { registryOf } from "./cockpit/facts.ts";
import { refuseBadConfig } from "./refuse-bad-config.ts";
import { run as status } from "./status.ts";
import type { SvcContext, SvcVerb } from "./verb.ts";

/** 2 unusable configuration, nothing was touched; 1 recovery failed; else the status' code. */
export const run: SvcVerb = async (name, ctx) => {
	const { doors, settings, recover } = ctx;
	if (name !== undefined) {
		doors.log.warn(
			`up takes no name; one service: ${programName("svc")} start ${name}`,
		);
		return 1;
	}
	const refused = refuseBadConfig(doors, settings);
	if (refused !== null) return refused;
	if (!recover.includes("--dry-run")) takeBackStops(ctx);
	const { home } = settings;
	const rc = await doors.proc.foreground(
		programArgv(
			doors.proc.execPath,
			"bootstrapRecover",
			recover,
			home.codeRoot,
		),
	);
	if (rc !== 0) doors.log.warn(`bootstrap-recover failed (exit ${rc ?? "?"})`);
	const shown = await status(undefined, ctx);
	return rc === 0 ? shown : 1;
};

/** `down` is taken back; a service that was stopped by name stays down until it is started by name. */
function takeBackStops({ doors, settings, recover }: SvcContext): void {
	const { files, log } = doors;
	const { stateDir } = settings.home;
	if (!recover.includes("--services-only")) clearStopRequest(files, stateDir);
	const registry = registryOf(doors, settings);
	for (const { name } of registry.kind === "rows" ? registry.rows : []) {
		const mark = readStopMark(files, stateDir, name);
		if (mark?.scope === "stack") clearStopMark(files, stateDir, name);
		if (mark?.scope === "service")
			log.info(
				`${name}: stays stopped, as asked; ${programName("svc")} start ${name}`,
			);
	}
}
