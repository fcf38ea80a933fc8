/** `svc restart <service>` (contract 06 §6.2): ends it and starts it, and takes over one that runs without a supervisor. */
import { aloneWith } from "../_services/alone.ts";
import { type BroughtUp, bringUp } from "../_services/bring-up.ts";
import { isWell } from "../_services/decide.ts";
import { checkNow, endService, whyNotEnded } from "../_services/end.ts";
import { stopGroup } from "../_services/group-stop.ts";
import { isHealthy } from "../_services/healthcheck.ts";
import { launchService } from "../_services/launch.ts";
import { endLeftovers } from "../_services/leftovers.ts";
import { findOrphans, supervisorState } from "../_services/supervisor.ts";
import { writeRestartMarker } from "../_state/service-marks.ts";
import { clearStopMark, readStopMark } from "../_state/service-stop.ts";
import type { ServiceRow } from "../_state/services-registry.ts";
import { programName } from "../_sys/names.ts";
import { outcomeLine } from "./start-service.ts";
import type { ServiceVerb, SvcContext } from "./verb.ts";

/** Done nothing, on purpose. */
const REFUSED = 75;

interface End {
	readonly exit: 0 | 1;
	readonly line: string;
}

/** 0 it was started anew, 1 not, 75 it was stopped on purpose and it is not the operator who asks. */
export const run: ServiceVerb = async (row, ctx) => {
	const { doors, settings } = ctx;
	const { log, clock, files } = doors;
	for (const line of settings.problems) log.warn(line);
	const { home, config } = settings;
	const { name } = row;
	const actor = config.SVC_RESTART_ACTOR;
	const stopped = readStopMark(files, home.stateDir, name);
	if (stopped !== null && actor !== "operator") {
		log.warn(
			`${name}: left alone: it was stopped on purpose; ${programName("svc")} start ${name}`,
		);
		return REFUSED;
	}
	clearStopMark(files, home.stateDir, name);
	const mark = { actor, at: clock.now(), iso: clock.iso() };
	writeRestartMarker(files, home.stateDir, name, mark);
	const end = await aloneWith(doors, home.stateDir, name, () =>
		restartService(row, ctx),
	);
	if (end === null) return 1;
	if (end.exit === 0) log.info(end.line);
	else log.warn(end.line);
	return end.exit;
};

async function restartService(row: ServiceRow, ctx: SvcContext): Promise<End> {
	const { doors, settings } = ctx;
	const { home } = settings;
	const state = supervisorState(doors, home.stateDir, row);
	const isDown = state.kind === "absent" || state.kind === "stale";
	const known = isDown ? await checkNow(doors, home, row) : undefined;
	if (known !== undefined && isHealthy(known)) return reconcile(row, ctx);
	// Its failure is no reason to leave it down.
	const ended = await endService(doors, home, row, known ? { known } : {});
	const panes = await doors.tmux.panes();
	const done = await bringUp(doors, row, {
		home,
		panes,
		dryRun: false,
		// One check an action: one that hangs would take its minute at every step.
		...("check" in ended && { verdict: ended.check }),
	});
	return judgeStart(row.name, done);
}

/** It serves without a supervisor: end what is left of its group, else the one process that can be it, and start anew. */
async function reconcile(
	row: ServiceRow,
	{ doors, settings }: SvcContext,
): Promise<End> {
	const { home } = settings;
	const { name } = row;
	const cannot = (why: string): End => ({
		exit: 1,
		line: `${name}: CANNOT RECONCILE: ${why}`,
	});
	const left = await endLeftovers(doors, home.stateDir, name);
	const orphan = left === null ? theOneOrphan(doors, row) : null;
	if (orphan?.kind === "nobody")
		return cannot(
			`its healthcheck passes, its supervisor is gone, and ${orphan.why}; nothing was signalled`,
		);
	const ended = left ?? (orphan && (await stopGroup(doors, orphan.pid)));
	const why = ended && whyNotEnded(ended);
	if (why) return cannot(why);
	if (isHealthy(await checkNow(doors, home, row)))
		return { exit: 1, line: taken(name) };
	const launched = await launchService(doors, home, row);
	if (launched.kind === "failed")
		return { exit: 1, line: `${name}: launch-failed (${launched.why})` };
	return supervisorState(doors, home.stateDir, row).kind === "alive"
		? { exit: 0, line: `${name}: reconciled (pid ${launched.pid})` }
		: { exit: 1, line: `${name}: started, and its record names nobody alive` };
}

/** Whoever may be taken for the service without a record (contract 06 §6.2 step 3). */
function theOneOrphan(
	doors: SvcContext["doors"],
	row: ServiceRow,
):
	| { readonly kind: "found"; readonly pid: number }
	| { readonly kind: "nobody"; readonly why: string } {
	const nobody = (why: string) => ({ kind: "nobody", why }) as const;
	const found = findOrphans(doors, row);
	if (found.kind === "unknown") return nobody(found.reason);
	if (found.kind !== "ok") return nobody("no process table");
	const [pid, ...more] = found.value;
	if (pid === undefined)
		return nobody(
			`no process of ours runs its launch command in ${row.workdir}`,
		);
	return more.length === 0
		? { kind: "found", pid }
		: nobody(`several processes could be it (pids ${found.value.join(", ")})`);
}

/** Pure. After a restart, healthy without a start of ours means that somebody else answers. */
function judgeStart(name: string, done: BroughtUp): End {
	if (done.outcome === "healthy") return { exit: 1, line: taken(name) };
	return {
		exit: isWell(done.outcome) ? 0 : 1,
		line: outcomeLine(name, done),
	};
}

function taken(name: string): string {
	return `${name}: NOT started: its healthcheck passes with its own processes ended; someone else serves that endpoint`;
}
