/** `ng engaged-done [--window w]`: the operator's own work in this window is over (contract 05 §8.9). */
import { appendEvent } from "../_state/action-log-append.ts";
import { callerWindow } from "../_sys/caller-window.ts";
import { readArguments } from "./arguments.ts";
import { placeOf } from "./place.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(args, { flags: { "--window": "value" } }, ctx);
	if (cli.kind === "ended") return cli.rc;
	const home = await placeOf(ctx);
	if (home === null) return 1;
	const { tmux, proc } = doors;
	const window = cli.value("--window") ?? (await callerWindow(tmux, proc.env));
	if (window === null) {
		err("engaged-done: this is no tmux window of ours; name one by --window");
		return 1;
	}
	const logged = appendEvent(doors, home.stateDir, {
		agent: "monitor",
		event: "engaged-done",
		extras: [["window", window]],
	});
	if (logged.kind === "failed") {
		err(`the action log could not be written: ${logged.reason}`);
		return 1;
	}
	out(`engaged-done: ${window} released for normal cleanup`);
	return 0;
};
