/** `ng user-pat [--validate] [--probe o/r]`: the operator's own token, for what the bot may not see (contract 05 §6.2). */

import { join } from "node:path";
import { resolveApi } from "../_github/api-url.ts";
import { COMMAND_MS } from "../_github/deadline.ts";
import { isRepoName } from "../_github/target-repo.ts";
import { readSettings } from "../_state/settings.ts";
import { withDeadline } from "../_sys/deadline.ts";
import type { Doors } from "../_sys/doors.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { userHome } from "../_sys/user-home.ts";
import { readArguments } from "./arguments.ts";
import { ghToken } from "./operator-pat.ts";
import type { NgVerb } from "./verb.ts";

const NONE = 2;
const REFUSED = 3;

export const run: NgVerb = async (args, ctx) => {
	const { doors, codeRoot, out, err } = ctx;
	const cli = readArguments(
		args,
		{ flags: { "--validate": "switch", "--probe": "value" } },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const probe = cli.value("--probe");
	if (probe !== undefined && !isRepoName(probe)) {
		err(`--probe wants owner/name, got '${excerpt(probe)}'`);
		return 1;
	}
	const { config, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	if (problems.length > 0) return 1;
	const { apiBase, webOrigin } = resolveApi(config["github.api_url"]);
	const pat = await operatorPat(doors, new URL(webOrigin).host);
	if (pat === null) {
		err(
			"none: set NEXUS_USER_PAT, log in with gh auth login, or put one into ~/.claude/.nexus-user-pat",
		);
		return NONE;
	}
	const questions = [
		...(cli.on("--validate") ? [`${apiBase}/user`] : []),
		...(probe === undefined ? [] : [`${apiBase}/repos/${probe}`]),
	];
	for (const url of questions) {
		const status = await statusOf(doors, url, pat);
		if (status === 200) continue;
		err(`${url} answered ${status ?? "nothing"}`);
		return REFUSED;
	}
	out(pat);
	return 0;
};

async function operatorPat(doors: Doors, host: string): Promise<string | null> {
	const { env } = doors.proc;
	for (const given of [env.NEXUS_USER_PAT, env.GITHUB_PAT])
		if (given !== undefined && /^\S+$/.test(given)) return given;
	const kept = await ghToken(doors, host);
	if (kept !== null) return kept;
	const path =
		env.NEXUS_USER_PAT_FILE || join(userHome(env), ".claude/.nexus-user-pat");
	const read = doors.files.read(path);
	const text = read.kind === "ok" ? read.text.trim() : "";
	return /^\S+$/.test(text) ? text : null;
}

/** Null: no answer. */
async function statusOf(
	{ net, clock }: Pick<Doors, "net" | "clock">,
	url: string,
	pat: string,
): Promise<number | null> {
	const headers = { authorization: `Bearer ${pat}`, "user-agent": "nexus" };
	const asked = await withDeadline(clock, COMMAND_MS, undefined, (signal) =>
		net.fetch(url, { headers, signal }),
	);
	return asked.kind === "ok" ? asked.value.status : null;
}
