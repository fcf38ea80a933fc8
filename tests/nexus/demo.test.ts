import { describe, expect, test } from "bun:test";
import { parse as parseYaml } from "yaml";
import { isGood, untold } from "../../monitor/_nexus/demo/emits.ts";
import {
	type ErrandEnd,
	isSettled,
	linkedAsset,
} from "../../monitor/_nexus/demo/errand.ts";
import { foldRepeated } from "../../monitor/_nexus/demo/fold.ts";
import {
	demoConfig,
	standInFilesAt,
	standInSettings,
} from "../../monitor/_nexus/demo/github-files.ts";
import {
	describeEmit,
	describeErrand,
} from "../../monitor/_nexus/demo/narrate.ts";
import { changedLines, statesOf } from "../../monitor/_nexus/demo/panes.ts";
import { isProven, proveDelivery } from "../../monitor/_nexus/demo/proof.ts";
import {
	parseRecord,
	readRecords,
	recordDir,
	removeRecord,
	writeRecord,
} from "../../monitor/_nexus/demo/record.ts";
import { goneText, until } from "../../monitor/_nexus/demo/stage.ts";
import { endDemo, processesOf } from "../../monitor/_nexus/demo/stop.ts";
import { demoEnv, demoWorldAt } from "../../monitor/_nexus/demo/world.ts";
import { fakeDoors } from "../fakes/doors.ts";

const SIGNATURE = "nexus-emit-sig 2026-05-11T13:42:01-07:00 a1b2c3";
const BODY = `=== nexus state changed ===\n+a\tb\n--- ${SIGNATURE} ---\n`;
const ARRIVED = BODY.trimEnd().replace("\t", "    ");
const prompt = (content: unknown) =>
	JSON.stringify({ type: "user", promptSource: "typed", message: { content } });
const noise = [
	'{"type":"mode"}',
	JSON.stringify({ type: "assistant", message: { content: SIGNATURE } }),
	JSON.stringify({ type: "user", isMeta: true, message: { content: BODY } }),
	"{ torn",
];

describe("the proof of a delivery", () => {
	const rows: [string, string[], number[], boolean][] = [
		["one prompt, whole", [...noise, prompt(ARRIVED)], [5], true],
		[
			"in Claude Code's own wrapper",
			[prompt(`<pasted_content id="1">\n${ARRIVED}\n</pasted_content id="1">`)],
			[1],
			true,
		],
		["nothing but noise", noise, [], false],
		["cut short", [prompt(ARRIVED.replace("+a", ""))], [1], false],
		["twice", [prompt(ARRIVED), ...noise, prompt(ARRIVED)], [1, 6], true],
	];
	test.each(rows)("%s", (_, lines, at, whole) => {
		const proof = proveDelivery(BODY, lines.join("\n"));
		expect(proof).toEqual({ signature: SIGNATURE, lines: at, whole });
		expect(isProven(proof)).toBe(at.length === 1 && whole);
	});

	test("a text without a signature proves nothing", () =>
		expect(proveDelivery("hello\n", prompt("hello"))).toBeNull());

	test("what is told of an emit can be checked by hand", () => {
		const emit = {
			path: "/s/diffs/one.md",
			body: BODY,
			proof: proveDelivery(BODY, prompt(ARRIVED)),
		};
		const text = describeEmit(emit, 0, "/c/projects/p/s.jsonl").join("\n");
		for (const fact of [
			BODY.trimEnd(),
			"/s/diffs/one.md",
			SIGNATURE,
			"/c/projects/p/s.jsonl",
			"1 (line 1)",
			"byte for byte",
		])
			expect(text).toContain(fact);
	});
});

