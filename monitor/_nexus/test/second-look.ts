/** A test that failed once and passes alone is named as flaky, not as broken: real programs share two cores (pure). */
import type { Job } from "./groups.ts";
import type { Tally } from "./junit.ts";

/** The failed files of a run as a job of their own; null when none can be named. */
export function secondLook(job: Job, first: Tally): Job | null {
	const files = job.files.filter((file) =>
		first.failures.some((failure) => failure.startsWith(file)),
	);
	return files.length === 0 ? null : { ...job, files, workers: 1 };
}

/** Both runs as one: what failed twice has failed. */
export function merged(
	first: Tally,
	again: Tally,
): { readonly tally: Tally; readonly flaky: readonly string[] } {
	const flaky = first.failures.filter((f) => !again.failures.includes(f));
	return {
		tally: {
			passed: first.passed + flaky.length,
			skipped: first.skipped,
			failures: again.failures,
		},
		flaky,
	};
}
