/** The arguments of the watcher program (contract 01 §2.1.4). Pure. */

export const USAGE = `usage: main.ts [--target <window>] [--once]
  The watcher itself, in the foreground. The launcher starts it; by hand only to look at it.
  --once  one cycle, then the end`;

export type WatcherArgs =
	| {
			readonly kind: "ok";
			/** Null = the configured window. */
			readonly target: string | null;
			readonly once: boolean;
	  }
	| {
			readonly kind: "refused";
			readonly exit: 1 | 2;
			readonly line: string;
	  };

/**
 * A refusal carries its exit code and line; an empty `--target` is one, for an unset variable must not choose the
 * default window.
 */
export function parseWatcherArgs(argv: readonly string[]): WatcherArgs {
	let target: string | null = null;
	let once = false;
	const rest = argv.flatMap((arg) =>
		arg.startsWith("--target=")
			? ["--target", arg.slice("--target=".length)]
			: [arg],
	);
	for (let i = 0; i < rest.length; i++) {
		if (rest[i] === "--once") once = true;
		else if (rest[i] === "--target") {
			const value = rest[++i] ?? "";
			// An unset variable in the caller once overrode the configured window without a word.
			if (value === "" || value.startsWith("--"))
				return refused(
					2,
					"--target needs the name of a window (an unset variable in the caller?)",
				);
			target = value;
		} else return refused(1, `unknown argument: ${rest[i]}`);
	}
	return { kind: "ok", target, once };
}

function refused(exit: 1 | 2, line: string): WatcherArgs {
	return { kind: "refused", exit, line: `main.ts: ${line}` };
}
