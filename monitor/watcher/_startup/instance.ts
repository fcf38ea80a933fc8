/** One watcher per state dir: the flock for this host, the beacon for others (contract 01 §2.4, §2.5). */
import { assessLock, remoteVerdict } from "../../_liveness/instance-guard.ts";
import { refusalLines } from "../../_liveness/refusal-text.ts";
import {
	type Beacon,
	dropBeacon,
	parseBeacon,
	readBeacon,
	writeBeacon,
} from "../../_state/instance-heartbeat.ts";
import {
	instanceLockPath,
	parseInstanceMeta,
	renderInstanceMeta,
} from "../../_state/instance-lock.ts";
import type { Doors, HeldLock } from "../../_sys/doors.ts";
import type { Refusal } from "./plan.ts";

export type InstanceDoors = Pick<
	Doors,
	"clock" | "files" | "locks" | "log" | "proc"
>;

/** What the beacon says of this process for as long as it lives. */
export type Self = Omit<Beacon, "epoch" | "ts">;

export type Instance =
	| Refusal
	/** `lock` is null when the lock file could not be opened at all: the start goes on without this guard. */
	| { readonly kind: "held"; readonly lock: HeldLock | null };

/** The nonce is drawn anew, so that two watchers of one pid on two machines are told apart. */
export function selfOf(
	{ proc, random }: Pick<Doors, "proc" | "random">,
	root: string,
): Self {
	return {
		host: proc.hostname,
		bootId: proc.bootId(),
		pidNs: proc.pidNamespace(),
		pid: proc.pid,
		tmux: proc.env.TMUX || "none",
		nexusRoot: root,
		nonce: random.uuid(),
	};
}

/** Who only asks whether the lock is held holds it for an instant; that must not refuse a start. */
const TRIES = 3;
const TRY_AGAIN_MS = 200;

/** Takes the lock for the life of the process and publishes the first beacon. */
export async function takeInstance(
	doors: InstanceDoors,
	stateDir: string,
	self: Self,
	beaconWindowSeconds: number,
): Promise<Instance> {
	const path = instanceLockPath(stateDir);
	let attempt = doors.locks.hold(path);
	for (let n = 1; n < TRIES && attempt.kind === "held"; n++) {
		await doors.clock.sleep(TRY_AGAIN_MS);
		attempt = doors.locks.hold(path);
	}
	if (attempt.kind === "held") return heldByAnother(self, path, attempt.text);
	if (attempt.kind === "cannot-open")
		doors.log.warn(
			`cannot open ${path} (${attempt.reason}): starting without the instance lock`,
		);
	const lock = attempt.kind === "acquired" ? attempt.lock : null;

	const elsewhere = liveElsewhere(doors, stateDir, self, beaconWindowSeconds);
	if (elsewhere !== null) {
		lock?.release();
		return elsewhere;
	}
	lock?.write(metadata(doors, self));
	const epoch = doors.clock.now();
	const ts = doors.clock.iso(epoch);
	const beacon = writeBeacon(doors.files, stateDir, { ...self, epoch, ts });
	// A disk that is full keeps the dead one's, which would fence us off at the first look.
	if (beacon.kind === "failed" && lock !== null)
		dropBeacon(doors.files, stateDir);
	return { kind: "held", lock };
}

function heldByAnother(self: Self, lockPath: string, lockText: string) {
	const meta = parseInstanceMeta(lockText);
	const assessment = assessLock(meta, self.host, self.bootId);
	const facts = { root: self.nexusRoot, lockPath, lockText, assessment };
	return refusal([
		"another nexus instance holds the instance lock; not starting",
		...refusalLines(facts),
	]);
}

/** Only a fresh beacon of another host refuses: a corrupt one must never keep a restart from starting. */
function liveElsewhere(
	{ clock, files }: InstanceDoors,
	stateDir: string,
	self: Self,
	windowSeconds: number,
): Refusal | null {
	const read = readBeacon(files, stateDir);
	const text = read.kind === "ok" ? read.text : "";
	const verdict = remoteVerdict(text, self.host, clock.now(), windowSeconds);
	if (verdict !== "live-remote") return null;
	const { host, ts } = parseBeacon(text);
	return refusal([
		`a watcher is running on host ${host ?? "?"} (last beacon ${ts ?? "?"}); not starting`,
		`  it counts as gone ${windowSeconds}s after its last beacon`,
	]);
}

function metadata({ clock, proc }: InstanceDoors, self: Self): string {
	const { env } = proc;
	const sandbox = env.SANDBOX_ACTIVE === "1" ? env.SANDBOX_PROJECT_DIR : "";
	return renderInstanceMeta({
		pid: String(self.pid),
		host: self.host,
		bootId: self.bootId,
		pidNs: self.pidNs,
		sandbox: sandbox || null,
		tmux: env.TMUX || null,
		user: env.USER || env.LOGNAME || null,
		nexusRoot: self.nexusRoot,
		startedAt: clock.iso(),
	});
}

function refusal(lines: readonly string[]): Refusal {
	return { kind: "refused", exit: 4, lines };
}
