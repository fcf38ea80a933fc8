/** Recovery of the services, in the registry's order (contract 06 §5.2 step 4, §5.3). */
import { aloneWith } from "../../_services/alone.ts";
import { type BroughtUp, bringUp } from "../../_services/bring-up.ts";
import {
	ACTION_BOUND_SECONDS,
	type HealthVerdict,
	runHealthcheck,
} from "../../_services/healthcheck.ts";
import { readStopMark } from "../../_state/service-stop.ts";
import {
	type RegistryResult,
	type ServiceRow,
	servicesRegistryPath,
} from "../../_state/services-registry.ts";
import type { PaneRows } from "../../_sys/doors.ts";
import { programName } from "../../_sys/names.ts";
import type { RecoverContext } from "./context.ts";

/** What became of one; null = somebody else was at work on it. */
type Fate = BroughtUp["outcome"] | "stopped-on-purpose" | null;

/** A service that cannot be brought up is told, and the next one's turn comes. */
export async function recoverServices(
	ctx: RecoverContext,
	registry: RegistryResult,
): Promise<void> {
	const { doors, settings } = ctx;
	const { log, proc } = doors;
	const path = servicesRegistryPath(proc.env, settings.home.root);
	if (registry.kind === "absent")
		return log.info(`no registry at ${path}: watcher-only recovery`);
	if (registry.kind === "unreadable")
		return log.warn(
			`registry not readable: ${path} (${registry.error}); no service was looked at`,
		);
	for (const warning of registry.warnings) log.warn(`${path} ${warning}`);
	const panes = await doors.tmux.panes();
	// All checks at once, because some may hang until their bound; then one service after the other, as they are listed.
	const { home } = settings;
	const opts = { boundSeconds: ACTION_BOUND_SECONDS };
	const verdicts = await Promise.all(
		registry.rows.map((row) => runHealthcheck(doors, home, row, opts)),
	);
	const fates: Fate[] = [];
	for (const [i, row] of registry.rows.entries())
		fates.push(await recoverOne(ctx, row, panes, verdicts[i]));
	log.info(servicesSummary(fates));
}

/** Pure. */
export function servicesSummary(fates: readonly Fate[]): string {
	const healthy = fates.filter((f) => f === "healthy").length;
	const relaunched = fates.filter((f) => f === "relaunched").length;
	const left = fates.length - healthy - relaunched;
	return `services: ${fates.length} registered — ${healthy} healthy, ${relaunched} relaunched, ${left} left/skipped`;
}

async function recoverOne(
	{ doors, settings, dryRun, stopsTakenBack }: RecoverContext,
	row: ServiceRow,
	panes: PaneRows,
	verdict: HealthVerdict | undefined,
): Promise<Fate> {
	const { log, files } = doors;
	const { home } = settings;
	const { name } = row;
	const mark = readStopMark(files, home.stateDir, name);
	if (mark !== null && !(stopsTakenBack && mark.scope === "stack")) {
		log.info(
			`${name}: stopped-on-purpose; ${programName("svc")} start ${name}`,
		);
		return "stopped-on-purpose";
	}
	const opts = { home, panes, dryRun, ...(verdict ? { verdict } : {}) };
	const act = () => bringUp(doors, row, opts);
	const done = dryRun
		? await act()
		: await aloneWith(doors, home.stateDir, name, act);
	if (done === null) return null;
	const { outcome, why } = done;
	if (outcome === "dry-run-would-launch") log.info(`${name}: would relaunch`);
	else if (outcome === "launch-failed")
		log.warn(`${name}: ${outcome} (${why})`);
	else log.info(`${name}: ${outcome}`);
	return outcome;
}
