/** Takes up the result of a run: its message, its row, what the next run must know (contract 09 §7.2). */
import { appendRun, type RunOutcome } from "../../_state/fleet/monitor-log.ts";
import {
	type JobRuntime,
	readRuntime,
	writeRuntime,
} from "../../_state/fleet/monitor-run.ts";
import { type JobSpec, jobSpecs } from "../../_state/fleet/monitor-spec.ts";
import { isoSeconds } from "../../_state/fleet/time.ts";
import { failureText } from "../failure.ts";
import { compileMatch } from "../job-lines.ts";
import { type JobRun, outcomeOf } from "../job-outcome.ts";
import type { LocalContext } from "../local/context.ts";
import { post } from "../local/mail.ts";
import { NOT_STARTED_EXIT, TIMEOUT_EXIT } from "./run.ts";

export interface Finished {
	readonly spec: JobSpec;
	readonly generation: number;
	readonly run: JobRun;
	readonly seconds: number;
}

/** Who is to be told of new mail; null: nobody. A result of a job that is not there any more, or of an older run, is dropped. */
export async function finish(
	ctx: LocalContext,
	{ spec, generation, run, seconds }: Finished,
): Promise<string | null> {
	const { doors, place, settings } = ctx;
	const { thrumDir } = place;
	const current = jobSpecs.read(doors, thrumDir, spec.name);
	const runtime = readRuntime(doors.files, thrumDir, spec.name);
	const isOurs = current.kind === "ok" && current.value.id === spec.id;
	if (!isOurs || runtime.generation !== generation) return null;
	const outcome = outcomeOf(
		run,
		{
			name: spec.name,
			// It compiled when the job was started; a spec that was edited by hand matches nothing.
			match: compileMatch(spec.match) ?? /(?!)/,
			notifyOnSuccess: spec.notifyOnSuccess,
			limitBytes: settings.messageLimitBytes,
		},
		heldOf(runtime),
		doors.clock.now(),
	);
	const messageId =
		outcome.delivery === null
			? null
			: await tell(ctx, spec, outcome.delivery.body);
	// What could not be sent is not held: the next run tells it.
	const isTold = outcome.delivery === null || messageId !== null;
	const held = isTold ? outcome.held : heldOf(runtime);
	const at = isoSeconds(doors.clock.nowMs());
	writeRuntime(doors.files, thrumDir, spec.name, {
		...runtime,
		running: null,
		lastExitCode: run.exitCode,
		lastExitAt: at,
		heldExitCode: held?.exitCode ?? null,
		heldSince: held?.since ?? null,
	});
	appendRun(doors.files, thrumDir, spec.name, {
		at,
		seconds,
		messageId,
		outcome: wordFor(run.exitCode, outcome.matched),
		exitCode: run.exitCode,
		matched: outcome.matched,
	});
	return messageId === null ? null : spec.to;
}

/** The message's id; null when it could not be sent. */
export async function tell(
	ctx: LocalContext,
	spec: JobSpec,
	body: string,
): Promise<string | null> {
	const sent = await post(ctx, {
		from: `monitor:${spec.name}`,
		to: spec.to,
		body,
		scopes: [{ type: "monitor", value: spec.name }],
	});
	if (sent.kind === "ok") return sent.value.messageId;
	ctx.doors.log.warn(`fleet: monitor ${spec.name}: ${failureText(sent)}`);
	return null;
}

function heldOf({ heldExitCode, heldSince }: JobRuntime) {
	return heldExitCode === null || heldSince === null
		? null
		: { exitCode: heldExitCode, since: heldSince };
}

function wordFor(exitCode: number, matched: number): RunOutcome {
	if (exitCode === TIMEOUT_EXIT) return "timeout";
	if (exitCode === NOT_STARTED_EXIT) return "not-started";
	if (exitCode !== 0) return "failed";
	return matched > 0 ? "matched" : "ok";
}