describe("what is shown of the emits", () => {
	const arm = "--- arm watcher supervisor ---\nnot armed\nArm it now\n";
	const body = (said: string, at: number) =>
		`=== nexus state changed ===\n${arm}--- pending decisions ---\n${said}\nand so on\n--- nexus-emit-sig ${at} ---\n`;

	test("a section that an earlier one had word for word is named, not shown again", () => {
		const [first, second, third] = foldRepeated([
			body("a", 1),
			body("b", 2),
			body("b", 3),
		]).map((lines) => `${lines.join("\n")}\n`);
		expect(first).toBe(body("a", 1));
		const folded = "--- arm watcher supervisor ---\n(as in emit 1)\n";
		expect(second).toBe(body("b", 2).replace(arm, folded));
		expect(third).toContain("--- pending decisions ---\n(as in emit 2)\n");
		expect(third).toEndWith("--- nexus-emit-sig 3 ---\n");
	});

	test("one line, and what a section quotes, is shown as it is", () => {
		const short = "--- dashboard ---\nunknown\n";
		const diff = "--- local state changes ---\n--- /s/last.txt\tnow\n+x\n";
		const bodies = [short, `${short}${diff}`];
		expect(foldRepeated(bodies).map((l) => `${l.join("\n")}\n`)).toEqual(
			bodies,
		);
	});
});

test("a step that waits in a world that somebody removed says who may have been", async () => {
	const doors = fakeDoors({ auto: true });
	const world = demoWorldAt("/tmp/nexus-demo-x");
	doors.files.seedDir(world.root);
	const stage = { doors, world, signal: new AbortController().signal };
	const start = doors.clock.monoMs();
	const end = await until(stage, "a miracle", 60_000, () => {
		doors.files.removeTree(world.root);
		return null;
	});
	expect(end.kind === "failed" && end.reason).toBe(goneText(world));
	expect(goneText(world)).toContain("./nexus demo --stop");
	// A few polls, and not the whole minute.
	expect(doors.clock.monoMs() - start).toBeLessThan(60_000);
});

describe("what must be told", () => {
	const told = { comment: "31", report: "demo_2026-01-01_cache.md" };
	const comment = { body: "issue=1 id=31 author=demo\n  body: please\n" };
	const report = { body: " --- reports ---\n+demo_2026-01-01_cache.md\n" };
	const bell = { body: "--- standing bells ---\n  - build (idx 3)\n" };
	const decision = { body: "window=bench-b fp=0123456789ab kind=x\n" };

	test("over one emit or several", () => {
		expect(untold(told, [])).toEqual([
			"the comment",
			"the report",
			"the bell",
			"the decision",
		]);
		expect(untold(told, [comment, report, decision])).toEqual(["the bell"]);
		expect(untold(told, [comment, report, bell, decision])).toEqual([]);
	});

	test("one emit that did not arrive spoils the demo", () => {
		const proof = { signature: SIGNATURE, lines: [1], whole: true };
		const emits = [comment, report, bell, decision].map(({ body }) => ({
			path: "/a",
			body,
			proof,
		}));
		expect(isGood(told, { emits, transcript: "/t" })).toBe(true);
		const twice = { ...proof, lines: [1, 9] };
		const spoiled = [...emits, { path: "/b", body: "", proof: twice }];
		expect(isGood(told, { emits: spoiled, transcript: "/t" })).toBe(false);
	});

	test("a comment that comes again spoils it, too, and no other comment does", () => {
		const proof = { signature: SIGNATURE, lines: [1], whole: true };
		const good = (last: string) =>
			isGood(told, {
				emits: [comment, report, bell, decision, { body: last }].map(
					({ body }) => ({ path: "/a", body, proof }),
				),
				transcript: "/t",
			});
		expect(good(comment.body)).toBe(false);
		expect(good("issue=1 id=311 author=demo\n")).toBe(true);
	});
});

