/** The environment of the kit's tmux calls (contract 09 §2.2): a server that one of them starts must not keep the identity of whoever called. Pure. */

type Env = Readonly<Record<string, string | undefined>>;

/** Without `TMUX`, `TMUX_PANE` and every `THRUM_*`; `TMUX_TMPDIR` stays. For `realDoors({ tmuxEnv: fleetTmuxEnv })`. */
export function fleetTmuxEnv(env: Env): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(env).filter(
			(pair): pair is [string, string] =>
				pair[1] !== undefined && !/^(?:TMUX|TMUX_PANE|THRUM_.*)$/.test(pair[0]),
		),
	);
}
