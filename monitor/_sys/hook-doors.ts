/** The real doors of a hook. Built apart from `real-doors.ts`, whose parts a hook could not load in its few milliseconds. */
import { realClock } from "./clock.ts";
import type { HookDoors } from "./doors.ts";
import { everydayFiles } from "./everyday-files.ts";

/** A tmux that does not answer must not hold the agent's turn. */
const TMUX_LIMIT_MS = 1000;

/** tmux is loaded only when a hook asks for it. `clock` may be set by the environment for a test, `timer` never. */
export function hookDoors(): HookDoors {
	return {
		env: process.env,
		args: process.argv.slice(2),
		files: everydayFiles(),
		clock: realClock(process.env),
		timer: realClock({}),
		// `process.stdin` costs ten times as much.
		stdin: () => Bun.stdin.stream(),
		tmux: async () => {
			const [{ realTmux }, { realProc }, { realRandom }] = await Promise.all([
				import("./tmux.ts"),
				import("./proc.ts"),
				import("./random.ts"),
			]);
			return realTmux(realProc(), realRandom(), { limitMs: TMUX_LIMIT_MS });
		},
		print: console.log,
		warn: console.error,
		exit: process.exit,
	};
}
