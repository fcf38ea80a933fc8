/** The cold-boot guard (contract 06 §5.5): cheap to call from every shell and session, and quick to return. */
import {
	bootRecoverLogPath,
	bootRecoverStampAt,
	stampBootRecover,
} from "../_state/boot-recover.ts";
import { REGISTRY_UNREADABLE_EXIT } from "../_state/services-registry.ts";
import type { Settings } from "../_state/settings.ts";
import { ageSeconds } from "../_sys/age.ts";
import type { Doors } from "../_sys/doors.ts";
import { programArgv } from "../_sys/names.ts";

export interface BootRecoverArgs {
	/** Ignore the debounce. */
	readonly force: boolean;
	/** Recover in the foreground. */
	readonly sync: boolean;
}

/** A login waits for it. What decides is a look, and one that takes longer is an answer too: it is needed. */
const LOOK_LIMIT_MS = 10_000;

/** Always 0 but for a recovery that failed under `--sync`: a login must not fail because of it. */
export async function bootRecover(
	doors: Doors,
	{ home, config }: Settings,
	{ force, sync }: BootRecoverArgs,
): Promise<number> {
	const { files, clock, log, proc } = doors;
	const { stateDir } = home;
	const stamp = bootRecoverStampAt(files, stateDir);
	const window = config.BOOT_RECOVER_DEBOUNCE_SECONDS;
	if (!force && debounced(clock.now(), stamp, window)) {
		log.info(`looked less than ${window}s ago; nothing done`);
		return 0;
	}
	const argv = (args: readonly string[]) =>
		programArgv(proc.execPath, "bootstrapRecover", args, home.codeRoot);
	const look = await proc.exec(argv(["--dry-run"]), {
		timeoutMs: LOOK_LIMIT_MS,
	});
	// A look that failed is no proof that all is up; recovery leaves alone what runs.
	const needed =
		look.kind !== "exited" ||
		(look.rc !== 0 && look.rc !== REGISTRY_UNREADABLE_EXIT) ||
		isNeeded(`${look.stdout}${look.stderr}`);
	files.mkdir(stateDir);
	stampBootRecover(files, stateDir, clock.now());
	if (!needed) {
		log.info("all is up; nothing done");
		return 0;
	}
	if (sync) return (await proc.foreground(argv([]))) ?? 1;
	const started = proc.spawnDetached({
		argv: argv([]),
		// No person asked for what it starts.
		env: { ...ownEnvironment(proc.env), SVC_RESTART_ACTOR: "boot-recover" },
		log: bootRecoverLogPath(stateDir),
	});
	if (started.kind === "ok")
		log.info(`recovery started; see ${bootRecoverLogPath(stateDir)}`);
	else log.warn(`recovery could not be started: ${started.reason}`);
	return 0;
}

/** Pure; epoch seconds. A stamp that cannot be believed debounces nothing. */
export function debounced(
	now: number,
	mtime: number | null,
	windowSeconds: number,
): boolean {
	if (windowSeconds === 0) return false;
	const age = ageSeconds(now, mtime, windowSeconds);
	return age !== null && age < windowSeconds;
}

/** Pure: does a dry run's text name something to be done? */
export function isNeeded(text: string): boolean {
	return /would (relaunch|run|resume)/.test(text);
}

function ownEnvironment(env: Doors["proc"]["env"]): Record<string, string> {
	return Object.fromEntries(
		Object.entries(env).filter(
			(pair): pair is [string, string] => pair[1] !== undefined,
		),
	);
}
