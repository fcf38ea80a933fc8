import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { examine } from "../../config/examine.ts";
import { issueLine, warningLine } from "../../config/report.ts";
import { allKeys, type Env, resolveConfig } from "../../config/resolve.ts";
import { FILE_KEYS } from "../../config/schema.ts";
import { HOME, ROOT } from "./rig.ts";

const from = { root: ROOT, home: HOME };
const resolve = (tree: unknown, env: Env = {}) =>
	resolveConfig(tree, env, from);
const INTERVAL = "monitor.interval_seconds";
const file45 = { monitor: { interval_seconds: 45 } };

describe("environment, then file, then default", () => {
	test.each([
		[{}, {}, 60, "default"],
		[file45, {}, 45, "file"],
		[file45, { MONITOR_INTERVAL: "10" }, 10, "env"],
		[file45, { MONITOR_INTERVAL_SECONDS: "11" }, 11, "env"],
		[
			file45,
			{ MONITOR_INTERVAL: "10", MONITOR_INTERVAL_SECONDS: "11" },
			10,
			"env",
		],
		[
			file45,
			{ MONITOR_INTERVAL: "", MONITOR_INTERVAL_SECONDS: "11" },
			11,
			"env",
		],
		[file45, { MONITOR_INTERVAL: "" }, 45, "file"],
		[{ monitor: { interval_seconds: null } }, {}, 60, "default"],
		[{ monitor: null }, {}, 60, "default"],
	] as const)(
		"of file %j and environment %j the interval is %d, from %s",
		(tree, env, value, source) => {
			const { config, issues, warnings } = resolve(tree, env);
			expect(config[INTERVAL]).toBe(value);
			expect(config.source(INTERVAL)).toBe(source);
			expect([...issues, ...warnings]).toEqual([]);
		},
	);

	test("recovery asks its own variables first", () => {
		const env = { RECOVER_INTERVAL: "7", MONITOR_INTERVAL: "10" };
		const recover = resolveConfig({}, env, { ...from, recover: true });
		expect(recover.config[INTERVAL]).toBe(7);
		expect(resolve({}, env).config[INTERVAL]).toBe(10);
	});

	test("the result is frozen and has every key", () => {
		const { config } = resolve({});
		expect(Object.isFrozen(config)).toBe(true);
		for (const key of allKeys()) expect(config[key]).not.toBeUndefined();
	});
});

test("several waits in one variable are read in their order", () => {
	const { config, warnings } = resolve(
		{},
		{ PD_CONFIRM_WINDOWS: " 1 0.5  3 " },
	);
	expect(config.PD_CONFIRM_WINDOWS).toEqual([1, 0.5, 3]);
	expect(warnings).toEqual([]);
});

describe("a bad environment value is told and ignored", () => {
	test.each([
		["MONITOR_INTERVAL", "fast", 'expected an integer >= 1, got "fast"'],
		["MONITOR_INTERVAL", "0", 'expected an integer >= 1, got "0"'],
		["MONITOR_INTERVAL", "1e3", 'expected an integer >= 1, got "1e3"'],
		[
			"MONITOR_MENTIONS_ENABLED",
			"maybe",
			'expected true or false, got "maybe"',
		],
		[
			"MONITOR_ON_DIALOG",
			"Skip",
			'expected one of auto-dismiss, skip, error, got "Skip"',
		],
		["MONITOR_REPORT_MIN_CHARS", "+5", 'expected an integer >= 0, got "+5"'],
		[
			"MONITOR_TARGET",
			"a b",
			"expected a window name without ':', '.' or white space, got \"a b\"",
		],
		[
			"PD_CONFIRM_WINDOWS",
			"3 x",
			'expected numbers >= 0, separated by blanks, got "3 x"',
		],
	])("%s=%s", (name, text, message) => {
		const { config, issues, warnings } = resolve(file45, { [name]: text });
		expect(issues).toEqual([]);
		expect(warnings.map((w) => warningLine("n.yml", w))).toEqual([
			`config: env ${name}: ${message}; ignored`,
		]);
		expect(config[INTERVAL]).toBe(45);
	});

	test("but a bad NEXUS_GITHUB_API_URL is an error: a default would send the token elsewhere", () => {
		for (const url of ["http://example.org", "ftp://x", "nonsense"]) {
			const { issues } = resolve({}, { NEXUS_GITHUB_API_URL: url });
			expect(issues.map((issue) => issueLine("n.yml", issue))).toEqual([
				`config: env NEXUS_GITHUB_API_URL: expected an https URL (http only to this machine) without a login in it, got "${url}"`,
			]);
		}
		for (const url of ["https://ghe.acme.test/api/v3", "http://localhost:9"]) {
			const { config, issues } = resolve({}, { NEXUS_GITHUB_API_URL: url });
			expect(issues).toEqual([]);
			expect(config["github.api_url"]).toBe(url);
		}
	});
});

