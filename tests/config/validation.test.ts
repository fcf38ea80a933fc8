import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { examine } from "../../config/examine.ts";
import type { Leaf } from "../../config/leaves.ts";
import {
	issueLine,
	issueLines,
	printGot,
	warningLine,
} from "../../config/report.ts";
import { resolveConfig } from "../../config/resolve.ts";
import { CONFIG_KEYS, isFileKey } from "../../config/schema.ts";

const FROM = { root: "/srv/nexus", home: "/home/ada" };

const issuesOf = (text: string) =>
	examine(text).issues.map((issue) => issueLine("n.yml", issue));
const warningsOf = (text: string) =>
	examine(text).warnings.map((warning) => warningLine("n.yml", warning));

describe("a bad value is reported with its place, its key, what was expected and what was got", () => {
	test.each([
		[
			"monitor:\n  interval_seconds: fast",
			'2:21: monitor.interval_seconds: expected an integer >= 1, got "fast"',
		],
		[
			"monitor:\n  interval_seconds: 0",
			"2:21: monitor.interval_seconds: expected an integer >= 1, got 0",
		],
		[
			"monitor:\n  watcher:\n    on_dialog: maybe",
			'3:16: monitor.watcher.on_dialog: expected one of auto-dismiss, skip, error, got "maybe"',
		],
		[
			"monitor:\n  watcher:\n    on_permission: refuse",
			'3:20: monitor.watcher.on_permission: expected one of enter, relay, got "refuse"',
		],
		[
			'monitor:\n  watcher:\n    permission_veto: ["rm (", "@force-push"]',
			'3:23: monitor.watcher.permission_veto: expected a regular expression or a built-in, got "rm ("',
		],
		[
			'monitor:\n  watcher:\n    permission_veto: ["@force-push", "@forse-push"]',
			'3:38: monitor.watcher.permission_veto: expected a regular expression or a built-in, got "@forse-push"',
		],
		["monitor: 5", "1:10: monitor: expected a mapping, got 5"],
		[
			"status_surface: external",
			'1:17: status_surface: expected a mapping, got "external"',
		],
		[
			"monitor:\n  cc_auto_update: {fire_time: 25:00}",
			'2:31: monitor.cc_auto_update.fire_time: expected HH:MM, got "25:00"',
		],
		[
			"monitor: {cc_auto_update: {fire_time: '24:00'}}",
			'1:39: monitor.cc_auto_update.fire_time: expected HH:MM, got "24:00"',
		],
		[
			"monitor: {cc_auto_update: {fire_time: '30:00'}}",
			'1:39: monitor.cc_auto_update.fire_time: expected HH:MM, got "30:00"',
		],
		[
			"monitor: {cc_auto_update: {fire_time: '04:60'}}",
			'1:39: monitor.cc_auto_update.fire_time: expected HH:MM, got "04:60"',
		],
		[
			"monitor: {cc_auto_update: {fire_time: '4:00'}}",
			'1:39: monitor.cc_auto_update.fire_time: expected HH:MM, got "4:00"',
		],
		[
			"monitor: {interval_seconds: {a: 1}}",
			'1:29: monitor.interval_seconds: expected an integer >= 1, got {"a":1}',
		],
		[
			'monitor: {interval_seconds: ""}',
			'1:29: monitor.interval_seconds: expected an integer >= 1, got ""',
		],
		[
			"monitor: {interval_seconds: 60.5}",
			"1:29: monitor.interval_seconds: expected an integer >= 1, got 60.5",
		],
		[
			"monitor: {diff_max_files: false}",
			"1:27: monitor.diff_max_files: expected an integer >= 0, got false",
		],
		[
			"monitor: {diff_max_files: 1_000}",
			'1:27: monitor.diff_max_files: expected an integer >= 0, got "1_000"',
		],
		[
			"monitor: {graphql: {search_page_size: 101}}",
			"1:39: monitor.graphql.search_page_size: expected an integer from 1 to 100, got 101",
		],
		[
			"notifications: {email: {smtp_port: 65536}}",
			"1:36: notifications.email.smtp_port: expected an integer from 1 to 65535, got 65536",
		],
		[
			"monitor: {full_state: {stage_max_age_seconds: -2}}",
			"1:47: monitor.full_state.stage_max_age_seconds: expected an integer >= -1, got -2",
		],
		[
			"monitor: {mentions_enabled: maybe}",
			'1:29: monitor.mentions_enabled: expected true or false, got "maybe"',
		],
		[
			"monitor: {mentions_enabled: 1}",
			"1:29: monitor.mentions_enabled: expected true or false, got 1",
		],
		[
			"monitor: {target_window: 'a:b'}",
			"1:26: monitor.target_window: expected a window name without ':', '.' or white space, got \"a:b\"",
		],
		[
			"monitor: {requests: {dir: inbox}}",
			'1:27: monitor.requests.dir: expected an absolute path, got "inbox"',
		],
		[
			"github: {repo: acme}",
			'1:16: github.repo: expected owner/name, got "acme"',
		],
		[
			"github: {api_url: 'http://example.org'}",
			'1:19: github.api_url: expected an https URL (http only to this machine) without a login in it, got "http://example.org"',
		],
		[
			"github: {api_url: 'https://me:hunter2@ghe.acme.test'}",
			'1:19: github.api_url: expected an https URL (http only to this machine) without a login in it, got "https://(redacted)@ghe.acme.test"',
		],
		[
			"github: {api_url: 'https://ghp_hunter2@ghe.acme.test'}",
			'1:19: github.api_url: expected an https URL (http only to this machine) without a login in it, got "https://(redacted)@ghe.acme.test"',
		],
		[
			"github: {overview_issue_number: 0}",
			"1:33: github.overview_issue_number: expected an integer >= 1, got 0",
		],
		[
			"monitor: {cc_auto_update: {tracking_issue: soon}}",
			'1:44: monitor.cc_auto_update.tracking_issue: expected an issue number or owner/repo#n, got "soon"',
		],
		[
			"monitor: {fleet: {runtimes: {kiro: {command: [a]}}}}",
			'1:46: monitor.fleet.runtimes.kiro.command: expected a string, got ["a"]',
		],
		[
			"a: &m {interval_seconds: fast}\nmonitor:\n  <<: *m",
			'1:26: monitor.interval_seconds: expected an integer >= 1, got "fast"',
		],
		[
			"\ufeffmonitor: {interval_seconds: fast}\r\nx-a: 1\r\n",
			'1:29: monitor.interval_seconds: expected an integer >= 1, got "fast"',
		],
	])("%j", (text, line) => {
		expect(issuesOf(text)).toEqual([`config: n.yml:${line}`]);
	});
});

