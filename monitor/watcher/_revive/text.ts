/** What revive says to the orchestrator, and with which exit code it ends (contract 01 §16.3). Pure. */
import { monitorCommand } from "../../_liveness/supervisor-text.ts";
import type { Verdict } from "../../_liveness/verdict.ts";
import { programName } from "../../_sys/names.ts";
import type { Refrain } from "./decide.ts";

/** 0 nothing to do, 3 revived too often, 4 the disk, 5 it is alive. */
export const REFRAIN_EXIT: Readonly<Record<Refrain["kind"], 0 | 3 | 4 | 5>> = {
	stopped: 0,
	alive: 0,
	moved: 0,
	loop: 3,
	alarm: 4,
	"refuse-alive": 5,
};

/** One line for the orchestrator, who may run the commands in it. */
export function refrainText(why: Refrain, verdict: Verdict): string {
	switch (why.kind) {
		case "stopped":
			return `the watcher was stopped on purpose; nothing done (\`${programName("svc")} start watcher\` starts it)`;
		case "alive":
			return "the watcher is alive; nothing done";
		case "moved":
			return "the watcher moved at the second look; nothing done";
		case "alarm":
			return `not revived: ${why.why}`;
		case "refuse-alive":
			return `REFUSING to revive: a watcher is alive (process group ${why.pgids.join(", ")}) and moved ${verdict.progressAge ?? "?"}s ago; only its heartbeat is late. Nothing was killed.`;
		case "loop":
			return `not revived: ${why.count} revivals within ${why.windowSeconds}s; the watcher does not stay up. Read \`${programName("svc")} logs watcher\`.`;
	}
}

/** `rc`: exit code of `svc restart watcher`. */
export function restartText(
	rc: number,
	verdict: Verdict,
	codeRoot: string,
): string {
	if (rc !== 0) return `NOT revived: svc restart watcher ended with ${rc}`;
	return [
		`revived: exactly ONE live watcher runs now (${verdict.reason}). Check it with \`${programName("svc")} status\`.`,
		`Arm the supervisor again: ${monitorCommand(codeRoot)}`,
	].join("\n");
}
