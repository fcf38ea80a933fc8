import { describe, expect, test } from "bun:test";
import { chooseConfigFile } from "../../config/choose.ts";
import { renderExample } from "../../config/example.ts";
import { EXAMPLE, HOME, OWN, ROOT, rig } from "./rig.ts";

const AUTO_UPDATE = ["monitor.cc_auto_update.enabled", "false"];
const INTERVAL = ["monitor.interval_seconds"];

describe("which file", () => {
	test("the template answers while there is no file of the operator's", async () => {
		const answer = await rig(null).load(AUTO_UPDATE);
		expect(answer).toEqual({ code: 0, out: ["true"], err: [] });
	});

	test("a key missing from the operator's file never comes from the template", async () => {
		const answer = await rig("monitor: {interval_seconds: 45}\n").load(
			AUTO_UPDATE,
		);
		expect(answer).toEqual({ code: 0, out: ["false"], err: [] });
	});

	test("NEXUS_CONFIG names the file", async () => {
		const r = rig("monitor: {interval_seconds: 45}\n");
		r.files.seed("/etc/other.yml", "monitor: {interval_seconds: 15}\n", {
			mode: 0o600,
		});
		const env = { NEXUS_CONFIG: "/etc/other.yml" };
		expect((await r.load(INTERVAL, env)).out).toEqual(["15"]);
	});

	test("a NEXUS_CONFIG that names nothing falls through with a warning", async () => {
		const r = rig("monitor: {interval_seconds: 45}\n");
		const answer = await r.load(INTERVAL, { NEXUS_CONFIG: "/nonexistent" });
		expect(answer).toEqual({
			code: 0,
			out: ["45"],
			err: ["config: env NEXUS_CONFIG: no such file: /nonexistent; ignored"],
		});
	});

	test("an empty NEXUS_CONFIG is not set", async () => {
		const r = rig("monitor: {interval_seconds: 45}\n");
		const answer = await r.load(INTERVAL, { NEXUS_CONFIG: "" });
		expect(answer).toEqual({ code: 0, out: ["45"], err: [] });
	});

	test("no file at all is exit 1 and says where it looked", async () => {
		const answer = await rig(null, { bare: true }).load(["a.b", "x"]);
		expect(answer).toEqual({
			code: 1,
			out: [],
			err: [`load: no config found; tried: ${OWN}, ${EXAMPLE}`],
		});
	});

	test.each([
		["a folder", (r: ReturnType<typeof rig>) => r.files.seedDir(OWN)],
		["a FIFO", (r: ReturnType<typeof rig>) => r.files.seedOther(OWN)],
		[
			"a link to nothing",
			(r: ReturnType<typeof rig>) => r.files.seedLink("/gone", OWN),
		],
	])("%s at the place of nexus.yml is bad, not absent", async (_, make) => {
		const r = rig(null);
		make(r);
		const answer = await r.load(AUTO_UPDATE);
		expect(answer.code).toBe(3);
		expect(answer.out).toEqual([]);
		expect(chooseConfigFile({}, ROOT, r.files).kind).toBe("bad");
	});

	test("a file that cannot be read is bad, and no default hides it", async () => {
		const r = rig("monitor: {interval_seconds: 45}\n");
		r.files.faults.fail({ ops: ["read"], path: OWN, code: "EACCES" });
		const answer = await r.load([...INTERVAL, "60"]);
		expect(answer.code).toBe(3);
		expect(answer.out).toEqual([]);
		expect(answer.err[0]).toStartWith(`config: ${OWN}: unreadable: `);
	});
});