describe("a text that is no tree is reported with the parser's place", () => {
	test.each([
		[
			"monitor:\n\tinterval_seconds: 60",
			"2:1: Tabs are not allowed as indentation",
		],
		["monitor:\n  a: 1\n  a: 2", "3:3: monitor.a: duplicate key"],
		["- a", "1:1: top level must be a mapping"],
		["just words", "1:1: top level must be a mapping"],
		["a: @x", "1:4: Plain value cannot start with reserved character @"],
		[
			"a:\n  b: 1\n c: 2",
			"3:1: All mapping items must start at the same column",
		],
		[
			"a: 1\n---\nb: 2",
			"2:1: Source contains multiple documents; please use YAML.parseAllDocuments()",
		],
		["a: &x {b: *x}", "1:11: a.b: an alias refers to itself"],
		["a: *gone", "1:4: a: no anchor named gone"],
	])("%j", (text, line) => {
		expect(issuesOf(text)).toEqual([`config: n.yml:${line}`]);
		expect(examine(text).tree).toBeNull();
	});

	test("a bomb of aliases is refused", () => {
		const text = `a: &a [x,x,x,x,x,x,x,x,x]
b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]`;
		expect(examine(text).malformed).toBe(true);
	});

	test("a bomb that would unfold for years is refused before it goes off", () => {
		const level = (n: number) =>
			`x${n}: &x${n} [${
				n === 0
					? "x"
					: Array(9)
							.fill(`*x${n - 1}`)
							.join(", ")
			}]\n`;
		const text = Array.from({ length: 15 }, (_, n) => level(n)).join("");
		const issues = issuesOf(text);
		expect(issues).toHaveLength(1);
		expect(issues[0]).toContain("unfolds to more than 10000 values");
	});
});

