/** What is checked before a watcher is made; nothing is touched here. */
import { describe, expect, test } from "bun:test";
import { readCron } from "../../monitor/_fleet/cron.ts";
import { parseArgs } from "../../resources/_start-watcher/args.ts";
import { cadenceToCron } from "../../resources/_start-watcher/cadence.ts";
import {
	type MemberLook,
	ownerOf,
	type Probe,
	preflight,
} from "../../resources/_start-watcher/preflight.ts";
import { refusedText } from "../../resources/_start-watcher/report.ts";
import {
	readRoster,
	rosterOfText,
} from "../../resources/_start-watcher/roster.ts";
import { warnings } from "../../resources/_start-watcher/warnings.ts";
import { fakeDoors } from "../fakes/doors.ts";

const GOOD = {
	"--role": "watcher",
	"--parent": "coord",
	"--roster": "a,b",
	"--model": "m",
	"--effort": "low",
	"--owner": "ana",
};
const MEMBERS: ReadonlyMap<string, MemberLook> = new Map([
	["a", { kind: "found", role: "worker" }],
	["b", { kind: "found", role: "worker" }],
	["coord", { kind: "found", role: "coordinator" }],
]);

function args(flags: Readonly<Record<string, string>> = {}, name = "w1") {
	const words = Object.entries({ ...GOOD, ...flags }).map((p) => p.join("="));
	const parsed = parseArgs([name, ...words]);
	if (parsed.kind !== "ok") throw new Error(JSON.stringify(parsed));
	return parsed.args;
}
function probe(part: Partial<Probe> = {}, roster = "a,b"): Probe {
	return {
		environment: [],
		backend: null,
		taken: [],
		members: MEMBERS,
		roster: readRoster(fakeDoors().files, "/", roster),
		supervisors: [],
		runtimes: ["claude", "codex"],
		command: null,
		kit: [],
		schedulerAge: 10,
		...part,
	};
}
const refused = (
	flags: Readonly<Record<string, string>>,
	part: Partial<Probe> = {},
	name = "w1",
) =>
	preflight(
		args(flags, name),
		probe(part, flags["--roster"] ?? GOOD["--roster"]),
	).map(({ id, why }) => `[${id}] ${why ?? "not checked"}`);

describe("the command line", () => {
	test.each([
		[["w1", "--wrong"], "unknown flag: --wrong"],
		[["--role=watcher", "--parent=p", "--roster=a"], "no name"],
		[["w1", "w2"], "unexpected argument 'w2'"],
		[["w1", "--role"], "--role needs a value"],
		[["w1", "--role=watcher", "--roster=a"], "--parent is missing"],
		[
			["w1", "--role=boss", "--parent=p", "--roster=a"],
			"--role is watcher or steward",
		],
	])("%j is a mistake of use", (argv, why) => {
		const parsed = parseArgs(argv);
		expect(parsed).toMatchObject({
			kind: "usage",
			why: expect.stringContaining(why),
		});
	});

	test.each(["x", "user:x", "@user:x"])("--owner %s is user:x", (owner) =>
		expect(args({ "--owner": owner }).owner).toBe("user:x"),
	);

	test("names carry no @", () => {
		const { name, parent } = args({ "--parent": "@coord" }, "@w1");
		expect([name, parent]).toEqual(["w1", "coord"]);
	});
});

describe("a roster", () => {
	const ids = (read: ReturnType<typeof rosterOfText>) =>
		read.kind === "ok" ? read.entries.map((e) => e.agentId) : read.why;

	test.each([
		["@a, b a", ["a", "b"]],
		["", []],
		["a b # c, d\n# e\n@f", ["a", "b", "f"]],
		[
			'["a", {"agent_id":"b","hostname":"h","tmux_session":"s"}, {}]',
			["a", "b"],
		],
	])("%j is %j", (text, names) =>
		expect(ids(rosterOfText(text))).toEqual(names),
	);

	test("behind an @ is a file's where there is one, else a name", () => {
		const { files } = fakeDoors();
		files.seed("/repo/night", "a, b\n");
		expect(ids(readRoster(files, "/repo", "@night"))).toEqual(["a", "b"]);
		expect(ids(readRoster(files, "/repo", "@a"))).toEqual(["a"]);
		expect(ids(readRoster(files, "/repo", "@x.txt"))).toBe(
			"/repo/x.txt is not there",
		);
	});

	test("in JSON that is torn is refused", () =>
		expect(ids(rosterOfText('["a",'))).toContain("no JSON"));
});