describe("load K [D]", () => {
	test.each([
		["monitor: {interval_seconds: 45}", INTERVAL, "45"],
		["a: 1", ["no.such.key", ""], ""],
		["k:", ["k", "d"], "d"],
		["k: null", ["k", "d"], "d"],
		["k: ~", ["k", "d"], "d"],
		['k: ""', ["k", "d"], ""],
		["b: True", ["b"], "true"],
		["b: FALSE", ["b"], "false"],
		["p: ~/x", ["p"], `${HOME}/x`],
		["p: ~", ["p", "d"], "d"],
		['p: "~"', ["p"], HOME],
		["p: a~/x", ["p"], "a~/x"],
		["s: {a: 1, b: [2]}", ["s"], '{"a":1,"b":[2]}'],
		["l: [1, x]", ["l"], '[1,"x"]'],
		["n: 1e3", ["n"], "1000"],
		["n: 60.0", ["n"], "60"],
		["n: 0.5", ["n"], "0.5"],
		["n: 1e21", ["n"], "1000000000000000000000"],
		["n: 1e-7", ["n"], "0.0000001"],
		["n: 010", ["n"], "10"],
		["n: 0o14", ["n"], "12"],
		["n: 0x10", ["n"], "16"],
		["n: 1_000", ["n"], "1_000"],
		["t: 10:30", ["t"], "10:30"],
		["t: 2026-05-11", ["t"], "2026-05-11"],
		["a: 5", ["a.b", "d"], "d"],
		[
			"monitor:\n  cross_repo_surface: off",
			["monitor.cross_repo_surface"],
			"off",
		],
		[
			"monitor:\n  cross_repo_surface: false",
			["monitor.cross_repo_surface"],
			"off",
		],
		["monitor: {interval_seconds: '60'}", INTERVAL, "60"],
		["github: {bot_app_id: 123456}", ["github.bot_app_id"], "123456"],
		["constructor: {a: 1}", ["constructor.name", "d"], "d"],
		["{}", ["toString", "d"], "d"],
	])("of %p, %j prints %p", async (text, argv, printed) => {
		const answer = await rig(`${text}\n`).load(argv);
		expect(answer.code).toBe(0);
		expect(answer.out).toEqual([printed]);
	});

	test("a switch spelled `off` is printed as false, with one warning", async () => {
		const r = rig("monitor:\n  deliveries: {asset_enabled: off}\n");
		expect(await r.load(["monitor.deliveries.asset_enabled"])).toEqual({
			code: 0,
			out: ["false"],
			err: [
				`config: ${OWN}:2: monitor.deliveries.asset_enabled: use true or false instead of "off"`,
			],
		});
	});

	test("a missing key without a default is exit 2", async () => {
		const answer = await rig("a: 1\n").load(["no.such.key"]);
		expect(answer.code).toBe(2);
		expect(answer.err.at(-1)).toBe(
			"load: key not found and no default: no.such.key",
		);
	});

	test("the environment is not asked", async () => {
		const r = rig("monitor: {interval_seconds: 45}\n");
		const answer = await r.load(INTERVAL, { MONITOR_INTERVAL: "10" });
		expect(answer.out).toEqual(["45"]);
	});

	test("a bad value elsewhere does not stop an unrelated key", async () => {
		const r = rig("monitor: {interval_seconds: fast, idle_close_hours: 9}\n");
		const answer = await r.load(["monitor.idle_close_hours"]);
		expect(answer).toEqual({
			code: 0,
			out: ["9"],
			err: [
				`config: ${OWN}:1:29: monitor.interval_seconds: expected an integer >= 1, got "fast"`,
			],
		});
	});

	test.each([
		["the key itself", "monitor: {interval_seconds: fast}", INTERVAL],
		["a mapping above it", "monitor: 5", [...INTERVAL, "60"]],
		["a value inside it", "monitor: {interval_seconds: fast}", ["monitor"]],
		["the text", "monitor: {", [...INTERVAL, "60"]],
	])(
		"a problem with %s is exit 3 and prints nothing",
		async (_, text, argv) => {
			const answer = await rig(`${text}\n`).load(argv);
			expect(answer.code).toBe(3);
			expect(answer.out).toEqual([]);
			expect(answer.err.length).toBeGreaterThan(0);
		},
	);

	test.each([
		[[]],
		[[""]],
		[["--nonsense"]],
		[["a", "b", "c"]],
		[["--dump", "x"]],
	])("%j is a usage error", async (argv) => {
		const answer = await rig("a: 1\n").load(argv);
		expect(answer.code).toBe(1);
		expect(answer.out).toEqual([]);
		expect(answer.err[0]).toStartWith("usage: load ");
	});
});