test.each([
	["true", true],
	["FALSE", false],
	["1", true],
	["0", false],
	["Yes", true],
	["no", false],
	["ON", true],
	["off", false],
])("MONITOR_MENTIONS_ENABLED=%s is %p", (text, value) => {
	const { config, warnings } = resolve({}, { MONITOR_MENTIONS_ENABLED: text });
	expect(config["monitor.mentions_enabled"]).toBe(value);
	expect(warnings).toEqual([]);
});

describe("derived defaults", () => {
	const of = (monitor: object, env: Env = {}) =>
		resolve({ monitor }, env).config;

	test("the stale age is five intervals unless given", () => {
		const key = "monitor.orchestrator_stale_seconds";
		expect(of({})[key]).toBe(300);
		expect(of({ interval_seconds: 30 })[key]).toBe(150);
		expect(of({ orchestrator_stale_seconds: 500 })[key]).toBe(500);
		expect(of({}).source(key)).toBe("derived");
	});

	test("the gap between repeats follows the cooldown", () => {
		const key = "monitor.mentions.reemit_backoff_seconds";
		expect(of({ emit_cooldown_seconds: 120 })[key]).toBe(120);
		expect(of({ mentions: { reemit_backoff_seconds: 9 } })[key]).toBe(9);
	});

	test("the deprecated threshold's variable is the default of the dead threshold", () => {
		const key = "monitor.watcher.orchestrator_dead_threshold_seconds";
		const env = { MONITOR_ORCH_UNRESPONSIVE_THRESHOLD_S: "240" };
		expect(of({}, env)[key]).toBe(240);
		const given = { watcher: { orchestrator_dead_threshold_seconds: 400 } };
		expect(of(given, env)[key]).toBe(400);
		expect(of({ orchestrator_unresponsive_threshold_seconds: 240 })[key]).toBe(
			300,
		);
		expect(of({})[key]).toBe(300);
		expect(of({}).source(key)).toBe("default");
	});

	test.each([["acme"], ["acme[bot]"]])(
		"the bot %s signs as acme[bot]",
		(login) => {
			const { config } = resolve({ github: { bot_login: login } });
			expect(config["github.bot_git_name"]).toBe("acme[bot]");
			expect(config["github.bot_git_email"]).toBe(
				"acme[bot]@users.noreply.github.com",
			);
		},
	);

	test("an empty name or address of commits is none given", () => {
		const { config } = resolve({
			github: { bot_login: "acme", bot_git_name: "", bot_git_email: "" },
		});
		expect(config["github.bot_git_name"]).toBe("acme[bot]");
		expect(config["github.bot_git_email"]).toBe(
			"acme[bot]@users.noreply.github.com",
		);
	});

	test("without a bot there is no signature", () => {
		expect(resolve({}).config["github.bot_git_name"]).toBeNull();
	});

	test("assets go to the repository unless they have their own", () => {
		const github = { repo: "a/b" };
		expect(resolve({ github }).config["github.asset_repo"]).toBe("a/b");
		const own = { github: { ...github, asset_repo: "c/d" } };
		expect(resolve(own).config["github.asset_repo"]).toBe("c/d");
	});

	test("the integration branch falls back to the deprecated key, then to dev", () => {
		const key = "monitor.integration_branch";
		expect(of({})[key]).toBe("dev");
		expect(of({ clone_drift: { branch: "main" } })[key]).toBe("main");
		const both = {
			clone_drift: { branch: "main" },
			integration_branch: "next",
		};
		expect(of(both)[key]).toBe("next");
	});

	test("the root is the checkout unless somebody says", () => {
		expect(resolve({}).config["nexus.root"]).toBe(ROOT);
		expect(resolve({ nexus: { root: "~/n" } }).config["nexus.root"]).toBe(
			`${HOME}/n`,
		);
	});

	test("answered requests are kept as long as the others", () => {
		const key = "MONITOR_REQUESTS_REPLIED_RETENTION_SECONDS";
		expect(of({ requests: { retention_seconds: 5 } })[key]).toBe(5);
		expect(of({}, { [key]: "6" })[key]).toBe(6);
	});
});

