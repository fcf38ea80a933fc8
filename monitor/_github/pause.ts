/**
 * The pause that everybody keeps (contract 02 §2.5). One process meets a limit of GitHub's; all others
 * of this state dir leave GitHub alone until it is over. No pause outlasts its bound.
 */
import type { StateDoors } from "../_state/damaged.ts";
import {
	type GitHubPause,
	gitHubPausePath,
	type PauseBucket,
	readGitHubPause,
	removeGitHubPause,
	writeGitHubPause,
} from "../_state/github-pause.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import { type GhFailure, resetEpoch } from "./errors.ts";

/** `open.over`: a pause that has ended; the first success after it ends the streak as well. */
export type PauseDecision =
	| { readonly kind: "open"; readonly over: GitHubPause | null }
	| { readonly kind: "closed"; readonly pause: GitHubPause }
	| { readonly kind: "incredible"; readonly reason: "ceiling" | "clock" };

/** The longest pause, seconds. */
const PAUSE_BOUND_SECONDS = 900;

/** `now`: epoch seconds. A clock that went back makes a pause incredible: no mute may outlast its bound. */
export function decidePause(
	pause: GitHubPause | null,
	now: number,
): PauseDecision {
	if (pause === null) return { kind: "open", over: null };
	if (pause.until - pause.armed > PAUSE_BOUND_SECONDS)
		return { kind: "incredible", reason: "ceiling" };
	if (now < pause.armed) return { kind: "incredible", reason: "clock" };
	return now >= pause.until
		? { kind: "open", over: pause }
		: { kind: "closed", pause };
}

/** What to write after a limit. A limit that was met while the pause was on is the same limit. */
export function nextPause(
	before: GitHubPause | null,
	failure: GhFailure,
	now: number,
): GitHubPause {
	const decided = decidePause(before, now);
	const streak = decided.kind === "incredible" ? 0 : (before?.streak ?? 0);
	const isOn = decided.kind === "closed";
	const earlier = isOn ? Math.max(0, streak - 1) : streak;
	const until = Math.min(
		resetEpoch(failure, now, earlier),
		now + PAUSE_BOUND_SECONDS,
	);
	const secondary = failure.kind === "rate_secondary";
	return {
		until: isOn ? Math.max(until, decided.pause.until) : until,
		armed: now,
		streak: secondary ? earlier + 1 : 0,
		limit: secondary ? "secondary" : "primary",
	};
}

export interface Pauses {
	/** May a call of this bucket be sent now? What cannot be believed is removed, with one row. */
	look(bucket: PauseBucket): Exclude<PauseDecision, { kind: "incredible" }>;
	/** Writes the pause of a `rate_*` failure; answers when it ends, epoch seconds. */
	arm(bucket: PauseBucket, failure: GhFailure): number;
	/** A call that was sent after the end of `over` succeeded. */
	succeeded(bucket: PauseBucket, over: GitHubPause): void;
	path(bucket: PauseBucket): string;
}

/**
 * Epoch seconds. A pause that cannot be believed is taken away, with an alert; `succeeded` ends only the pause that
 * its call was sent under.
 */
export function pausesOf(doors: StateDoors, stateDir: string): Pauses {
	const { files, clock, log } = doors;
	const read = (bucket: PauseBucket): GitHubPause | null => {
		const got = readGitHubPause(doors, stateDir, bucket);
		return got.kind === "ok" ? got.value : null;
	};
	return {
		look: (bucket) => {
			const pause = read(bucket);
			const now = clock.now();
			const decided = decidePause(pause, now);
			if (decided.kind !== "incredible") return decided;
			removeGitHubPause(files, stateDir, bucket);
			appendAlert(
				doors,
				stateDir,
				"WARN",
				`${bucket} github_pause_reconciled reason=${decided.reason} armed=${pause?.armed} until=${pause?.until} now=${now}`,
			);
			return { kind: "open", over: null };
		},
		arm: (bucket, failure) => {
			const pause = nextPause(read(bucket), failure, clock.now());
			writeGitHubPause(files, stateDir, bucket, pause);
			log.warn(
				`github: ${pause.limit} rate limit: no ${bucket} call before ${clock.iso(pause.until)}`,
			);
			return pause.until;
		},
		succeeded: (bucket, over) => {
			// Another process may have met the limit again since this call was sent.
			if (read(bucket)?.armed === over.armed)
				removeGitHubPause(files, stateDir, bucket);
		},
		path: (bucket) => gitHubPausePath(stateDir, bucket),
	};
}