describe("--dump", () => {
	test("prints the leaves in file order, null as empty, secrets redacted", async () => {
		const text = `z: 1
a:
  b: ~/x
  c:
  api_key: hunter2
  list: [{db_password: hunter2}, 2]
  none: {}
my_token: hunter2
github: {api_url: "https://me:hunter2@ghe.acme.test/api/v3"}
mirrors: ["https://hunter2@a.test"]
`;
		const answer = await rig(text).load(["--dump"]);
		expect(answer.code).toBe(0);
		expect(answer.out).toEqual([
			"z=1",
			`a.b=${HOME}/x`,
			"a.c=",
			"a.api_key=(redacted)",
			'a.list=[{"db_password":"(redacted)"},2]',
			"a.none={}",
			"my_token=(redacted)",
			"github.api_url=https://(redacted)@ghe.acme.test/api/v3",
			'mirrors=["https://(redacted)@a.test"]',
		]);
	});

	test("--effective names where each value comes from", async () => {
		const r = rig("github:\n  bot_login: acme\n");
		const { code, out } = await r.load(["--dump", "--effective"], {
			MONITOR_INTERVAL_SECONDS: "30",
		});
		expect(code).toBe(0);
		expect(out).toContain("github.bot_login=acme  # file:2");
		expect(out).toContain("github.bot_git_name=acme[bot]  # derived");
		expect(out).toContain(
			"monitor.interval_seconds=30  # env MONITOR_INTERVAL_SECONDS",
		);
		expect(out).toContain("monitor.orchestrator_stale_seconds=150  # derived");
		expect(out).toContain("monitor.idle_close_hours=24  # default");
		expect(out).toEqual(out.toSorted());
	});

	test("--effective lists the open map entry by entry, each with its own source", async () => {
		const r = rig(
			"monitor:\n  fleet:\n    runtimes:\n      mine: {command: run-it}\n",
		);
		const { out } = await r.load(["--dump", "--effective"], {
			MONITOR_FLEET_RUNTIME_CODEX_COMMAND: "codex --fast",
		});
		expect(out.filter((line) => line.includes("runtimes"))).toEqual([
			"monitor.fleet.runtimes.claude.command=claude --model {model} --effort {effort}  # default",
			"monitor.fleet.runtimes.codex.command=codex --fast  # env MONITOR_FLEET_RUNTIME_CODEX_COMMAND",
			"monitor.fleet.runtimes.cursor.command=agent --model {model}  # default",
			"monitor.fleet.runtimes.mine.command=run-it  # file:4",
			"monitor.fleet.runtimes.opencode.command=opencode --model {model}  # default",
		]);
	});

	test("no value forges a line of --effective", async () => {
		const { out } = await rig(null).load(["--dump", "--effective"], {
			MONITOR_BOT_LOGIN: "x\ny=z\u001b[2J",
		});
		expect(out).toContain(
			"github.bot_login=x\\u000ay=z\\u001b[2J  # env MONITOR_BOT_LOGIN",
		);
	});

	test("--effective of a bad file has nothing to print", async () => {
		const r = rig("monitor: {interval_seconds: fast}\n");
		const answer = await r.load(["--dump", "--effective"]);
		expect(answer.code).toBe(3);
		expect(answer.out).toEqual([]);
	});

	test("the dump of the template shows every value it ships", async () => {
		const { out } = await rig(renderExample()).load(["--dump"]);
		expect(out).toContain("monitor.cc_auto_update.enabled=true");
		expect(out).toContain("github.bot_app_id=0");
	});
});
