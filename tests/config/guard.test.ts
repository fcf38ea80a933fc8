import { describe, expect, test } from "bun:test";
import { renderExample } from "../../config/example.ts";
import type { Answer } from "../../config/load-cli.ts";
import { OWN, PLACEHOLDER_BOT, realConfig, rig } from "./rig.ts";

const E = renderExample();
const BOT_ENV = {
	NEXUS_BOT_APP_ID: "1",
	NEXUS_BOT_INSTALLATION_ID: "2",
	NEXUS_BOT_PRIVATE_KEY_PATH: "/k.pem",
};
const IDENTITY_ENV = {
	NEXUS_ROOT: "/srv/nexus",
	MONITOR_REPO: "acme/ada-assets",
	MONITOR_USER_LOGIN: "ada",
};
const badInterval = E.replace("interval_seconds: 60", "interval_seconds: fast");

interface Case {
	readonly what: string;
	readonly own: string | null;
	readonly env?: Readonly<Record<string, string>>;
	readonly identity: Answer["code"];
	readonly all: Answer["code"];
	/** Keys that `--validate` names. */
	readonly names?: string[];
}
const cases: readonly Case[] = [
	{ what: "only the template", own: null, identity: 4, all: 4 },
	{ what: "a copy of the template", own: E, identity: 4, all: 4 },
	{
		what: "a placeholder login",
		own: realConfig({ user_login: "  user_login: <your-github-username>" }),
		identity: 4,
		all: 4,
		names: ["github.user_login"],
	},
	{
		what: "placeholder bot keys",
		own: realConfig(PLACEHOLDER_BOT),
		identity: 0,
		all: 4,
		names: [
			"github.bot_app_id",
			"github.bot_installation_id",
			"github.bot_pem_path",
		],
	},
	{
		what: "placeholder bot keys with the environment's instead",
		own: realConfig(PLACEHOLDER_BOT),
		env: BOT_ENV,
		identity: 0,
		all: 0,
	},
	{
		what: "the template with an identity from the environment",
		own: null,
		env: IDENTITY_ENV,
		identity: 0,
		all: 4,
	},
	{
		what: "a blank repository",
		own: realConfig({ repo: '  repo: ""' }),
		identity: 4,
		all: 4,
		names: ["github.repo"],
	},
	{
		what: "a repository of blanks",
		own: realConfig({ repo: '  repo: "  "' }),
		identity: 4,
		all: 4,
		names: ["github.repo"],
	},
	{
		what: "an absent login",
		own: realConfig({ user_login: "" }),
		identity: 0,
		all: 0,
	},
	{
		what: "a bad interval",
		own: `${realConfig()}monitor: {interval_seconds: fast}\n`,
		identity: 3,
		all: 3,
	},
	{
		what: "a copy of the template with a bad interval",
		own: badInterval,
		identity: 3,
		all: 3,
		names: ["github.repo"],
	},
	{ what: "an empty file", own: "", identity: 0, all: 0 },
	{ what: "a file that is no YAML", own: "a: {", identity: 3, all: 3 },
];

test.each(cases)(
	"of $what, --check-identity is $identity and --validate is $all",
	async ({ own, env, identity, all, names }) => {
		const r = rig(own);
		const ask = (verb: string) => r.clock.run(r.load([verb], env));
		const checked = await ask("--check-identity");
		const validated = await ask("--validate");
		expect([checked.code, validated.code]).toEqual([identity, all]);
		expect([...checked.out, ...validated.out]).toEqual([]);
		if (names !== undefined && all === 4)
			expect(namedIn(validated.err)).toEqual(names);
	},
);

test("no file at all is 1, not 4", async () => {
	const r = rig(null, { bare: true });
	expect((await r.load(["--check-identity"])).code).toBe(1);
	expect((await r.load(["--validate"])).code).toBe(1);
});

test("problems of both kinds are reported together", async () => {
	const { err } = await rig(badInterval).load(["--validate"]);
	expect(err.join("\n")).toContain("monitor.interval_seconds: expected");
	expect(err).toContain("    github.repo = your-org/yourname-nexus-assets");
});

test("an environment that would send the token elsewhere is an error", async () => {
	const answer = await rig(realConfig()).load(["--validate"], {
		NEXUS_GITHUB_API_URL: "http://example.org",
	});
	expect(answer.code).toBe(3);
	expect(answer.err[0]).toStartWith("config: env NEXUS_GITHUB_API_URL: ");
});

describe("the report", () => {
	test("refuses, names each value with its remedy, the file and the way out", async () => {
		const own = realConfig({
			repo: '  repo: ""',
			bot_app_id: PLACEHOLDER_BOT.bot_app_id,
		});
		const { err } = await rig(own).load(["--validate"]);
		expect(err[0]).toContain("REFUSING");
		expect(err.slice(1)).toEqual([
			"    github.repo = (empty)",
			"        -> set to your asset+issue repo owner/name, never the code repo",
			"    github.bot_app_id = 0",
			"        -> set to the GitHub App's id (mint-token needs it)",
			"  no GitHub App yet: leave all three github.bot_… keys without a value, and GitHub is off",
			`  resolved config: ${OWN}`,
			"  edit that file; to begin anew, copy config/nexus.example.yml to config/nexus.yml (chmod 600) and fill in every value",
		]);
	});

	test("speaks of the bot where its keys are named, and of copying alone where the template is what was found", async () => {
		const { err } = await rig(null).load(["--check-identity"]);
		expect(err.join("\n")).not.toContain("GitHub App");
		expect(err.at(-1)).toBe(
			"  copy config/nexus.example.yml to config/nexus.yml (chmod 600) and fill in every value",
		);
	});

	test("never flags an optional placeholder", async () => {
		const own = `${realConfig()}  bot_login: your-bot\nnotifications: {email: {address: ""}}\n`;
		expect((await rig(own).load(["--validate"])).code).toBe(0);
	});

	test("without a readable template compares with what it should hold", async () => {
		const r = rig(E, { bare: true });
		expect((await r.load(["--validate"])).code).toBe(4);
	});
});

function namedIn(lines: readonly string[]): string[] {
	return lines.flatMap((line) => /^ {4}(\S+) = /.exec(line)?.[1] ?? []);
}
