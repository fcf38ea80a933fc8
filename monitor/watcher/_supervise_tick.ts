/** One look of the orchestrator's monitor at the watcher (contract 01 §16.2): exit 0 while it is well, 1 when somebody must act. */
import { deadCutoff, livenessLimits } from "../_liveness/liveness-limits.ts";
import { confirmedVerdict } from "../_liveness/second-look.ts";
import { downMessage, wedgedMessage } from "../_liveness/supervisor-text.ts";
import { verdictLines } from "../_liveness/verdict.ts";
import { watcherIdentity } from "../_liveness/watcher-process.ts";
import type { Settings } from "../_state/settings.ts";
import { beatSupervisor } from "../_state/supervisor-heartbeat.ts";
import { stopRequested } from "../_state/watcher-stop-requested.ts";
import type { Doors } from "../_sys/doors.ts";
import { fsGuardStep } from "../_sys/fs-guard.ts";

/** `say` prints on standard error, without a prefix: the text is pasted and read as it stands. */
export async function superviseTick(
	doors: Doors,
	{ home, config }: Settings,
	say: (text: string) => void,
): Promise<0 | 1> {
	if (beatSupervisor(doors, home.stateDir).kind !== "ok")
		await fsGuardStep(
			doors,
			{
				dir: home.stateDir,
				root: home.root,
				throttleSeconds: config["monitor.rofs_alarm.throttle_seconds"],
			},
			"unknown",
		);
	const interval = config["monitor.interval_seconds"];
	const cutoff = deadCutoff(
		interval,
		config["monitor.scheduler.async_timeout_floor_seconds"],
	);
	const { verdict, moved } = await confirmedVerdict(
		doors,
		home.stateDir,
		watcherIdentity(doors.files, home.stateDir, home.codeRoot),
		livenessLimits(doors.proc.env, interval, cutoff),
	);
	if (moved || verdict.state === "UP" || verdict.state === "BUSY") return 0;
	// Down on purpose: a monitor that woke the orchestrator now would do so for ever.
	if (stopRequested(doors.files, home.stateDir) === "yes") return 0;
	say(
		verdict.state === "WEDGED"
			? wedgedMessage(verdictLines(verdict), home.codeRoot)
			: downMessage(verdict.reason, home.codeRoot),
	);
	return 1;
}
