/** `assert-bot-author <url-or-api-path>`: run after a write with a minted token (contract 02 §14). */
import { gitHubSetup } from "../_github/app.ts";
import {
	type AuthorVerdict,
	apiPathOf,
	authorVerdict,
	cannotTell,
	readAuthor,
} from "../_github/author-check.ts";
import { openGitHub } from "../_github/github.ts";
import { readSettings } from "../_state/settings.ts";
import { parseCli } from "../_sys/cli.ts";
import type { Doors } from "../_sys/doors.ts";
import { programName } from "../_sys/names.ts";

export interface AssertFrom {
	readonly doors: Doors;
	readonly codeRoot: string;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

const DEADLINE_MS = 15_000;

/** 0 authored by the bot, 1 by somebody else, 2 cannot tell. */
export async function assertBotAuthor(
	argv: readonly string[],
	from: AssertFrom,
): Promise<number> {
	const cli = parseCli(argv, { flags: {}, maxPositionals: 1 });
	if (cli.kind === "help") {
		from.out(usage());
		return 0;
	}
	const given = cli.kind === "ok" ? cli.positionals[0] : undefined;
	if (given === undefined) {
		if (cli.kind === "refused") from.err(cli.message);
		from.err(usage());
		return 2;
	}
	const verdict = await judge(given, from);
	for (const line of verdict.lines)
		(verdict.exit === 0 ? from.out : from.err)(line);
	return verdict.exit;
}

async function judge(
	given: string,
	{ doors, codeRoot, err }: AssertFrom,
): Promise<AuthorVerdict> {
	const settings = await readSettings(doors, codeRoot, true);
	const { config, home, problems } = settings;
	if (problems.length > 0) {
		for (const line of problems) err(line);
		return cannotTell("the configuration cannot be used; UNVERIFIED");
	}
	const setup = gitHubSetup(config, home.root);
	if (setup.kind === "off")
		return cannotTell("GitHub is off (no bot key is set); UNVERIFIED");
	if (setup.kind === "incomplete")
		return cannotTell(`${setup.missing.join(", ")} not set; UNVERIFIED`);
	const { app } = setup;
	const path = apiPathOf(given, app.place);
	if (path === null) return cannotTell(`no API path for ${given}`);
	const { stateDir } = home;
	const log = { info: err, warn: err };
	const gitHub = openGitHub({ doors: { ...doors, log }, app, stateDir });
	const answer = await gitHub.get(path, {
		deadlineMs: DEADLINE_MS,
		read: readAuthor,
	});
	if (answer.kind === "failed")
		return cannotTell(`${answer.failure.message}; UNVERIFIED`);
	return authorVerdict(
		answer.value,
		{
			botLogin: config["github.bot_login"],
			operator: config["github.user_login"] ?? "",
			anyBotWhenUnknown: config["github.bot_login_absent_ok"],
		},
		programName("mintToken"),
	);
}

function usage(): string {
	return `usage: ${programName("assertBotAuthor")} <url-or-api-path>
exit: 0 authored by the bot, 1 by somebody else, 2 cannot tell`;
}
