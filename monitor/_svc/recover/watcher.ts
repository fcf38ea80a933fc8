/** Recovery's first deed: a watcher (contract 06 §5.2 step 2). */
import { gatherLiveness } from "../../_liveness/liveness-facts.ts";
import { livenessLimits } from "../../_liveness/liveness-limits.ts";
import { livenessVerdict } from "../../_liveness/verdict.ts";
import { watcherIdentity } from "../../_liveness/watcher-process.ts";
import { stopRequested } from "../../_state/watcher-stop-requested.ts";
import { programName } from "../../_sys/names.ts";
import { type RecoverContext, runProgram } from "./context.ts";

const LIMIT_MS = 15 * 60_000;
/** The launcher's exit for what only the operator can settle: no sandbox and no leave, a configuration of placeholders. */
const REFUSED = 2;

/**
 * Says what it does; a launcher that fails is a warning, and recovery goes on. False: it refused, and what holds for
 * the watcher holds for every agent: without the operator's leave none may start outside a sandbox (contract 01 §17).
 */
export async function recoverWatcher(ctx: RecoverContext): Promise<boolean> {
	const { doors, settings, dryRun, stopsTakenBack } = ctx;
	const { files, proc, log } = doors;
	const { home, config } = settings;
	const identity = watcherIdentity(files, home.stateDir, home.codeRoot);
	const seconds = config["monitor.interval_seconds"];
	const { bucket } = livenessVerdict(
		gatherLiveness(doors, home.stateDir, identity),
		livenessLimits(proc.env, seconds),
	);
	const stop = stopsTakenBack ? "no" : stopRequested(files, home.stateDir);
	const plan = planWatcher(bucket, stop, dryRun);
	log.info(`watcher: ${plan.line}`);
	if (!plan.launch) return true;
	const target = ["--target", config["monitor.target_window"]];
	const standIn = proc.env.RECOVER_LAUNCHER_BIN;
	const rc = await runProgram(ctx, "launcher", ["--ensure", ...target], {
		limitMs: LIMIT_MS,
		...(standIn ? { standIn } : {}),
	});
	if (rc === 0) log.info("watcher: it runs");
	else log.warn(`watcher: not started (launcher exit ${rc ?? "none"})`);
	return rc !== REFUSED;
}

/** Pure. Recovery never ends a watcher that lives, and never revives one that was stopped on purpose. */
export function planWatcher(
	bucket: number,
	stop: "yes" | "no" | "unknown",
	dryRun: boolean,
): { readonly launch: boolean; readonly line: string } {
	if (bucket === 0) return { launch: false, line: "healthy" };
	if (bucket === 1 || bucket === 4)
		return {
			launch: false,
			line: `alive (${bucket === 1 ? "busy" : "wedged"}), left alone`,
		};
	if (stop !== "no")
		return {
			launch: false,
			line:
				stop === "yes"
					? `stopped on purpose; ${programName("svc")} start watcher`
					: "could not look whether it was stopped on purpose; left down",
		};
	// `--ensure` leaves one that lives after all: right after a suspend its heartbeat looks hours old.
	const how = `${programName("launcher")} --ensure`;
	return dryRun
		? { launch: false, line: `down; would run ${how}` }
		: { launch: true, line: `down; running ${how}` };
}
