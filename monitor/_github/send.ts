/** One call, whatever it asks: pause, deadline, shape, class (contract 02 §2.3 to §2.5). */
import type { GitHubPause, PauseBucket } from "../_state/github-pause.ts";
import { withDeadline } from "../_sys/deadline.ts";
import type { Clock } from "../_sys/doors.ts";
import type { RawAnswer } from "./client.ts";
import { classify, failure, type GhFailure } from "./errors.ts";
import type { Pauses } from "./pause.ts";

export type Answer<T> =
	| {
			readonly kind: "ok";
			readonly value: T;
			readonly status: number;
			/** Lower-case names. */
			readonly headers: Readonly<Record<string, string>>;
	  }
	| { readonly kind: "failed"; readonly failure: GhFailure };

/** How long a call may take, and what its answer must look like. */
export interface Call<T> {
	/** Milliseconds; then the call has failed as `timeout`. */
	readonly deadlineMs: number;
	/** The run's; an aborted call has failed as `timeout`, too. */
	readonly signal?: AbortSignal | undefined;
	/** Null: not what was asked for, so the call has failed as `malformed`. */
	readonly read: (data: unknown) => T | null;
}

export interface Sending<T> extends Call<T> {
	readonly ask: (signal: AbortSignal) => Promise<RawAnswer>;
	/** The pause that holds this call back; null: none does. */
	readonly heldBy: PauseBucket | null;
	/** The pause that a limit arms; null: none. */
	readonly arms: (
		limit: "rate_primary" | "rate_secondary",
	) => PauseBucket | null;
	/** Credentials of this call, which no message may show. */
	readonly secrets: readonly string[];
}

export interface SendDoors {
	readonly clock: Clock;
	readonly pauses: Pauses;
	/** Called with a pause that is on; true = it has been waited out. */
	readonly waitOut: (
		bucket: PauseBucket,
		until: number,
		signal: AbortSignal | undefined,
	) => Promise<boolean>;
}

/** Throws only for a bug (an error that is neither Octokit's nor `fetch`'s). */
export async function send<T>(
	doors: SendDoors,
	what: Sending<T>,
): Promise<Answer<T>> {
	const { clock, pauses } = doors;
	const { heldBy, deadlineMs, signal, secrets } = what;
	const gate = await passGate(doors, heldBy, signal);
	if (gate.kind === "closed") return failed(gate.failure);
	const got = await withDeadline(clock, deadlineMs, signal, what.ask);
	if (got.kind === "ended")
		return failed(failure("timeout", { message: got.why }));
	if (got.kind === "threw") {
		const why = classify(got.error, { timedOut: false, secrets });
		return failed(armed(doors, what, why));
	}
	const { status, headers, data } = got.value;
	const value = what.read(data);
	if (value === null) {
		const message = "the answer is not of the expected shape";
		return failed(failure("malformed", { status, message }));
	}
	if (heldBy !== null && gate.over !== null)
		pauses.succeeded(heldBy, gate.over);
	return { kind: "ok", value, status, headers };
}

type Gate =
	| { readonly kind: "open"; readonly over: GitHubPause | null }
	| { readonly kind: "closed"; readonly failure: GhFailure };

async function passGate(
	{ clock, pauses, waitOut }: SendDoors,
	bucket: PauseBucket | null,
	signal: AbortSignal | undefined,
): Promise<Gate> {
	if (bucket === null) return { kind: "open", over: null };
	let gate = pauses.look(bucket);
	if (
		gate.kind === "closed" &&
		(await waitOut(bucket, gate.pause.until, signal))
	)
		gate = pauses.look(bucket);
	if (gate.kind === "open") return gate;
	// The class is the one of the limit that was met, though this call is never sent.
	const { limit, until } = gate.pause;
	const message = `paused until ${clock.iso(until)} by ${pauses.path(bucket)}`;
	return {
		kind: "closed",
		failure: failure(`rate_${limit}`, { message, until, sent: false }),
	};
}

function armed<T>(
	{ pauses }: SendDoors,
	what: Sending<T>,
	failed: GhFailure,
): GhFailure {
	if (failed.kind !== "rate_primary" && failed.kind !== "rate_secondary")
		return failed;
	const bucket = what.arms(failed.kind);
	return bucket === null
		? failed
		: { ...failed, until: pauses.arm(bucket, failed) };
}

function failed(why: GhFailure): Answer<never> {
	return { kind: "failed", failure: why };
}
