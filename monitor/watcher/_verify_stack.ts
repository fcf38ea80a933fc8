/** Waits until the stack is healthy after a start (contract 01 §18). Part 1's stack is the watcher. */
import { gatherLiveness } from "../_liveness/liveness-facts.ts";
import { livenessLimits } from "../_liveness/liveness-limits.ts";
import { livenessVerdict, type Verdict } from "../_liveness/verdict.ts";
import { watcherIdentity } from "../_liveness/watcher-process.ts";
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";

const LOOK_MS = 500;

/** The last verdict, and whether it came to be UP or BUSY within `monitor.boot_verify_timeout`. */
export async function verifyStack(
	doors: Pick<Doors, "files" | "proc" | "clock" | "locks">,
	{ home, config }: Settings,
): Promise<{ readonly healthy: boolean; readonly verdict: Verdict }> {
	const identity = watcherIdentity(doors.files, home.stateDir, home.codeRoot);
	const limits = livenessLimits(
		doors.proc.env,
		config["monitor.interval_seconds"],
	);
	const looks = Math.ceil(
		(config["monitor.boot_verify_timeout"] * 1000) / LOOK_MS,
	);
	for (let look = 0; ; look++) {
		const facts = gatherLiveness(doors, home.stateDir, identity);
		const verdict = livenessVerdict(facts, limits);
		const healthy = verdict.state === "UP" || verdict.state === "BUSY";
		if (healthy || look >= looks) return { healthy, verdict };
		await doors.clock.sleep(LOOK_MS);
	}
}