describe("what operators write and means something", () => {
	test.each([
		[""],
		["# only words\n"],
		["monitor:\n"],
		["monitor: {interval_seconds: '60', diff_max_files: +5}"],
		["monitor: {interval_seconds: 1e3, diff_max_files: 0x10}"],
		["monitor: {interval_seconds: 60.0, diff_max_files: 0o14}"],
		["monitor: {interval_seconds: ~, diff_max_files: null}"],
		["monitor: {mentions_enabled: 'true'}"],
		["monitor:\n  comment_surface: {interval_seconds: 0}"],
		["monitor:\n  cross_repo_surface: off"],
		["status_surface: {kind: dashbord}"],
		["status_surface:\n  kind: external\n  url_file: /x"],
		["monitor: {watcher: {permission_veto: []}}"],
		["monitor: {graphql: {search_page_size: 100}}"],
		["notifications: {email: {smtp_port: 65535}}"],
		["monitor: {cc_auto_update: {fire_time: '00:00'}}"],
		["monitor: {cc_auto_update: {fire_time: '19:59'}}"],
		["monitor: {cc_auto_update: {fire_time: '23:59'}}"],
		["monitor: {cc_auto_update: {tracking_issue: 7}}"],
		["monitor: {cc_auto_update: {tracking_issue: 'acme/assets#7'}}"],
		["monitor: {requests: {dir: ~/inbox}}"],
		["github: {api_url: 'http://127.0.0.1:8080'}"],
		["github: {api_url: 'http://[::1]:8080', repo: ''}"],
		["github: {api_url: ''}"],
		["a: !!python/none x\r\n"],
	])("%j has no issue", (text) => {
		expect(issuesOf(text)).toEqual([]);
	});
});

test("all problems are told in one run, by line, with their number", () => {
	const text =
		"monitor:\n  idle_close_hours: x\n  interval_seconds: y\ngithub: {repo: z}\n";
	const lines = issueLines("n.yml", examine(text).issues);
	expect(lines.slice(0, -1).map((line) => line.split(": ")[1])).toEqual([
		"n.yml:2:21",
		"n.yml:3:21",
		"n.yml:4:16",
	]);
	expect(lines.at(-1)).toBe("config: 3 problem(s); nothing was started");
});

