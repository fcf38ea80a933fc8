/** Is there another instance that this host or another one runs (contract 01 §17, steps 1 and 10)? */
import { assessLock, remoteVerdict } from "../../_liveness/instance-guard.ts";
import { probeInstance } from "../../_liveness/instance-probe.ts";
import { preflightLines, refusalLines } from "../../_liveness/refusal-text.ts";
import type { Home } from "../../_state/home.ts";
import {
	instanceHeartbeatPath,
	readBeacon,
} from "../../_state/instance-heartbeat.ts";
import {
	instanceLockPath,
	parseInstanceMeta,
} from "../../_state/instance-lock.ts";
import type { Doors } from "../../_sys/doors.ts";

/** Lines of a refusal; null when the way is free. A lock that cannot be opened is no guard. */
export async function otherInstance(
	doors: Pick<Doors, "files" | "clock" | "proc" | "locks" | "log">,
	home: Home,
	windowSeconds: number,
): Promise<readonly string[] | null> {
	const { proc, clock } = doors;
	const lockPath = instanceLockPath(home.stateDir);
	const probe = await probeInstance(doors, home.stateDir);
	if (probe.kind === "cannot-open")
		doors.log.warn(`cannot open ${lockPath} (${probe.reason}): no guard`);
	const lockText = probe.kind === "held" ? probe.text : "";
	const assessment = assessLock(
		parseInstanceMeta(lockText),
		proc.hostname,
		proc.bootId(),
	);
	const lock = { root: home.root, lockPath, lockText, assessment };
	if (probe.kind === "held")
		return ["another instance holds the lock:", ...refusalLines(lock)];

	const read = readBeacon(doors.files, home.stateDir);
	const beaconText = read.kind === "ok" ? read.text : "";
	const remote = remoteVerdict(
		beaconText,
		proc.hostname,
		clock.now(),
		windowSeconds,
	);
	if (remote !== "live-remote") return null;
	return preflightLines("refuse-remote", {
		...lock,
		beaconPath: instanceHeartbeatPath(home.stateDir),
		beaconText,
		windowSeconds,
	});
}

/** `--instance-status`: who holds the lock, or whose words a free one still carries. */
export function instanceStatus(
	doors: Pick<Doors, "files" | "proc" | "locks">,
	stateDir: string,
): readonly string[] {
	const path = instanceLockPath(stateDir);
	const probe = doors.locks.probe(path);
	const indented = (text: string) =>
		text
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => `  ${line}`);
	if (probe.kind === "held") {
		const meta = parseInstanceMeta(probe.text);
		const assessment = assessLock(
			meta,
			doors.proc.hostname,
			doors.proc.bootId(),
		);
		return [
			"instance-lock: HELD",
			`  lock=${path}`,
			`  assessment=${assessment}`,
			...indented(probe.text),
		];
	}
	const recorded = doors.files.read(path);
	return [
		probe.kind === "free"
			? "instance-lock: free (no live holder)"
			: `instance-lock: could not look (${probe.reason})`,
		`  lock=${path}`,
		...(recorded.kind === "ok" ? indented(recorded.text) : []),
	];
}
