/** Starts a service without a window (contract 06 §3): a session of its own, a record, a log. */
import { dirname } from "node:path";
import type { ServiceRow } from "../_state/services-registry.ts";
import {
	parseRecord,
	supersedeRecord,
	supervisorDir,
	supervisorRecordPath,
} from "../_state/supervisor-record.ts";
import { recordRunning } from "../_state/version-record.ts";
import type { Doors, Proc } from "../_sys/doors.ts";
import { serviceSourceHash } from "./launch-token.ts";
import { serviceEnvironment, shellOf } from "./shell.ts";

export type LaunchOutcome =
	| { readonly kind: "launched"; readonly pid: number }
	| { readonly kind: "failed"; readonly why: string };

type Home = { readonly root: string; readonly stateDir: string };

const POLL_MS = 50;
const DEFAULT_WAIT_SECONDS = 10;
/** A loop that keeps a service up does not end by itself; one that is gone this soon never was. */
const EARLY_END_MS = 200;

/** Exit codes of the first process, when it never became the service. */
const NO_RECORD = 70;
const NO_FOLDER = 71;

/**
 * Runs as the first process of the session and becomes the service: pid, group and session are one number, and the
 * start time in the record is the service's own. The command goes through a shell of its own, so that quotes, pipes
 * and `$` mean what they mean in a terminal. A shell may not know process limits; that costs only the limit.
 */
const FIRST_PROCESS = `record=$1 workdir=$2 launch=$3 shell=$4
ns=$(readlink /proc/self/ns/pid 2>/dev/null)
IFS= read -r stat 2>/dev/null </proc/$$/stat && set -- \${stat##*) } && start=\${20}
printf '%s\\nns=%s\\nstart=%s\\n' "$$" "\${ns:-unknown}" "\${start:-unknown}" >"$record.tmp.$$" &&
	mv -f "$record.tmp.$$" "$record" || { rm -f "$record.tmp.$$"; exit ${NO_RECORD}; }
cd "$workdir" || exit ${NO_FOLDER}
ulimit -S -u "$(ulimit -H -u)" 2>/dev/null
exec "$shell" -c "$launch"`;

/** The caller has made sure that none runs. Waits for the record: without it a good start reads as a failure. */
export async function launchService(
	doors: Pick<Doors, "files" | "proc" | "clock" | "log">,
	home: Home,
	row: ServiceRow,
): Promise<LaunchOutcome> {
	const { files, proc, clock, log } = doors;
	const { stateDir } = home;
	const made = files.mkdir(supervisorDir(stateDir));
	if (made.kind === "failed") return { kind: "failed", why: made.reason };
	const aside = supersedeRecord(files, stateDir, row.name);
	if (aside.kind === "failed") return { kind: "failed", why: aside.reason };
	const record = supervisorRecordPath(stateDir, row.name);
	const started = startFirst(doors, home, row, record);
	if (started.kind === "failed") return { kind: "failed", why: started.reason };
	stampVersion(doors, stateDir, row);

	let end: number | null = null;
	void started.exited.then((code) => {
		end = code;
	});
	const waitSeconds = recordWaitSeconds(proc.env);
	const polls = Math.ceil((waitSeconds * 1000) / POLL_MS);
	for (let poll = 0; poll < polls; poll++) {
		const read = files.read(record);
		const found = read.kind === "ok" ? parseRecord(read.text) : null;
		if (found !== null) return stays(doors, found.pid, row);
		if (end !== null) return { kind: "failed", why: whyItEnded(end, row) };
		await clock.sleep(POLL_MS);
	}
	log.warn(`${row.name}: no record after ${waitSeconds}s (${record})`);
	return { kind: "failed", why: `no record after ${waitSeconds}s` };
}

/** A log that cannot be written is no reason for a service to be down: then what it says is lost. */
function startFirst(
	{ files, proc, log }: Pick<Doors, "files" | "proc" | "log">,
	home: Home,
	row: ServiceRow,
	record: string,
): ReturnType<Proc["spawnDetached"]> {
	const start = (path: string | null) =>
		proc.spawnDetached({
			argv: firstProcess(shellOf(proc), record, row),
			env: serviceEnvironment(proc.env, home),
			log: path,
		});
	const { name, logfile } = row;
	if (logfile === "/dev/null") return start(null);
	files.mkdir(dirname(logfile));
	const logged = start(logfile);
	if (logged.kind === "ok") return logged;
	const mute = start(null);
	if (mute.kind === "ok")
		log.warn(
			`${name}: its log ${logfile} cannot be written (${logged.reason}); what it says is lost`,
		);
	return mute;
}

function whyItEnded(end: number, { workdir, logfile }: ServiceRow): string {
	if (end === NO_RECORD) return "its record cannot be written";
	if (end === NO_FOLDER) return `${workdir} cannot be entered`;
	return `it ended at once (exit ${end}); its last words are in ${logfile}`;
}

/** argv of the session's first process. Pure. */
function firstProcess(
	shell: string,
	record: string,
	{ workdir, launch }: Pick<ServiceRow, "workdir" | "launch">,
): readonly string[] {
	const name = "nexus-service";
	return [shell, "-c", FIRST_PROCESS, name, record, workdir, launch, shell];
}

async function stays(
	{ proc, clock }: Pick<Doors, "proc" | "clock">,
	pid: number,
	{ logfile }: ServiceRow,
): Promise<LaunchOutcome> {
	for (let waited = 0; waited < EARLY_END_MS; waited += POLL_MS) {
		await clock.sleep(POLL_MS);
		if (!proc.alive(pid))
			return {
				kind: "failed",
				why: `it ended at once; its last words are in ${logfile}`,
			};
	}
	return { kind: "launched", pid };
}

/** What it runs from now on, for whoever compares that with the disk (§9.3). */
function stampVersion(
	{ files, clock }: Pick<Doors, "files" | "clock">,
	stateDir: string,
	row: ServiceRow,
): void {
	const source = serviceSourceHash(files, row);
	if (source?.kind !== "ok") return;
	const stamp = { hash: source.hash, now: clock.now() };
	recordRunning(files, stateDir, `service-${row.name}`, stamp);
}

function recordWaitSeconds(env: Proc["env"]): number {
	const text = env.NEXUS_RECOVER_PIDFILE_TIMEOUT ?? "";
	return /^\d{1,4}$/.test(text) ? Number(text) : DEFAULT_WAIT_SECONDS;
}
