/** `ng log-action <agent> --event <name> [--note t] [--extra k=v]…`: one line in the action log (contract 05 §9.1). */
import { appendEvent, isReservedKey } from "../_state/action-log-append.ts";
import { readSettings } from "../_state/settings.ts";
import { stateDirFromEnv } from "../_state/state-dir.ts";
import { parseCli } from "../_sys/cli.ts";
import { excerpt } from "../_sys/excerpt.ts";
import type { NgContext, NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { doors, err } = ctx;
	const cli = parseCli(args, {
		flags: { "--event": "value", "--note": "text", "--extra": "list" },
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	const [agent = ""] = cli.positionals;
	const event = cli.value("--event") ?? "";
	if (agent === "" || event === "") {
		err("log-action needs an agent and --event");
		return 1;
	}
	const extras = cli.list("--extra").map(splitExtra);
	for (const [key] of extras)
		if (isReservedKey(key))
			err(`--extra ${key} would hide the event's own: skipped`);
	const bad = extras.find((extra) => extra[1] === undefined);
	if (bad !== undefined) {
		err(`--extra needs key=value, got '${excerpt(bad[0])}'`);
		return 1;
	}
	const stateDir = await stateDirOf(ctx);
	if (stateDir === null) return 1;
	const appended = appendEvent(doors, stateDir, {
		agent,
		event,
		note: cli.value("--note"),
		extras: extras.map(([key, value = ""]) => [key, value] as const),
	});
	if (appended.kind === "ok") return 0;
	err(`the action log could not be written: ${appended.reason}`);
	return 1;
};

/** At the first `=`; without one there is no value. */
function splitExtra(text: string): readonly [string, string?] {
	const at = text.indexOf("=");
	return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The configuration is read only when the environment does not say where the state lives: this verb runs at every turn. */
async function stateDirOf({
	doors,
	codeRoot,
	err,
}: NgContext): Promise<string | null> {
	const fromEnv = stateDirFromEnv(doors.proc.env);
	if (fromEnv !== null) return fromEnv;
	const { home, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	return problems.length > 0 ? null : home.stateDir;
}