describe("warnings never refuse", () => {
	test.each([
		[
			"monitor:\n  intervall_seconds: 60",
			"2: unknown key monitor.intervall_seconds (ignored); did you mean monitor.interval_seconds?",
		],
		[
			"monitors: {a: {b: 1}}",
			"1: unknown key monitors (ignored); did you mean monitor?",
		],
		[
			"monitor: {wholly_other: 1}",
			"1: unknown key monitor.wholly_other (ignored)",
		],
		[
			"monitor:\n  graphql_cadence: 5",
			"2: monitor.graphql_cadence is retired (ignored): the backstop search has its own cadence, gated by monitor.graphql_threshold",
		],
		[
			"monitor: {deliveries_enabled: true}",
			"1: monitor.deliveries_enabled is retired (ignored): use monitor.deliveries.asset_enabled and monitor.deliveries.bot_mention_enabled",
		],
		[
			"monitor:\n  mention_eligibility: all",
			"2: monitor.mention_eligibility is retired (ignored): use monitor.mentions_enabled and monitor.cross_repo_surface",
		],
		[
			"monitor:\n  watch_repos: [a/b]",
			"2: monitor.watch_repos is retired (ignored): use monitor.mentions_enabled and monitor.cross_repo_surface",
		],
		[
			"monitor: {watcher: {api_error_backoff_minutes: 5}}",
			"1: monitor.watcher.api_error_backoff_minutes is retired (ignored): API errors are handled by the over-limit and turn-failure rules",
		],
		[
			"monitor: {orchestrator_unresponsive_threshold_seconds: 9}",
			"1: monitor.orchestrator_unresponsive_threshold_seconds is deprecated: use monitor.watcher.orchestrator_dead_threshold_seconds",
		],
		[
			"github: {overview_issue: 3}",
			"1: github.overview_issue is retired (ignored): use github.overview_issue_number",
		],
		[
			"monitor: {clone_drift: {branch: main}}",
			"1: monitor.clone_drift.branch is deprecated: use monitor.integration_branch",
		],
		[
			"monitor:\n  deliveries: {asset_enabled: off}",
			'2: monitor.deliveries.asset_enabled: use true or false instead of "off"',
		],
		["a: &b !weird x\nx-b: *b", "1: Unresolved tag: !weird"],
		[
			"monitor:\n  watcher:\n    auth_hold: {enabled: true}",
			"3: monitor.watcher.auth_hold.enabled is not read yet (ignored): nothing waits for a log-in but monitor.watcher.turn_failure_gate_seconds",
		],
		[
			"monitor: {deliveries: {connect_timeout_seconds: 5}}",
			"1: monitor.deliveries.connect_timeout_seconds is not read yet (ignored): one deadline bounds the whole request, monitor.deliveries.max_time_seconds",
		],
	])("%j", (text, line) => {
		expect(issuesOf(text)).toEqual([]);
		expect(warningsOf(text)).toContain(`config: n.yml:${line}`);
	});

	test.each([
		["monitor: {remote: {host: a}}"],
		["literature: {a: 1}\nnotebook: {b: 2}"],
		["x-mine: {a: 1}\nmonitor: {x-note: hello}"],
		["monitor: {fleet: {runtimes: {kiro-cli: {command: kiro}}}}"],
		["monitor: {mentions_enabled: 'true', reemit_enabled: TRUE}"],
		["monitor: {clone_drift: {branch: }}"],
		["monitor: {watcher: {auth_hold: {enabled: }}}"],
		["notifications: {email: {probe_address: ''}}"],
	])("%j is accepted in silence", (text) => {
		expect(warningsOf(text)).toEqual([]);
	});
});

test("whatever nothing reads is told to whoever sets it, in the file as in the environment", () => {
	const unread = Object.entries<Leaf<unknown>>(CONFIG_KEYS).filter(
		([, row]) => row.unread !== undefined,
	);
	expect(unread.length).toBeGreaterThan(0);
	for (const [key, { env, default: usual }] of unread) {
		const value = usual ?? "x";
		if (isFileKey(key)) {
			const tree = key
				.split(".")
				.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
			const lines = warningsOf(JSON.stringify(tree));
			expect(lines).toHaveLength(1);
			expect(lines[0]).toContain(`${key} is not read yet (ignored): `);
		}
		for (const name of isFileKey(key) ? env : [key]) {
			const { warnings } = resolveConfig({}, { [name]: String(value) }, FROM);
			const lines = warnings.map((w) => warningLine("n.yml", w));
			expect(lines).toHaveLength(1);
			expect(lines[0]).toMatch(
				new RegExp(`^config: env ${name}: .*is not read yet: .*; ignored$`),
			);
		}
	}
});

describe("secrets", () => {
	test("are never quoted in an issue", () => {
		expect(printGot("a.api_key", "hunter2")).toBe("(redacted)");
		expect(printGot("a.PASSWORD", "hunter2")).toBe("(redacted)");
		expect(printGot("a", { bot_token: "hunter2" })).not.toContain("hunter2");
		expect(printGot("a.user_key_path", "/x")).toBe('"/x"');
	});

	test("a long value is cut at 60 characters", () => {
		expect(printGot("a", "x".repeat(100))).toBe(`"${"x".repeat(59)}…`);
	});
});

test("no text makes the reading throw, and an unusable one says why", () => {
	const piece = fc.constantFrom(
		...["monitor", ":", " ", "\n", "  ", "- ", "{", "}", "[", "]", "&a", "*a"],
		...[
			"<<",
			"!!x",
			"'",
			'"',
			"fast",
			"60",
			"~",
			"|",
			">",
			"#",
			"\t",
			"%",
			"?",
		],
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
			const seen = examine(pieces.join(""));
			expect(seen.tree === null).toBe(seen.malformed);
			for (const issue of seen.issues) expect(issue.message).not.toBe("");
		}),
	);
});