describe("values", () => {
	test("an empty status surface is the default one", () => {
		const { config } = resolve({ status_surface: { kind: "", url_file: "" } });
		expect(config["status_surface.kind"]).toBe("overview-dashboard");
		expect(config["status_surface.url_file"]).toBeNull();
	});

	test("an unknown kind of status surface is kept for the footer to announce", () => {
		const { config } = resolve({ status_surface: { kind: "dashbord" } });
		expect(config["status_surface.kind"]).toBe("dashbord");
	});

	test("an empty list vetoes nothing", () => {
		const tree = { monitor: { watcher: { permission_veto: [] } } };
		expect(resolve(tree).config["monitor.watcher.permission_veto"]).toEqual([]);
	});

	test("a number stands for a text", () => {
		const { config } = resolve({ github: { bot_app_id: 123456 } });
		expect(config["github.bot_app_id"]).toBe("123456");
	});

	test("home is spelled out in defaults, too", () => {
		expect(resolve({}).config["github.bot_token_cache"]).toBe(
			`${HOME}/.claude/.nexus-bot-token.json`,
		);
	});

	test("runtimes are the defaults, over them the file, over them the environment", () => {
		const tree = {
			monitor: {
				fleet: {
					runtimes: {
						claude: { command: "claude --file" },
						"kiro-cli": { command: "kiro" },
						NotARuntime: { command: "x" },
					},
				},
			},
		};
		const { config } = resolve(tree, {
			MONITOR_FLEET_RUNTIME_KIRO_CLI_COMMAND: "kiro --env",
			MONITOR_FLEET_RUNTIME_AMP_COMMAND: "amp",
		});
		const runtimes = config["monitor.fleet.runtimes.<rt>.command"];
		expect(runtimes).toMatchObject({
			claude: "claude --file",
			codex: expect.stringContaining("codex"),
			"kiro-cli": "kiro --env",
			amp: "amp",
		});
		expect(runtimes.NotARuntime).toBeUndefined();
	});
});

test("what the validator accepts the resolver can read, and the reverse", () => {
	const key = fc.constantFrom(
		...Object.keys(FILE_KEYS).filter((name) => !name.includes("<")),
	);
	const value = fc.oneof(
		fc.jsonValue({ maxDepth: 1 }),
		fc.constantFrom("on", "60", "-1", "a/b", "04:00", "off", "@x", 0, 60, -1),
		fc.constantFrom(["@force-push"], ["("], "https://a.test", "http://a.test"),
	);
	fc.assert(
		fc.property(key, value, (name, given) => {
			const nested = name
				.split(".")
				.reduceRight<unknown>((inner, step) => ({ [step]: inner }), given);
			const seen = examine(JSON.stringify(nested));
			fc.pre(!seen.malformed);
			const { issues } = resolve(seen.tree);
			expect(issues.map((issue) => issue.message)).toEqual(
				seen.issues.map((issue) => issue.message),
			);
		}),
		{ numRuns: 150 },
	);
}, 60_000);
