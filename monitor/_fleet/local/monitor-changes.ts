/** Changing a scheduled job that stands (contract 09 §6.7): its name, its log and what was told of it stay. */
import { type JobSpec, jobSpecs } from "../../_state/fleet/monitor-spec.ts";
import { isoSeconds } from "../../_state/fleet/time.ts";
import { fail, ok } from "../failure.ts";
import type { R } from "../fleet.ts";
import type { LocalContext } from "./context.ts";
import { specProblem } from "./monitors.ts";

export type JobChange = Partial<
	Pick<
		JobSpec,
		"schedule" | "match" | "to" | "cwd" | "env" | "notifyOnSuccess" | "stopped"
	>
>;

/** A changed schedule is worked out anew at the next tick. */
export async function changeMonitor(
	{ doors, place }: LocalContext,
	name: string,
	change: JobChange,
): R<void> {
	const read = jobSpecs.read(doors, place.thrumDir, name);
	switch (read.kind) {
		case "absent":
			return fail("not-found", `no monitor ${name}`);
		case "unreadable":
			return fail("failed", read.why);
		case "damaged":
			return fail("refused", `monitor ${name} is damaged: ${read.why}`);
	}
	const updatedAt = isoSeconds(doors.clock.nowMs());
	const spec = { ...read.value, ...change, updatedAt };
	const why = specProblem(spec);
	if (why !== null) return fail("usage", why);
	const written = jobSpecs.write(doors, place.thrumDir, spec);
	return written.kind === "ok" ? ok(undefined) : fail("failed", written.reason);
}
