import { describe, expect, test } from "bun:test";
import {
	isOneCommand,
	launchScript,
	launchToken,
	serviceSourceHash,
} from "../../monitor/_services/launch-token.ts";
import {
	classifyRecord,
	findOrphans,
	type RecordProbe,
	supervisorState,
} from "../../monitor/_services/supervisor.ts";
import {
	parseRecord,
	type RecordRead,
	supervisorRecordPath,
} from "../../monitor/_state/supervisor-record.ts";
import { fakeDoors } from "../fakes/doors.ts";

const NS = "pid:[1]";
const record: RecordRead = {
	kind: "ok",
	record: { pid: 500, ns: NS, startTicks: "77" },
};
const well: RecordProbe = {
	ns: NS,
	alive: true,
	startTicks: "77",
	argv: ["bash", "./web-supervised"],
	token: "web-supervised",
	isOurs: false,
};

describe("a supervisor is", () => {
	for (const [rule, read, probe, expected] of [
		["absent without a record", { kind: "absent" }, {}, { kind: "absent" }],
		[
			"unknown when its record cannot be read",
			{ kind: "unreadable", why: "EACCES" },
			{},
			{ kind: "unknown", why: "EACCES" },
		],
		[
			"stale: a record without a pid",
			{ kind: "malformed" },
			{},
			{ kind: "stale", reason: "malformed-record" },
		],
		[
			"stale: its process is gone",
			record,
			{ alive: false },
			{ kind: "stale", reason: "process-gone" },
		],
		[
			"stale: its pid was given away",
			record,
			{ startTicks: "78" },
			{ kind: "stale", reason: "pid-recycled" },
		],
		[
			"stale: something else runs under its pid",
			record,
			{ argv: ["vim", "notes"] },
			{ kind: "stale", reason: "cmdline-mismatch" },
		],
		["alive", record, {}, { kind: "alive", pid: 500 }],
		[
			"alive: its wrapper became another program, of the same start and with our state dir in its environment",
			record,
			{ argv: ["node", "serve.js"], isOurs: true },
			{ kind: "alive", pid: 500 },
		],
		[
			"stale: something of ours runs under its pid, and nobody can tell since when",
			record,
			{ argv: ["vim", "notes"], isOurs: true, startTicks: null },
			{ kind: "stale", reason: "cmdline-mismatch" },
		],
		[
			"alive when its start time cannot be read",
			record,
			{ startTicks: null },
			{ kind: "alive", pid: 500 },
		],
		[
			"alive when its command line cannot be read",
			record,
			{ argv: null },
			{ kind: "alive", pid: 500 },
		],
		[
			"alive by a record of old, which holds the pid alone",
			{ kind: "ok", record: { pid: 500, ns: null, startTicks: null } },
			{},
			{ kind: "alive", pid: 500 },
		],
	] as const)
		test(rule, () => {
			expect(classifyRecord(read, NS, () => ({ ...well, ...probe }))).toEqual(
				expected,
			);
		});

	test("stale when recorded in another pid namespace, and that pid is not even looked at", () => {
		const state = classifyRecord(record, "pid:[2]", () => {
			throw new Error("probed");
		});
		expect(state).toEqual({ kind: "stale", reason: "foreign-namespace" });
	});
});

describe("a record", () => {
	for (const [text, parsed] of [
		["41\n", { pid: 41, ns: null, startTicks: null }],
		["41", { pid: 41, ns: null, startTicks: null }],
		["41\nns=pid:[9]\nstart=7\n", { pid: 41, ns: "pid:[9]", startTicks: "7" }],
		[
			"41\nns=unknown\nstart=unknown\n",
			{ pid: 41, ns: null, startTicks: null },
		],
		["", null],
		["abc\nns=x\n", null],
		["-41\n", null],
		["1\n", null],
		["0\n", null],
	] as const)
		test(JSON.stringify(text), () => {
			expect(parseRecord(text)).toEqual(parsed);
		});
});

describe("the word to know a launch by", () => {
	for (const [launch, token] of [
		["./web-supervised --port 1", "web-supervised"],
		["FOO=1 BAR='a b' bash serve.sh", "bash"],
		["exec nohup /opt/x/run", "run"],
		["$HOME/bin/web-supervised", "web-supervised"],
		['"/opt/my app/run it" --x', "run it"],
		["/opt/my\\ app/run", "run"],
		["$WRAPPER serve", null],
		["`which x`", null],
		["", null],
	] as const)
		test(`${launch} → ${token}`, () => {
			expect(launchToken(launch)).toBe(token);
		});
});

