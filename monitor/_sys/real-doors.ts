/** The one place where the real doors are put together; only faces call it. */
import { bearBrokenPipe } from "./broken-pipe.ts";
import { realClock } from "./clock.ts";
import type { Clock, Doors, Log, Proc } from "./doors.ts";
import { realFiles } from "./files.ts";
import { realLocks } from "./lock.ts";
import { frontedLog, prefixedLog, stampedLog } from "./log.ts";
import { realNet } from "./net.ts";
import { realProc } from "./proc.ts";
import { realRandom } from "./random.ts";
import { realTmux } from "./tmux.ts";

type EnvPart = (
	env: Readonly<Record<string, string | undefined>>,
) => Readonly<Record<string, string>>;

export interface RealDoorsOptions {
	/** `svc` makes the log lines `[svc] …`; without it they carry the time. */
	readonly logPrefix?: string;
	/** Stands before each log line as it is, in place of `logPrefix`. */
	readonly logFront?: string;
	/** What tmux clients are given of our environment; default: all of it. */
	readonly tmuxEnv?: EnvPart;
	/** What programs that are waited for are given of it, where the caller does not say; default: all of it. */
	readonly childEnv?: EnvPart;
}

/**
 * `childEnv` is asked once, for every program started through these doors; a caller's own `env` still wins. From here
 * on a reader that closes our output ends nothing.
 */
export function realDoors(opts: RealDoorsOptions = {}): Doors {
	bearBrokenPipe();
	const own = realProc();
	const env = opts.childEnv?.(own.env);
	const proc: Proc =
		env === undefined
			? own
			: { ...own, exec: (argv, o) => own.exec(argv, { env, ...o }) };
	const clock = realClock(proc.env);
	const random = realRandom();
	return {
		clock,
		files: realFiles(),
		tmux: realTmux(proc, random, { env: opts.tmuxEnv?.(proc.env) }),
		proc,
		locks: realLocks(clock),
		log: logOf(opts, clock),
		random,
		net: realNet(),
	};
}

function logOf({ logFront, logPrefix }: RealDoorsOptions, clock: Clock): Log {
	if (logFront !== undefined) return frontedLog(logFront);
	return logPrefix === undefined ? stampedLog(clock) : prefixedLog(logPrefix);
}
