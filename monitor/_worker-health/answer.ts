/** `worker-health`: a worker tells how its job is (contract 08 §4.4). */
import {
	clearWorkerHealth,
	HEALTH_WORDS,
	JOB_KINDS,
	readWorkerHealth,
	renderWorkerHealth,
	type WorkerHealth,
	writeWorkerHealth,
} from "../_state/worker-health.ts";
import { parseCli } from "../_sys/cli.ts";
import type { Clock, Files } from "../_sys/doors.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";

export interface HealthDoors {
	readonly files: Files;
	readonly clock: Clock;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stateDir: string;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

const REFUSED = 2;
const USAGE = `usage: worker-health --health ${HEALTH_WORDS.join("|")} [--runtime SECONDS] [--kind ${JOB_KINDS.join("|")}] [--job-id ID] [--note TEXT]
       worker-health --show | --clear`;

/** The exit code. `--show` prints the answer that stands, `--clear` takes it back. */
export function answerHealth(
	argv: readonly string[],
	doors: HealthDoors,
): number {
	const { files, clock, env, stateDir, out, err } = doors;
	const refuse = (why: string) => {
		err(why);
		return REFUSED;
	};
	const cli = parseCli(argv, {
		flags: {
			"--health": "value",
			"--runtime": "text",
			"--kind": "value",
			"--job-id": "text",
			"--note": "text",
			"--show": "switch",
			"--clear": "switch",
		},
	});
	if (cli.kind === "help") {
		out(USAGE);
		return 0;
	}
	if (cli.kind === "refused") return refuse(`${cli.message}\n${USAGE}`);
	if (argv.length === 0) return refuse(USAGE);
	const window = env.NEXUS_WORKER_WINDOW ?? "";
	if (window === "") return refuse("NEXUS_WORKER_WINDOW is not set");
	const badName = validateWindowName(window);
	if (badName !== null) return refuse(badName);
	if (cli.on("--show")) {
		const shown = readWorkerHealth(files, stateDir, window);
		if (shown !== null) out(renderWorkerHealth(shown).trimEnd());
		return 0;
	}
	if (cli.on("--clear")) {
		clearWorkerHealth(files, stateDir, window);
		return 0;
	}
	const health = HEALTH_WORDS.find((word) => word === cli.value("--health"));
	const kind = cli.value("--kind") ?? "other";
	if (health === undefined)
		return refuse(`--health is one of ${HEALTH_WORDS.join(", ")}`);
	if (!JOB_KINDS.some((known) => known === kind))
		return refuse(`--kind is one of ${JOB_KINDS.join(", ")}`);
	const runtime = cli.value("--runtime") ?? "";
	const record: WorkerHealth = {
		window,
		health,
		jobKind: kind,
		jobId: cli.value("--job-id") ?? "",
		expectedRuntimeSeconds: /^\d{1,9}$/.test(runtime) ? Number(runtime) : 0,
		note: cli.value("--note") ?? "",
		writtenAt: clock.now(),
	};
	if (health === "running" && record.expectedRuntimeSeconds === 0)
		err(
			"no --runtime in seconds: the watcher will ask again after its slack alone",
		);
	const done = writeWorkerHealth(files, stateDir, record);
	return done.kind === "ok" ? 0 : refuse(done.reason);
}
