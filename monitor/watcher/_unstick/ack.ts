/** The orchestrator says that it has seen to its workers after a usage limit (contract 04 §8.5). */
import { readActionLog } from "../../_state/action-log.ts";
import { dropCascade, readCascade } from "../../_state/ratelimit-episode.ts";
import { note, type UnstickPass } from "./pass.ts";

const EVENT = "ratelimit-resume-ack";

export type AckVerdict =
	| { readonly kind: "acknowledged"; readonly at: number }
	| { readonly kind: "unresponsive" }
	| { readonly kind: "waiting" };

/** Pure; epoch seconds. Only what was said after the cascade answers it. */
export function judgeAck(
	cascadeAt: number,
	ackedAt: number | null,
	now: number,
	timeoutSeconds: number,
): AckVerdict {
	if (ackedAt !== null && ackedAt > cascadeAt)
		return { kind: "acknowledged", at: ackedAt };
	return {
		kind: now - cascadeAt >= timeoutSeconds ? "unresponsive" : "waiting",
	};
}

/** No restart follows: the orchestrator may be slow, and the next report finds it. */
export function checkAck(pass: UnstickPass): void {
	const { run, ctx, now } = pass;
	const cascadeAt = readCascade(run.doors.files, ctx.stateDir);
	if (cascadeAt === null) return;
	const events = readActionLog(run.doors, ctx.stateDir, [EVENT]) ?? [];
	const newest = events.findLast(({ at }) => at !== null)?.at ?? null;
	const timeout = ctx.config["monitor.watcher.ratelimit_ack_timeout_s"];
	const verdict = judgeAck(cascadeAt, newest, now, timeout);
	if (verdict.kind === "waiting") return;
	dropCascade(run.doors.files, ctx.stateDir);
	if (verdict.kind === "acknowledged") {
		const latency = verdict.at - cascadeAt;
		note(pass, {
			window: null,
			case: "B",
			action: "orchestrator-ack",
			fields: { ack_ts: verdict.at, latency_s: latency },
		});
		return;
	}
	note(pass, {
		window: null,
		case: "B",
		action: "orchestrator-unresponsive",
		fields: { cascade_age_s: now - cascadeAt, timeout_s: timeout },
	});
}