test.each([
	[60, "* * * * *"],
	[119, "* * * * *"],
	[120, "*/2 * * * *"],
	[300, "*/5 * * * *"],
	[420, "*/7 * * * *"],
	[600, "*/10 * * * *"],
	[3600, "0 * * * *"],
	[7199, "0 * * * *"],
	[7200, "0 */2 * * *"],
	[86_399, "0 */23 * * *"],
	[86_400, "0 0 * * *"],
	[172_800, "0 0 * * *"],
])("a cadence of %i s is the schedule %s", (seconds, cron) => {
	expect(cadenceToCron(seconds)).toBe(cron);
	expect(readCron(cron).kind).toBe("ok");
});

describe("a start is refused", () => {
	test("for nothing when all is well", () => expect(refused({})).toEqual([]));

	test.each<Readonly<Record<string, string>>>([
		{ "--cadence-idle": "60s", "--cadence-active": "1m" },
		{ "--restart-ctx-pct": "1" },
		{ "--restart-ctx-pct": "100" },
		{ "--model": "some/model-1.5[1m]", "--effort": "x-high" },
		{ "--runtime": "codex" },
	])("for nothing with %j", (flags) => expect(refused(flags)).toEqual([]));

	test.each(["x50", "50x", "5.0", "1e1", "1000", "-5"])(
		"for a restart at %j percent",
		(percent) =>
			expect(refused({ "--restart-ctx-pct": percent })).toEqual([
				`[restart-ctx-pct] not a whole number from 1 to 100: ${percent}`,
			]),
	);

	test.each<
		readonly [Readonly<Record<string, string>>, Partial<Probe>, string]
	>([
		[
			{},
			{ taken: ["branch feature/w1 exists"] },
			"[name-free] branch feature/w1 exists",
		],
		[{ "--parent": "who" }, {}, "[parent] no such agent: who"],
		[{ "--parent": "w1" }, {}, "[parent] the watcher cannot be its own parent"],
		[
			{ "--parent": "a" },
			{},
			"[parent] a is in the roster: it cannot be told of its own block",
		],
		[
			{ "--parent": "user:bo" },
			{},
			"[parent] user:bo is neither the owner, nor in permission_supervisors, nor a member",
		],
		[{ "--roster": "a,w1" }, {}, "[roster] the watcher is in its own roster"],
		[{ "--roster": "a,x,y" }, {}, "[roster] no such agent: x, y"],
		[
			{},
			{
				members: new Map([
					...MEMBERS,
					["b", { kind: "unknown", why: "ambiguous name: @b" }],
				]),
			},
			"[roster] could not ask for b: ambiguous name: @b",
		],
		[
			{ "--cadence-idle": "59s" },
			{},
			"[cadence] --cadence-idle: 59s is under a minute",
		],
		[
			{ "--cadence-active": "5" },
			{},
			"[cadence] --cadence-active: no duration such as 90s, 5m, 2h, 1d: 5",
		],
		[
			{ "--model": "a b" },
			{},
			"[model-effort] --model: blanks and characters of the shell are refused: a b",
		],
		[
			{ "--effort": "$(x)" },
			{},
			"[model-effort] --effort: blanks and characters of the shell are refused: $(x)",
		],
		[
			{ "--model": "-x" },
			{},
			"[model-effort] --model: blanks and characters of the shell are refused: -x",
		],
		[
			{ "--restart-ctx-pct": "0" },
			{},
			"[restart-ctx-pct] not a whole number from 1 to 100: 0",
		],
		[
			{ "--restart-ctx-pct": "101" },
			{},
			"[restart-ctx-pct] not a whole number from 1 to 100: 101",
		],
		[
			{ "--runtime": "vim" },
			{},
			"[runtime] no runtime vim; known: claude, codex",
		],
		[
			{},
			{ kit: ["esc-cap.ts does not bundle: x"] },
			"[kit] esc-cap.ts does not bundle: x",
		],
	])("with %j, %j", (flags, part, line) =>
		expect(refused(flags, part)).toEqual([line]),
	);

	test.each(["All", "_w", "daemon", "w.1", "w".repeat(64)])(
		"for the name %s",
		(name) => expect(refused({}, {}, name)[0]).toStartWith(`[name] ${name}: `),
	);

	test.each(["-a", "a;", "a.b", "ä", "../a", "$(x)", "a|b", "%0", "@@a", "A"])(
		"for the stranger %s on the roster, and for nothing else",
		(name) => {
			const [line, ...more] = refused({ "--roster": `a,${name},a,b` });
			expect(line).toStartWith("[roster] no such agent: ");
			expect(more).toEqual([]);
		},
	);

	test("for none of two hundred members, however often each is named", () => {
		const all = Array.from({ length: 200 }, (_, n) => `m${n}`);
		const members = new Map([
			...MEMBERS,
			...all.map((name) => [name, { kind: "found", role: "worker" }] as const),
		]);
		const roster = [...all, ...all].join(",");
		expect(refused({ "--roster": roster }, { members })).toEqual([]);
	});

	test("with every reason at once, in the order of the checks", () => {
		const lines = refused({ "--roster": "", "--model": "", "--effort": "" });
		expect(lines).toEqual([
			"[roster] the roster is empty",
			expect.stringMatching(
				/^\[model-effort\] --model is missing; runtime\.role_models /,
			),
			expect.stringMatching(/^\[model-effort\] --effort is missing; /),
		]);
	});

	test("with every check that there is, in its place", () => {
		const wrong = args({
			"--parent": "w1",
			"--cadence-idle": "1s",
			"--model": "",
			"--restart-ctx-pct": "0",
			"--runtime": "vim",
		});
		const part = {
			environment: ["tmux is missing"],
			backend: "daemon is not running",
			taken: ["branch feature/w1 exists"],
			kit: ["no template"],
		};
		const ids = preflight({ ...wrong, owner: null }, probe(part, ""));
		expect(ids.map(({ id }) => id)).toEqual([
			"environment",
			"backend",
			"name-free",
			"parent",
			"roster",
			"cadence",
			"model-effort",
			"restart-ctx-pct",
			"owner",
			"runtime",
			"kit",
		]);
		expect(refused({}, { backend: "down", kit: ["k"] }, "W1")).toEqual([
			"[backend] down",
			expect.stringMatching(/^\[name\] W1: /),
			"[kit] k",
		]);
	});

	test("a fleet that cannot be asked leaves open what needs it", () => {
		const unasked = { taken: null, members: null };
		const lines = refused({}, { backend: "daemon is not running", ...unasked });
		expect(lines).toEqual([
			"[backend] daemon is not running",
			...["[name-free] not checked", "[parent] not checked"],
			"[roster] not checked",
		]);
	});

	test("and told so, each check counted once", () =>
		expect(
			refusedText([
				{ id: "name-free", why: "monitor w1-pane-watch exists (stopped)" },
				{ id: "name-free", why: "branch feature/w1 exists" },
				{ id: "parent", why: null },
				{
					id: "owner",
					why: "no --owner and no @user: entry in permission_supervisors",
				},
			]),
		).toBe(
			[
				"start-watcher: REFUSED: 2 check(s) failed, nothing was created",
				"  [name-free] monitor w1-pane-watch exists (stopped)",
				"  [name-free] branch feature/w1 exists",
				"  [parent] not checked",
				"  [owner] no --owner and no @user: entry in permission_supervisors",
			].join("\n"),
		));
});