describe("the errand", () => {
	const bot = "demo-bot[bot]";
	const end = {
		marks: [
			{ content: "EYES", user: bot },
			{ content: "ROCKET", user: bot },
		],
		replies: ["Full report: http://h/demo/hub/blob/main/assets/1/a%20b.md"],
		report: "a b.md",
		asset: "assets/1/a b.md",
		isSame: true,
	};
	const [eyes] = end.marks;

	test("is settled when the comment is marked, answered once and the report is up", () =>
		expect(isSettled(end)).toBe(true));

	const spoiled: [string, Partial<ErrandEnd>][] = [
		["nobody could look", { marks: null }],
		["it was taken on and not closed", { marks: [eyes!] }],
		[
			"the operator closed it himself",
			{ marks: [eyes!, { content: "ROCKET", user: "demo" }] },
		],
		["nobody answered", { replies: [] }],
		["it was answered twice", { replies: [...end.replies, "again"] }],
		["another text was uploaded", { isSame: false }],
	];
	test.each(spoiled)("is not when %s", (_, part) =>
		expect(isSettled({ ...end, ...part })).toBe(false),
	);

	test.each([
		[end.replies[0], "assets/1/a b.md"],
		["Full report: http://h/demo/hub/blob/main/reports/a.md", null],
		["done", null],
	])("%s links to the file %s", (text, path) =>
		expect(linkedAsset(text ?? "")).toBe(path),
	);

	test("what is told of it can be checked by hand", () => {
		const emits = [
			{ path: "/a", body: " id=31 author=demo\n", proof: null },
			{ path: "/b", body: "nothing\n", proof: null },
		];
		const told = describeErrand({ issue: "1", comment: "31" }, end, emits);
		for (const fact of [
			"EYES by demo-bot[bot], ROCKET by demo-bot[bot]",
			"may be surfaced again:      no",
			"emits that carry it:        1",
			end.replies[0],
			"assets/1/a b.md",
			"byte for byte",
		])
			expect(told.join("\n")).toContain(fact ?? "");
	});
});

test("the stand-in's App is the one of the configuration, and nobody but the operator's login gives orders", () => {
	const files = standInFilesAt("/d/github");
	const own = { bot: "demo-bot", repo: "demo/hub", operator: "demo" };
	const parsed = parseYaml(demoConfig(files, { ...own, apiUrl: "http://h" }));
	const settings = standInSettings(files, {
		...own,
		publicKey: "PEM",
		userTokens: { t: "demo" },
	});
	const { github } = parsed;
	expect(settings).toMatchObject({
		app: {
			id: github.bot_app_id,
			slug: github.bot_login,
			installations: [{ id: github.bot_installation_id, account: "demo" }],
		},
		repos: [github.repo],
		userTokens: { t: github.user_login },
	});
	expect(github).toMatchObject({
		api_url: "http://h",
		bot_pem_path: files.appKey,
	});
});

describe("the panes that the demo follows", () => {
	const busy = "state=busy active=0 window=2 name=a input=blank";
	const idle = "state=idle active=0 window=2 name=a content_hash=7";
	const other = "state=idle active=1 window=0 name=b content_hash=8";

	test("are told when their state is new, and not when only the text is", () => {
		const known = statesOf([idle, other]);
		expect(changedLines([busy, other], known)).toEqual([busy]);
		expect(changedLines([idle.replace("7", "9"), other], known)).toEqual([]);
		expect(changedLines([idle, other], new Map())).toEqual([idle, other]);
	});

	test("are read from lines of pane-state alone", () => {
		expect([...statesOf([busy, "", "no line", other])]).toEqual([
			["a", "busy"],
			["b", "idle"],
		]);
	});
});

test("nothing of the demo's world points at the caller's tmux, home or fleet", () => {
	const world = demoWorldAt("/t/nexus-demo-x");
	const env = demoEnv(
		{ TMUX: "/tmp/tmux-0/default", HOME: "/root", NEXUS_ROOT: "/srv" },
		world,
		"/code/bin",
	);
	expect(env.TMUX).toBeUndefined();
	for (const name of [
		"HOME",
		"TMPDIR",
		"TMUX_TMPDIR",
		"CLAUDE_CONFIG_DIR",
		"NEXUS_ROOT",
		"NEXUS_STATE_DIR",
		"NEXUS_CONFIG",
	])
		expect(env[name]).toStartWith("/t/nexus-demo-x");
});

