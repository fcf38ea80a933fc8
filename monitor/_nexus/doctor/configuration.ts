/** The operator's file. Decisions only. */
import { shellWord } from "../../_sys/shell-quote.ts";
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

/** One check a complaint, each with the file that is to be mended. */
export function checkConfig(facts: ConfigFacts): readonly Check[] {
	switch (facts.kind) {
		case "none":
			return [fail("config", `no file at ${facts.tried.join(", ")}`, CREATE)];
		case "bad":
			return facts.lines.map((line) =>
				fail(
					"config",
					line,
					line.includes(": mode ")
						? `chmod 600 ${shellWord(facts.path)}`
						: `mend ${facts.path}`,
				),
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
		fail(
			"required keys",
			what,
			what.startsWith("github.bot_")
				? `fill it in, in ${path}; without a GitHub App leave all three bot keys without a value`
				: `fill it in, in ${path}`,
		),
	);
}
