/** `ng session-id`: the id of the Claude Code session that asks (contract 05 §7.1). */
import { callerSession } from "../_pane/caller-session.ts";
import { parseCli } from "../_sys/cli.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, { doors, out, err }) => {
	const cli = parseCli(args, { flags: {} });
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	const id = callerSession(doors);
	if (id === null) err("no Claude Code session stands above this call");
	else out(id);
	return id === null ? 1 : 0;
};