describe("the record of a running demo", () => {
	const record = { root: "/tmp/nexus-demo-a1", startedAt: "2026-01-01" };

	test("is read as it was written, and goes with the demo", () => {
		const doors = fakeDoors({ proc: { uid: 7 } });
		const dir = recordDir(doors);
		expect(dir).toBe("/tmp/nexus-demo-7");
		writeRecord(doors.files, dir!, record);
		doors.files.writeAtomic(`${dir}/torn.json`, '{"root": "/tmp/nex');
		expect(readRecords(doors.files, dir!)).toEqual([record]);
		removeRecord(doors.files, dir!, record.root);
		expect(readRecords(doors.files, dir!)).toEqual([]);
	});

	test.each([
		["/run/user/7", "/run/user/7/nexus-demo-7"],
		["/run/user/of-another-login", "/tmp/nexus-demo-7"],
	])("lies in a runtime folder that is there: %s", (XDG_RUNTIME_DIR, dir) => {
		const doors = fakeDoors({ proc: { uid: 7, env: { XDG_RUNTIME_DIR } } });
		doors.files.mkdir("/run/user/7", 0o700);
		expect(recordDir(doors)).toBe(dir);
	});

	test.each([
		"/",
		"/home/op",
		"/tmp/nexus-demo-",
		"/tmp/nexus-demo-a/../../etc",
		"/tmp/../nexus-demo-a",
		"relative/nexus-demo-a",
		"/tmp/nexus-demo-a/sub",
	])("no demo has its root at %s", (root) =>
		expect(parseRecord(JSON.stringify({ ...record, root }))).toBeNull(),
	);
});

describe("the end of a demo", () => {
	const root = "/tmp/nexus-demo-a1";
	const inside = (pid: number) => ({ pid, environ: { NEXUS_ROOT: root } });
	const outside = { pid: 900, environ: { NEXUS_ROOT: "/srv/nexus" } };

	function world(processes: Parameters<typeof fakeDoors>[0] = {}) {
		const doors = fakeDoors({ auto: true, ...processes });
		doors.files.mkdir(root);
		return doors;
	}

	test("takes what runs in its world, and nothing else", async () => {
		const doors = world({
			proc: { processes: [inside(800), inside(801), outside] },
		});
		expect(await endDemo(doors, root)).toEqual({ kind: "ended" });
		expect(doors.proc.signals).toEqual([
			{ pid: 800, sig: "SIGTERM" },
			{ pid: 801, sig: "SIGTERM" },
		]);
		expect(doors.files.stat(root).kind).toBe("absent");
	});

	test("kills what does not listen", async () => {
		const stubborn = { ...inside(800), survives: ["SIGTERM"] as const };
		const doors = world({ proc: { processes: [stubborn] } });
		expect(await endDemo(doors, root)).toEqual({ kind: "ended" });
		expect(doors.proc.signals.map((s) => s.sig)).toEqual([
			"SIGTERM",
			"SIGKILL",
		]);
	});

	test("keeps the folder of what cannot be ended, and names it", async () => {
		const survives = ["SIGTERM", "SIGKILL"] as const;
		const doors = world({
			proc: { processes: [{ ...inside(800), survives }] },
		});
		expect(await endDemo(doors, root)).toEqual({ kind: "left", pids: [800] });
		expect(doors.files.stat(root).kind).toBe("ok");
	});

	test("without a process table nothing is signalled and nothing removed", async () => {
		const doors = world({ proc: { processes: [inside(800)] } });
		doors.proc.tableUnreadable = true;
		expect(await endDemo(doors, root)).toEqual({ kind: "could-not-look" });
		expect(doors.proc.signals).toEqual([]);
		expect(doors.files.stat(root).kind).toBe("ok");
	});

	test("a process that cannot be looked into is nobody's", () => {
		const foreign = { ...inside(800), foreign: true };
		const doors = world({ proc: { processes: [foreign] } });
		expect(processesOf(doors, root)).toEqual([]);
	});
});
