/** First action of every orchestrator turn: is a watcher there, and what was missed (contract 01 §19). */
import type { StartConfig } from "../../config/start.ts";
import { livenessLimits } from "../_liveness/liveness-limits.ts";
import { confirmedVerdict } from "../_liveness/second-look.ts";
import { watcherIdentity } from "../_liveness/watcher-process.ts";
import type { Home } from "../_state/home.ts";
import { readLastAck, writeLastAck } from "../_state/last-ack.ts";
import type { Settings } from "../_state/settings.ts";
import { watcherBootstrapLockPath } from "../_state/watcher-bootstrap-lock.ts";
import { stopRequested } from "../_state/watcher-stop-requested.ts";
import type { Doors } from "../_sys/doors.ts";
import { programArgv } from "../_sys/names.ts";
import { type BootstrapPlan, decideBootstrap } from "./_bootstrap/decide.ts";
import { fileIncident } from "./_bootstrap/incident.ts";
import { missedDiffs, renderDiff } from "./_bootstrap/missed-diffs.ts";

const LAUNCH_LIMIT_MS = 15 * 60_000;
const RECOVER_LIMIT_MS = 10 * 60_000;

export interface BootstrapInput {
	readonly settings: Settings;
	/** Why the watcher would not start on this configuration; null when it would. */
	readonly refusal: Extract<StartConfig, { kind: "refused" }> | null;
	readonly updateAck: boolean;
	/** Standard output: missed reports alone. */
	readonly print: (text: string) => void;
}

/** 0, or 1 when the watcher is down and could not be started. */
export async function bootstrap(
	doors: Doors,
	input: BootstrapInput,
): Promise<0 | 1> {
	const { home } = input.settings;
	const { refusal } = input;
	for (const line of refusal?.lines ?? []) doors.log.warn(line);
	// A fresh clone without a file of its own: nothing here is ours to look after yet.
	if (refusal?.why === "placeholder") return 1;
	doors.files.mkdir(home.stateDir);
	const lock = doors.locks.hold(watcherBootstrapLockPath(home.stateDir));
	if (lock.kind === "held") {
		doors.log.info("another agent is bootstrapping; skipping");
		return 0;
	}
	if (lock.kind === "cannot-open")
		doors.log.warn(`no bootstrap lock (${lock.reason}); going on without`);
	try {
		return await bootstrapAlone(doors, input);
	} finally {
		if (lock.kind === "acquired") lock.lock.release();
	}
}

async function bootstrapAlone(
	doors: Doors,
	input: BootstrapInput,
): Promise<0 | 1> {
	const { home } = input.settings;
	const plan = await planBootstrap(doors, input);
	if (plan.kind !== "launch") doors.log.info(plan.line);
	if (plan.kind === "refuse") return 1;
	const started =
		plan.kind === "leave" || (await startDead(doors, home, plan.reason));
	handOver(doors, home.stateDir, input);
	return started ? 0 : 1;
}

async function planBootstrap(
	doors: Doors,
	{ settings, refusal }: BootstrapInput,
): Promise<BootstrapPlan> {
	const { home, config } = settings;
	const { verdict, moved } = await confirmedVerdict(
		doors,
		home.stateDir,
		watcherIdentity(doors.files, home.stateDir, home.codeRoot),
		livenessLimits(doors.proc.env, config["monitor.interval_seconds"]),
	);
	return decideBootstrap({
		verdict,
		moved,
		stopRequested: stopRequested(doors.files, home.stateDir),
		configUsable: refusal === null,
	});
}

/** True when the launcher says that a watcher runs now. `BOOTSTRAP_LAUNCHER_BIN` stands in for it. */
async function startDead(
	doors: Doors,
	home: Home,
	reason: string,
): Promise<boolean> {
	const { proc, log } = doors;
	log.warn(`watcher down: ${reason}; starting it`);
	const incident = await fileIncident(doors, home, reason);
	log.info(
		incident.written.kind === "ok"
			? `incident report: ${incident.path}`
			: `no incident report: ${incident.written.reason}`,
	);
	const bin = proc.env.BOOTSTRAP_LAUNCHER_BIN;
	const argv = bin
		? [bin, "--ensure"]
		: programArgv(proc.execPath, "launcher", ["--ensure"], home.codeRoot);
	const done = await proc.exec(argv, { timeoutMs: LAUNCH_LIMIT_MS });
	const rc = done.kind === "exited" ? done.rc : 1;
	if (done.kind === "exited") sayAll(log, `${done.stderr}${done.stdout}`);
	if (rc !== 0) log.warn(`launcher failed (${done.kind}, exit ${rc})`);
	const recover = ["--services-only"];
	const recovered = await proc.exec(
		programArgv(proc.execPath, "bootstrapRecover", recover, home.codeRoot),
		{ timeoutMs: RECOVER_LIMIT_MS },
	);
	if (recovered.kind === "exited") sayAll(log, recovered.stderr);
	return rc === 0;
}

function handOver(
	doors: Pick<Doors, "files" | "clock" | "log">,
	stateDir: string,
	{ updateAck, print }: BootstrapInput,
): void {
	const untilMs = doors.clock.nowMs();
	const ack = readLastAck(doors.files, stateDir);
	const missed = missedDiffs(
		doors.files,
		stateDir,
		ack?.mtimeMs ?? null,
		untilMs,
	);
	if (missed === null) {
		doors.log.warn("the archive of reports could not be listed; not acked");
		return;
	}
	for (const diff of missed) print(renderDiff(diff));
	if (missed.length === 0)
		doors.log.info(`no missed diffs since ${ack?.ts ?? "the beginning"}`);
	if (updateAck) writeLastAck(doors, stateDir, untilMs);
}

function sayAll(log: Doors["log"], text: string): void {
	if (text.trim() !== "") log.info(text.trimEnd());
}
