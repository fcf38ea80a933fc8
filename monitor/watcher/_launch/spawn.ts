/** Starts the watcher and waits until it lives (contract 01 §17, steps 11 to 13). */
import {
	checkWatcher,
	listWatcherGroups,
	type WatcherIdentity,
} from "../../_liveness/watcher-process.ts";
import type { Home } from "../../_state/home.ts";
import {
	degradedLogPath,
	rotateWatcherLog,
	watcherLogPath,
} from "../../_state/watcher-log.ts";
import { peekWatcherPid } from "../../_state/watcher-pid.ts";
import type { Doors } from "../../_sys/doors.ts";
import { programArgv } from "../../_sys/names.ts";
import { judgeSpawn, type SpawnVerdict } from "./decide.ts";

const LOOKS = 60;
const LOOK_MS = 250;
const TAIL_BYTES = 4096;

type SpawnDoors = Pick<Doors, "files" | "clock" | "proc">;

export interface SpawnPlan {
	readonly home: Home;
	readonly identity: WatcherIdentity;
	readonly target: string;
	readonly env: Readonly<Record<string, string>>;
	readonly writable: boolean;
}
export type Spawned = SpawnVerdict & {
	readonly log: string;
	/** What the watcher wrote since it was started; for the one who asks why it is gone. */
	readonly said: string;
};

/** Returns when the watcher has said that it lives, or its time is over; what it logged meanwhile goes along. */
export async function spawnWatcher(
	doors: SpawnDoors,
	plan: SpawnPlan,
): Promise<Spawned> {
	const { home, identity } = plan;
	if (plan.writable) rotateWatcherLog(doors.files, home.stateDir);
	const log = plan.writable
		? watcherLogPath(home.stateDir)
		: degradedLogPath(doors.files, plan.env, doors.proc.uid);
	const before = log === null ? null : doors.files.stat(log);
	const from = before?.kind === "ok" ? before.stat.size : 0;
	const child = doors.proc.spawnDetached({
		argv: programArgv(
			doors.proc.execPath,
			"watcherMain",
			["--target", plan.target],
			home.codeRoot,
		),
		cwd: home.root,
		env: plan.env,
		log,
	});
	const livePid =
		child.kind === "ok"
			? await awaitWatcher(doors, home.stateDir, identity, child.pid)
			: null;
	const groups = listWatcherGroups(doors, identity);
	const verdict = judgeSpawn(
		livePid,
		groups.kind === "ok" ? groups.value : null,
	);
	const said =
		log === null ? null : doors.files.readFrom(log, from, TAIL_BYTES);
	return {
		...verdict,
		log: log ?? "/dev/null",
		said:
			child.kind === "failed"
				? child.reason
				: said?.kind === "ok"
					? said.text.trimEnd()
					: "",
	};
}

/** The live watcher that the pidfile names; null after 15 s, or as soon as the one we started has ended. */
async function awaitWatcher(
	doors: SpawnDoors,
	stateDir: string,
	identity: WatcherIdentity,
	startedPid: number,
): Promise<number | null> {
	for (let look = 0; look < LOOKS; look++) {
		const ended = checkWatcher(doors, startedPid, identity) === "dead";
		const file = peekWatcherPid(doors.files, stateDir);
		if (
			file.kind === "ok" &&
			checkWatcher(doors, file.value, identity) === "live"
		)
			return file.value;
		if (ended) return null;
		await doors.clock.sleep(LOOK_MS);
	}
	return null;
}
