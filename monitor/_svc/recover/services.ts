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

/** A check that takes longer is waited for last. */
const PATIENCE_MS = 5000;

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
	const { rows } = registry;
	const { home } = settings;
	const opts = { boundSeconds: ACTION_BOUND_SECONDS };
	const checks = rows.map((row) => runHealthcheck(doors, home, row, opts));
	const late = await unanswered(doors, checks);
	// As they are listed; those whose checks hang come after all others, which do not wait for them.
	const fates: Fate[] = [];
	const bring = async (which: (at: number) => boolean) => {
		for (const [at, row] of rows.entries())
			if (which(at))
				fates.push(await recoverOne(ctx, row, panes, await checks[at]));
	};
	await bring((at) => !late.has(at));
	const names = rows.filter((_, at) => late.has(at)).map(({ name }) => name);
	if (names.length > 0)
		log.info(
			`waiting for the check of ${names.join(", ")} (at most ${ACTION_BOUND_SECONDS}s)`,
		);
	await bring((at) => late.has(at));
	log.info(servicesSummary(fates));
}

/** Positions of the checks that have not answered in the time that most take. */
async function unanswered(
	{ clock }: Pick<RecoverContext["doors"], "clock">,
	checks: readonly Promise<unknown>[],
): Promise<ReadonlySet<number>> {
	const open = new Set(checks.keys());
	const all = Promise.all(
		checks.map((check, at) => check.then(() => open.delete(at))),
	);
	const enough = new AbortController();
	await Promise.race([all, clock.sleep(PATIENCE_MS, enough.signal)]);
	enough.abort();
	return new Set(open);
}

/** Pure. */
function servicesSummary(fates: readonly Fate[]): string {
	const healthy = fates.filter((f) => f === "healthy").length;
	const relaunched = fates.filter((f) => f === "relaunched").length;
	const would = fates.filter((f) => f === "dry-run-would-launch").length;
	const left = fates.length - healthy - relaunched - would;
	return `services: ${fates.length} registered — ${healthy} healthy, ${relaunched} relaunched, ${left} left/skipped${would === 0 ? "" : `, ${would} to relaunch`}`;
}

async function recoverOne(
	{ doors, settings, dryRun, stopsTakenBack }: RecoverContext,
	row: ServiceRow,
	panes: PaneRows,
	verdict: HealthVerdict | undefined,
): Promise<Fate> {
	const { log, files } = doors;
	const { home, config } = settings;
	const actor = config.SVC_RESTART_ACTOR;
	const { name } = row;
	const mark = readStopMark(files, home.stateDir, name);
	if (mark !== null && !(stopsTakenBack && mark.scope === "stack")) {
		log.info(
			`${name}: stopped-on-purpose; ${programName("svc")} start ${name}`,
		);
		return "stopped-on-purpose";
	}
	const opts = { home, panes, dryRun, actor, ...(verdict ? { verdict } : {}) };
	const act = () => bringUp(doors, row, opts);
	const done = dryRun
		? await act()
		: await aloneWith(doors, home.stateDir, name, act);
	if (done === null) return null;
	const { outcome, why } = done;
	if (outcome === "dry-run-would-launch") log.info(`${name}: would relaunch`);
	else if (outcome === "launch-failed" || outcome === "supervisor-unknown")
		log.warn(`${name}: ${outcome} (${why})`);
	else log.info(`${name}: ${outcome}`);
	return outcome;
}
