/** The soft ceiling of processes for a worker: one that forks without end must not take the machine with it. */

const DEFAULT_LIMIT = 8192;

/** `NEXUS_WORKER_NPROC_LIMIT`; 0 = none. */
export function processLimit(
	env: Readonly<Record<string, string | undefined>>,
	warn: (message: string) => void,
): number {
	const text = env.NEXUS_WORKER_NPROC_LIMIT;
	if (text === undefined || text === "") return DEFAULT_LIMIT;
	if (/^\d{1,9}$/.test(text)) return Number(text);
	warn(
		`NEXUS_WORKER_NPROC_LIMIT is not a number; ${DEFAULT_LIMIT} is used instead`,
	);
	return DEFAULT_LIMIT;
}