describe("the owner", () => {
	const without = () => ({ ...args(), owner: null });
	test("is the first person among the supervisors", () => {
		const supervisors = ["coordinator", "@user:ana", "@user:bo"];
		expect(ownerOf(without(), probe({ supervisors }))).toBe("user:ana");
	});
	test("must be somebody", () => {
		expect(preflight(without(), probe()).map(({ id }) => id)).toEqual([
			"owner",
		]);
	});
	test("and every supervisor may be the parent", () => {
		const supervisors = ["@user:bo"];
		expect(refused({ "--parent": "user:ana" })).toEqual([]);
		expect(refused({ "--parent": "@user:bo" }, { supervisors })).toEqual([]);
	});
});

describe("it is warned", () => {
	test("of a coordinator whose block only it would read", () => {
		const seen = probe({}, "a,coord");
		const boss: MemberLook = { kind: "found", role: "orchestrator" };
		const members = new Map([...MEMBERS, ["boss", boss]]);
		const one = args({ "--parent": "boss" });
		expect(warnings(one, { ...seen, members })).toEqual([
			"coord coordinates, and cannot read what its own block makes you tell @boss: parent should be the human",
		]);
		expect(warnings(args({ "--parent": "user:ana" }), seen)).toEqual([]);
	});
	test.each([
		["claude", "claude --model {model} --effort {effort}", 1],
		["claude", "claude --model {model} --permission-mode bypassPermissions", 0],
		["claude", "claude --dangerously-skip-permissions", 0],
		["claude", "claude --settings /etc/watcher.json", 0],
		["claude", "claude --allowedTools 'Bash(thrum:*)'", 0],
		["claude", null, 0],
		["codex", "codex --model {model}", 0],
	])(
		"of a %s that would ask before each command of its own, as %p: %i line(s)",
		(runtime, command, count) => {
			const lines = warnings(
				args({ "--runtime": runtime }),
				probe({ command }),
			);
			expect(lines).toHaveLength(count);
			for (const line of lines) expect(line).toContain("watches nobody");
		},
	);
	test.each([
		[null, 1],
		[121, 1],
		[120, 0],
		["not ours", 0],
	] as const)(
		"of a scheduler's tick %p s ago: %i line(s)",
		(schedulerAge, count) =>
			expect(warnings(args(), probe({ schedulerAge }))).toHaveLength(count),
	);
});
