/** Ends, or defers to, the watchers that are there already (contract 01 §17, steps 5 and 6). */
import { reapGroup } from "../../_liveness/reap-group.ts";
import type { WatcherIdentity } from "../../_liveness/watcher-process.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { Audit } from "./audit.ts";
import { decideLaunch, type LaunchMode, type Reap } from "./decide.ts";
import { gatherLaunch } from "./gather.ts";

export type Cleared =
	| { readonly kind: "stop"; readonly exit: 0 | 1 | 5 | 6 }
	| {
			readonly kind: "clear";
			readonly writable: boolean;
			/** The pidfile names nobody of ours. It goes only when the instance lock is free, too: pids of another namespace mean nothing here. */
			readonly stalePidfile: boolean;
	  };

/** `killWaitSeconds`: how long a group gets between TERM and KILL. */
export async function clearTheWay(
	doors: Pick<Doors, "files" | "clock" | "log" | "proc">,
	stateDir: string,
	identity: WatcherIdentity,
	mode: LaunchMode,
	killWaitSeconds: number,
	audit: Audit,
): Promise<Cleared> {
	const facts = gatherLaunch(doors, stateDir, identity, mode);
	const plan = decideLaunch(facts);
	if (plan.kind === "stop") {
		if (plan.event !== null) audit(plan.event);
		doors.log.info(plan.message);
		return { kind: "stop", exit: plan.exit };
	}
	for (const left of plan.leave) audit(left);
	for (const reap of plan.reap)
		if (!(await carryOut(doors, reap, killWaitSeconds, identity, audit)))
			return { kind: "stop", exit: 6 };
	return {
		kind: "clear",
		writable: facts.writable,
		stalePidfile: plan.stalePidfile,
	};
}

/** False when the group outlived KILL. */
async function carryOut(
	doors: Pick<Doors, "files" | "clock" | "log" | "proc">,
	{ pgid, event }: Reap,
	killWaitSeconds: number,
	identity: WatcherIdentity,
	audit: Audit,
): Promise<boolean> {
	const done = await reapGroup(doors, pgid, killWaitSeconds, identity);
	switch (done.kind) {
		case "reaped":
			audit(`${event} pgid=${pgid}`);
			return true;
		case "empty":
			return true;
		case "survivors":
			audit(`refuse-unkillable pgid=${pgid} pids=${done.pids.join(",")}`);
			doors.log.warn(
				`watcher group ${pgid} outlived SIGKILL (pids ${done.pids.join(", ")}); no second watcher was started beside it`,
			);
			return false;
		case "unverified":
			audit(`refuse-unverified-group pgid=${pgid}`);
			return true;
		case "refused":
			audit(`refuse-unverified-group pgid=${pgid} (${done.reason})`);
			doors.log.warn(`group ${pgid} was not ended: ${done.reason}`);
			return true;
	}
}
