/** The GitHub App: its key, whether GitHub knows it, and what it may do. Decisions only. */
import type { BotKey } from "../../_github/app.ts";
import type { GhFailure } from "../../_github/errors.ts";
import type { Exposure } from "../../_github/key-exposure.ts";
import { sameBot } from "../../_state/emit-block-target.ts";
import { shellWord } from "../../_sys/shell-quote.ts";
import { type Check, fail, ok, warn } from "./check.ts";

export type GitHubFacts =
	| { readonly kind: "off" }
	| { readonly kind: "incomplete"; readonly missing: readonly BotKey[] }
	| {
			readonly kind: "on";
			readonly keyPath: string;
			readonly exposure: Exposure;
			readonly apiBase: string;
			/** `github.repo`. */
			readonly repo: string;
			/** `github.bot_login`; empty: not set. */
			readonly botLogin: string;
			readonly asked: AppAnswer;
	  };

/** What GitHub said when it was asked, in this order; the first failure ends the asking. */
export type AppAnswer =
	| {
			readonly kind: "failed";
			readonly at: "app" | "installation" | "repository";
			readonly failure: GhFailure;
	  }
	| {
			readonly kind: "ok";
			readonly app: AppFacts;
			/** Whether GitHub keeps a delivery log; null: could not look. */
			readonly keepsDeliveries: boolean | null;
	  };

export interface AppFacts {
	readonly slug: string;
	readonly permissions: Readonly<Record<string, string>>;
	readonly events: readonly string[];
}

const NAME = "GitHub";

/** Off is fine; half configured is a failure, for nobody can have meant it. */
export function checkGitHub(facts: GitHubFacts): readonly Check[] {
	switch (facts.kind) {
		case "off":
			return [ok(NAME, "is off (no bot key is set)")];
		case "incomplete":
			return [
				fail(
					NAME,
					`half configured: ${facts.missing.join(", ")} missing`,
					"set all three bot keys, or none of them",
				),
			];
		case "on":
			return [checkKey(facts), ...checkAnswer(facts)];
	}
}

type Configured = Extract<GitHubFacts, { kind: "on" }>;

function checkKey({ keyPath, exposure }: Configured): Check {
	const name = "GitHub key";
	const { verdict, reason } = exposure;
	if (verdict === "ok") return ok(name, reason);
	if (exposure.mode === null)
		return fail(name, `${keyPath}: ${reason}`, "see github.bot_pem_path");
	const advice = `chmod 600 ${shellWord(keyPath)}`;
	return verdict === "exposed"
		? fail(name, reason, advice)
		: warn(name, reason, advice);
}

function checkAnswer(facts: Configured): readonly Check[] {
	const { asked, apiBase, repo, botLogin } = facts;
	if (asked.kind === "failed") return [refusal(facts, asked.at, asked.failure)];
	const { slug, permissions, events } = asked.app;
	const lacking = NEEDED_PERMISSIONS.filter(
		([name, level]) => !grants(permissions[name], level),
	).map(([name, level]) => `${name}: ${level}`);
	const deaf = NEEDED_EVENTS.filter((event) => !events.includes(event));
	return [
		ok(NAME, `${apiBase} answers the App ${slug}, installed on ${repo}`),
		...(botLogin !== "" && !sameBot(botLogin, slug)
			? [
					warn(
						NAME,
						`github.bot_login is ${botLogin}, but the App is ${slug}`,
						`set github.bot_login: ${slug}`,
					),
				]
			: []),
		...(lacking.length > 0
			? [
					warn(
						NAME,
						`the App lacks permissions: ${lacking.join(", ")}`,
						"grant them in the App's settings, and accept them in the installation",
					),
				]
			: []),
		...(deaf.length > 0
			? [
					warn(
						NAME,
						`the App does not subscribe to: ${deaf.join(", ")}`,
						"tick them in the App's settings; what is missing is found by search only, minutes later",
					),
				]
			: []),
		...(asked.keepsDeliveries === false
			? [
					warn(
						NAME,
						"the App has no webhook URL, so GitHub keeps no delivery log",
						"set any URL in the App's settings; until then comments are found by search only, minutes later",
					),
				]
			: []),
	];
}

/** What the code relies on (contract 02 §3). */
/** As GitHub names them; `docs/github-app.md` lists them for people. */
export const NEEDED_PERMISSIONS = [
	["metadata", "read"],
	["issues", "write"],
	["contents", "write"],
	["pull_requests", "write"],
] as const;
export const NEEDED_EVENTS = [
	"issues",
	"issue_comment",
	"pull_request",
	"pull_request_review",
	"pull_request_review_comment",
] as const;

function grants(given: string | undefined, needed: "read" | "write"): boolean {
	return given === "write" || given === "admin" || given === needed;
}

function refusal(
	{ apiBase, repo }: Configured,
	at: "app" | "installation" | "repository",
	{ kind, message }: GhFailure,
): Check {
	switch (kind) {
		case "rate_primary":
		case "rate_secondary":
			return warn(NAME, `asks for a pause: ${message}`, "look again later");
		case "timeout":
		case "network":
		case "server":
		case "malformed":
			return fail(
				NAME,
				`no answer from ${apiBase} (${kind}: ${message})`,
				"see github.api_url and the network",
			);
	}
	if (at === "app")
		return fail(
			NAME,
			`does not take this App: ${message}`,
			"see github.bot_app_id and github.bot_pem_path",
		);
	if (at === "installation")
		return fail(NAME, message, "see github.bot_installation_id");
	return fail(
		NAME,
		`the App cannot see ${repo}: ${message}`,
		"install it on github.repo, or see github.bot_installation_id",
	);
}
