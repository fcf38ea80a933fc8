/** The operator's file and GitHub. Decisions only. */
import { type Check, fail, ok, warn } from "./check.ts";

/** What reading the chosen file gave; lines are as the loader prints them. */
export type ConfigFacts =
	| { readonly kind: "none"; readonly tried: readonly string[] }
	| {
			readonly kind: "bad";
			readonly path: string;
			readonly lines: readonly string[];
	  }
	/** Only the template is there. */
	| { readonly kind: "example"; readonly path: string }
	| {
			readonly kind: "ok";
			readonly path: string;
			readonly warnings: readonly string[];
			/** `key = value` of required keys that still hold the template's or a blank value. */
			readonly placeholders: readonly string[];
			/** Required keys that neither the file nor the environment has. */
			readonly missing: readonly string[];
	  };

const CREATE =
	"cp config/nexus.example.yml config/nexus.yml && chmod 600 config/nexus.yml, then edit it";

export function checkConfig(facts: ConfigFacts): readonly Check[] {
	switch (facts.kind) {
		case "none":
			return [fail("config", `no file at ${facts.tried.join(", ")}`, CREATE)];
		case "bad":
			return facts.lines.map((line) =>
				fail("config", line, `mend ${facts.path}`),
			);
		case "example":
			return [fail("config", `only the template, ${facts.path}`, CREATE)];
		case "ok":
			return [
				ok("config", facts.path),
				...facts.warnings.map((line) =>
					warn("config", line, `look at ${facts.path}`),
				),
				...required(facts.path, [
					...facts.placeholders,
					...facts.missing.map((key) => `${key} is not set`),
				]),
			];
	}
}

function required(path: string, left: readonly string[]): readonly Check[] {
	if (left.length === 0) return [ok("required keys", "all set")];
	return left.map((what) =>
		fail("required keys", what, `fill it in, in ${path}`),
	);
}

/** The three keys of the GitHub App (contract 00 R7). */
export const BOT_KEYS = [
	"github.bot_app_id",
	"github.bot_installation_id",
	"github.bot_pem_path",
] as const;

export interface GitHubFacts {
	/** The bot keys that have a value. */
	readonly set: readonly string[];
	/** Mode of the key file; null when it cannot be read. */
	readonly pemMode: number | null;
}

export function checkGitHub(facts: GitHubFacts): Check {
	const missing = BOT_KEYS.filter((key) => !facts.set.includes(key));
	if (missing.length === BOT_KEYS.length)
		return ok("GitHub", "is off (no bot key is set)");
	if (missing.length > 0)
		return fail(
			"GitHub",
			`half configured: ${missing.join(", ")} missing`,
			"set all three bot keys, or none of them",
		);
	if (facts.pemMode === null)
		return fail(
			"GitHub",
			"the App's key file cannot be read",
			"see github.bot_pem_path",
		);
	if ((facts.pemMode & 0o077) !== 0)
		return fail(
			"GitHub",
			"the App's key file is open to others",
			"chmod 600 the file at github.bot_pem_path",
		);
	return ok("GitHub", "an App is configured (nothing was asked of it)");
}
