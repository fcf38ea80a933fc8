/** A fleet that is kept here, with one job that the watcher runs: it takes its time, fails, hangs, and must never run twice at once. */
import { writeBackend } from "../monitor/_state/fleet/backend.ts";
import { jobSpecs } from "../monitor/_state/fleet/monitor-spec.ts";
import type { FakeDoors } from "../tests/fakes/doors.ts";
import { ROOT } from "./place.ts";

const THRUM = `${ROOT}/.thrum`;
const PROGRAM = "/opt/sweep";
/** What `SCHEDULE` says. */
export const JOB_EVERY_MS = 1_200_000;
const SCHEDULE = "*/20 * * * *";

export interface SimFleet {
	/** Runs that begin from now on do not end, or do again. */
	hangs(isHung: boolean): void;
	/** Monotonic ms of its newest start; null: it never was. */
	startedMs(): number | null;
	readonly wrongs: readonly string[];
}

export function simFleet(doors: FakeDoors): SimFleet {
	const { clock, proc, random } = doors;
	const wrongs: string[] = [];
	let isHung = false;
	let pid: number | null = null;
	let startedMs: number | null = null;

	writeBackend(doors.files, THRUM, "local");
	const at = clock.iso();
	jobSpecs.write(doors, THRUM, {
		id: "job-1",
		name: "sweep",
		argv: [PROGRAM],
		match: "found",
		to: "steward",
		cwd: ROOT,
		env: {},
		schedule: SCHEDULE,
		notifyOnSuccess: false,
		stopped: false,
		createdAt: at,
		updatedAt: at,
	});

	const spawn = proc.spawnDetached;
	proc.spawnDetached = (s) => {
		const begun = spawn(s);
		if (begun.kind !== "ok" || s.argv[0] !== PROGRAM) return begun;
		if (pid !== null && proc.alive(pid))
			wrongs.push(`${clock.iso()} the job was started beside itself`);
		pid = begun.pid;
		startedMs = clock.monoMs();
		const ms = 1_000 + random.float() * 120_000;
		const code = random.float() < 0.3 ? 1 : 0;
		if (!isHung) clock.after(ms, () => proc.end(begun.pid, code));
		return begun;
	};

	return {
		wrongs,
		hangs: (hung) => {
			isHung = hung;
		},
		startedMs: () => startedMs,
	};
}
