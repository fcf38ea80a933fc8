/** `svc up` (contract 06 §6): brings up what is declared, then shows what came of it. Safe to repeat. */
import { gatherLiveness } from "../_liveness/liveness-facts.ts";
import { livenessLimits } from "../_liveness/liveness-limits.ts";
import { livenessVerdict } from "../_liveness/verdict.ts";
import { watcherIdentity } from "../_liveness/watcher-process.ts";
import { clearStopMark, readStopMark } from "../_state/service-stop.ts";
import type { Settings } from "../_state/settings.ts";
import { clearStopRequest } from "../_state/watcher-stop-requested.ts";
import { programArgv, programName } from "../_sys/names.ts";
import { registryOf } from "./cockpit/facts.ts";
import { refuseBadConfig } from "./refuse-bad-config.ts";
import { run as status } from "./status.ts";
import { takesNoName } from "./takes-no-name.ts";
import type { SvcContext, SvcVerb } from "./verb.ts";

/** 2 unusable configuration, nothing was touched; 1 recovery failed, or no watcher runs after it; else the status' code. */
export const run: SvcVerb = async (name, ctx) => {
	const { doors, settings, recover } = ctx;
	const refused =
		takesNoName("up", name, doors) ?? refuseBadConfig(doors, settings);
	if (refused !== null) return refused;
	const isDryRun = recover.includes("--dry-run");
	if (!isDryRun) takeBackStops(ctx);
	const { home } = settings;
	const rc = await doors.proc.foreground(
		programArgv(
			doors.proc.execPath,
			"bootstrapRecover",
			isDryRun ? [...recover, "--stops-taken-back"] : recover,
			home.codeRoot,
		),
	);
	if (rc !== 0) doors.log.warn(`bootstrap-recover failed (exit ${rc ?? "?"})`);
	const shown = await status(undefined, { ...ctx, settings: brief(settings) });
	return rc === 0 && !isWatcherMissing(ctx) ? shown : 1;
};

/** Recovery has waited for the same checks just now; one that hangs is not waited for at length again. */
const CHECK_SECONDS = 5;

function brief(settings: Settings): Settings {
	const { config } = settings;
	const bound = Math.min(config.SVC_STATUS_HEALTH_TIMEOUT, CHECK_SECONDS);
	return {
		...settings,
		config: { ...config, SVC_STATUS_HEALTH_TIMEOUT: bound },
	};
}

/** Recovery tells what failed and goes on; whoever ran `up` from a script must learn that nothing keeps watch. */
function isWatcherMissing({ doors, settings, recover }: SvcContext): boolean {
	if (recover.includes("--dry-run") || recover.includes("--services-only"))
		return false;
	const { home, config } = settings;
	const identity = watcherIdentity(doors.files, home.stateDir, home.codeRoot);
	const { state } = livenessVerdict(
		gatherLiveness(doors, home.stateDir, identity),
		livenessLimits(doors.proc.env, config["monitor.interval_seconds"]),
	);
	if (state !== "DOWN") return false;
	doors.log.warn("no watcher runs; the lines above say why");
	return true;
}

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
