/** GitHub for a verb: the configuration, the home repository, and a door to the API that acts as the bot and as nobody else (contract 05 §2.7). */
import { gitHubSetup } from "../_github/app.ts";
import { failureLine, type GhFailure } from "../_github/errors.ts";
import { type GitHub, openGitHub } from "../_github/github.ts";
import { readSettings, type Settings } from "../_state/settings.ts";
import { guardedGitHub } from "./guarded-github.ts";
import type { NgContext } from "./verb.ts";

export interface NgHub {
	readonly gitHub: GitHub;
	readonly settings: Settings;
	/** `github.repo`. */
	readonly home: string | null;
	/** `github.user_login`; empty: unknown, and nobody's comment is an order. */
	readonly operator: string;
	readonly stateDir: string;
}

/** A pause of GitHub's that ends so soon is waited out. Seconds. */
const LONGEST_WAIT_SECONDS = 60;

/** What stands in the line of whoever cannot act as the bot. */
export const NO_IDENTITY = "bot identity cannot be obtained";

/** Null: cannot be used, and said why. */
export async function openHub(ctx: NgContext): Promise<NgHub | null> {
	const hub = await tryHub(ctx);
	return typeof hub === "string" ? null : hub;
}

/** Nothing is sent yet, and no token is fetched before the first call. What is missing has been said. */
export async function tryHub(
	ctx: NgContext,
): Promise<NgHub | "no-config" | "no-identity"> {
	const { doors, codeRoot, err } = ctx;
	const settings = await readSettings(doors, codeRoot, true);
	for (const line of [...settings.problems, ...settings.warnings]) err(line);
	if (settings.problems.length > 0) return "no-config";
	const { config, home } = settings;
	const setup = gitHubSetup(config, home.root);
	if (setup.kind !== "on") {
		err(
			setup.kind === "off"
				? `${NO_IDENTITY}: GitHub is off (no bot key is set)`
				: `${NO_IDENTITY}: ${setup.missing.join(", ")} not set`,
		);
		return "no-identity";
	}
	return {
		gitHub: guardedGitHub(
			openGitHub({
				doors: { ...doors, log: { info: err, warn: err } },
				app: setup.app,
				stateDir: home.stateDir,
				pacing: ctx.pacing,
				waitOut: { seconds: LONGEST_WAIT_SECONDS, say: err },
			}),
		),
		settings,
		home: config["github.repo"],
		operator: config["github.user_login"] ?? "",
		stateDir: home.stateDir,
	};
}

/** GitHub's own words first, then the verb's line. Answers 1, the code of every refusal. */
export function sayFailure(
	{ err }: Pick<NgContext, "err">,
	failure: GhFailure,
	line: string,
): 1 {
	err(
		failure.kind === "no_token"
			? `${NO_IDENTITY}: ${failure.message}`
			: failureLine(failure),
	);
	err(line);
	return 1;
}