test("only of one command can be told what its process is called", () => {
	for (const one of [
		"./web 2>&1",
		"bash -c 'a; b | c'",
		'x "a&b" >&2',
		"a\\;b",
	])
		expect([one, isOneCommand(one)]).toEqual([one, true]);
	for (const more of ["touch x; exec web", "a | b", "cd x && web", "a & wait"])
		expect([more, isOneCommand(more)]).toEqual([more, false]);
	const doors = fakeDoors();
	const row = { name: "web", launch: "touch x; exec sleep 9" };
	doors.files.seed(supervisorRecordPath("/s", "web"), "500\n");
	doors.proc.add({ pid: 500, argv: ["sleep", "9"] });
	expect(supervisorState(doors, "/s", row).kind).toBe("alive");
	const one = { ...row, launch: "touch x" };
	expect(supervisorState(doors, "/s", one).kind).toBe("stale");
});

describe("the script of a launch", () => {
	const { files } = fakeDoors();
	files.seed("/w/serve.sh", "echo 1");
	files.seedDir("/w/python");
	for (const [launch, script] of [
		["FOO=1 bash serve.sh --x", "/w/serve.sh"],
		["'/w/serve.sh'", "/w/serve.sh"],
		["python -m http.server", null],
	] as const)
		test(`${launch} → ${script}`, () => {
			expect(launchScript(files, { launch, workdir: "/w" })).toBe(script);
		});

	test("its hash follows its text", () => {
		const row = { launch: "bash serve.sh", workdir: "/w" };
		const before = serviceSourceHash(files, row);
		files.seed("/w/serve.sh", "echo 2");
		expect(before?.kind).toBe("ok");
		expect(serviceSourceHash(files, row)).not.toEqual(before);
	});
});

const ROW = { name: "web", launch: "./web-supervised", workdir: "/w" };

test("the state of a row joins its record with the process table", () => {
	const doors = fakeDoors();
	const state = () => supervisorState(doors, "/s", ROW);
	expect(state().kind).toBe("absent");
	const ns = doors.proc.pidNamespace();
	const text = `500\nns=${ns}\nstart=5000\n`;
	doors.files.seed(supervisorRecordPath("/s", "web"), text);
	expect(state()).toEqual({ kind: "stale", reason: "process-gone" });
	doors.proc.add({ pid: 500, argv: ["bash", "/w/web-supervised"] });
	expect(state()).toEqual({ kind: "alive", pid: 500 });
	doors.proc.add({ pid: 500, startTicks: "9" });
	expect(state()).toEqual({ kind: "stale", reason: "pid-recycled" });
});

describe("the search for a supervisor without a record", () => {
	const world = () => {
		const doors = fakeDoors();
		doors.files.seedDir("/w");
		const argv = ["bash", "./web-supervised"];
		doors.proc.add({ pid: 600, argv, cwd: "/w" });
		return { doors, argv };
	};

	test("finds the one of ours in the row's folder, and neither its namesake elsewhere nor a stranger's", () => {
		const { doors, argv } = world();
		doors.proc.add({ pid: 601, argv, cwd: "/elsewhere" });
		doors.proc.add({ pid: 602, argv, cwd: "/w", foreign: true });
		doors.proc.add({ pid: 603, argv: ["vim", "x"], cwd: "/w" });
		doors.proc.add({ pid: 604, argv, cwd: "/w", state: "Z" });
		expect(findOrphans(doors, ROW)).toEqual({ kind: "ok", value: [600] });
	});

	test("takes a shell and the child that bears its words for one, by the group's leader", () => {
		const { doors, argv } = world();
		doors.proc.add({ pid: 605, pgid: 600, argv, cwd: "/w" });
		expect(findOrphans(doors, ROW)).toEqual({ kind: "ok", value: [600] });
		doors.proc.add({ pid: 606, pgid: 606, argv, cwd: "/w" });
		expect(findOrphans(doors, ROW)).toEqual({ kind: "ok", value: [600, 606] });
	});

	test("could not look is not nobody", () => {
		const { doors } = world();
		doors.proc.tableUnreadable = true;
		expect(findOrphans(doors, ROW).kind).toBe("unknown");
		const opaque = { ...ROW, launch: "$RUN" };
		expect(findOrphans(world().doors, opaque).kind).toBe("unknown");
	});
});
