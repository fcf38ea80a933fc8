/** declare-wait, declare-no-wait, worker-health (contract 08 §4.1, §4.4). */
import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { declareNoWait } from "../../monitor/_declare/no-wait.ts";
import type { WaitToolDoors } from "../../monitor/_declare/tool.ts";
import { declareWait } from "../../monitor/_declare/wait.ts";
import { checkWaitId } from "../../monitor/_state/wait-id.ts";
import {
	isStillRunning,
	parseWorkerHealth,
} from "../../monitor/_state/worker-health.ts";
import { answerHealth } from "../../monitor/_worker-health/answer.ts";
import { writeHeartbeat } from "../../monitor/hooks/_heartbeat.ts";
import { type HookRig, hookRig, NOW, STATE } from "../hooks/hook-rig.ts";

const PATH = "heartbeat/w1.json";
let rig: HookRig;
let out: string[];
let err: string[];
let env: Record<string, string>;
beforeEach(() => {
	rig = hookRig();
	out = [];
	err = [];
	env = { NEXUS_WORKER_WINDOW: "w1" };
});

function tool(): WaitToolDoors {
	const { files, clock } = rig.doors;
	return {
		files,
		clock,
		timer: clock,
		env,
		stateDir: STATE,
		out: (line) => void out.push(line),
		err: (line) => void err.push(line),
	};
}
const wait = (...argv: string[]) => declareWait(argv, tool());
const noWait = (...argv: string[]) => declareNoWait(argv, tool());
const waits = () => rig.json(PATH)?.external_waits;
const dismissed = () => rig.json(PATH)?.dismissed_waits;

describe("declare-wait", () => {
	test("begins a heartbeat where there is none", async () => {
		expect(await wait("slurm", "1", "train the model")).toBe(0);
		expect(rig.json(PATH)).toEqual({
			window: "w1",
			last_activity: NOW,
			external_waits: [{ kind: "slurm", id: "1", desc: "train the model" }],
			dismissed_waits: [],
		});
		expect(err).toEqual([]);
	});

	test("again puts the new description in its place", async () => {
		await wait("slurm", "1", "old");
		await wait("ci", "abc/runs/9");
		await wait("slurm", "1", "new");
		expect(waits()).toEqual([
			{ kind: "ci", id: "abc/runs/9" },
			{ kind: "slurm", id: "1", desc: "new" },
		]);
	});

	test("leaves every other field, known or not", async () => {
		rig.doors.files.seed(
			`${STATE}/${PATH}`,
			'{"state":"busy","odd":{"a":[1]}}',
		);
		await wait("slurm", "1");
		expect(rig.json(PATH)).toEqual({
			state: "busy",
			odd: { a: [1] },
			external_waits: [{ kind: "slurm", id: "1" }],
		});
	});

	test("--remove takes one away; exit 4 when it was not there", async () => {
		await wait("slurm", "1");
		await wait("ci", "1");
		expect(await wait("--remove", "slurm", "1")).toBe(0);
		expect(waits()).toEqual([{ kind: "ci", id: "1" }]);
		expect(await wait("--remove", "slurm", "1")).toBe(4);
		expect(await wait("--remove", "slurm", "2")).toBe(4);
	});

	test("--list prints one line, --clear empties", async () => {
		expect(await wait("--list")).toBe(0);
		await wait("slurm", "1");
		await wait("--list");
		expect(await wait("--clear")).toBe(0);
		expect(out).toEqual(["[]", '[{"kind":"slurm","id":"1"}]']);
		expect(waits()).toEqual([]);
	});

	test("outlives the next tool call", async () => {
		await wait("slurm", "1");
		await rig.run(writeHeartbeat, {}, "busy");
		expect(rig.json(PATH)).toMatchObject({
			state: "busy",
			external_waits: [{ kind: "slurm", id: "1" }],
		});
	});

	test("sets a damaged heartbeat aside, loudly, and begins anew", async () => {
		rig.doors.files.seed(`${STATE}/${PATH}`, "");
		expect(await wait("slurm", "1")).toBe(0);
		expect(err.join()).toContain("set aside");
		expect(waits()).toEqual([{ kind: "slurm", id: "1" }]);
	});

	test("a disk that refuses is exit 2 with the reason", async () => {
		rig.doors.files.faults.readOnly = true;
		expect(await wait("slurm", "1")).toBe(2);
		expect(err.join()).toContain("EROFS");
	});
});

describe("declare-no-wait", () => {
	test("takes the wait away and keeps it away", async () => {
		await wait("slurm", "1", "x");
		expect(await noWait("slurm", "1")).toBe(0);
		expect(waits()).toEqual([]);
		expect(dismissed()).toEqual([{ kind: "slurm", id: "1" }]);
	});
	test("works before anything was detected, and twice is once", async () => {
		await noWait("slurm", "1");
		await noWait("slurm", "1");
		expect(dismissed()).toEqual([{ kind: "slurm", id: "1" }]);
	});
	test("--un-dismiss undoes it; exit 4 when there was nothing to undo", async () => {
		await noWait("slurm", "1");
		expect(await noWait("--un-dismiss", "slurm", "1")).toBe(0);
		expect(dismissed()).toEqual([]);
		expect(await noWait("--un-dismiss", "slurm", "1")).toBe(4);
	});
	test("--list prints what was dismissed", async () => {
		await noWait("slurm", "1");
		await noWait("--list");
		expect(out).toEqual(['[{"kind":"slurm","id":"1"}]']);
	});
});

describe("both refuse the same, with exit 2, and name the bad part", () => {
	test.each([
		["slurm", "123…", "id"],
		["slurm", "../x", "id"],
		["slurm", "a..b", "id"],
		["slurm", "-1", "id"],
		["slurm", "a b", "id"],
		["slurm", "x".repeat(129), "id"],
		["slurm", "", "id"],
		["sl urm", "1", "kind"],
		["_x", "1", "kind"],
		["x".repeat(65), "1", "kind"],
		["", "1", "kind"],
	])("%j %j: the %s", async (kind, id, part) => {
		expect(checkWaitId(kind, id)).toStartWith(`bad ${part} `);
		const args = ["--", kind, id];
		expect(await wait(...args)).toBe(2);
		expect(await noWait(...args)).toBe(2);
		expect(rig.paths()).toEqual([]);
	});
	test.each([
		["slurm", "1"],
		["A-b_9", "a_.:@+/=-Z"],
		["x".repeat(64), "y".repeat(128)],
	])("%j %j is good", (kind, id) => {
		expect(checkWaitId(kind, id)).toBeNull();
	});
	test("what one accepts the other accepts", async () => {
		await fc.assert(
			fc.asyncProperty(fc.string(), fc.string(), async (kind, id) => {
				const args = ["--", kind, id];
				expect(await noWait(...args)).toBe(await wait(...args));
			}),
			{ numRuns: 50 },
		);
	});

	test.each([
		[[]],
		[["slurm"]],
		[["--frobnicate", "slurm", "1"]],
		[["slurm", "1", "d", "more"]],
		[["--list", "slurm", "1"]],
	])("%j", async (argv) => {
		expect(await wait(...argv)).toBe(2);
		expect(err.join("\n")).not.toBe("");
	});
	test("two verbs at once", async () => {
		expect(await wait("--clear", "--list")).toBe(2);
	});
	test.each([undefined, "", "../x"])(
		"without a window of one's own: %p",
		async (own) => {
			env = own === undefined ? {} : { NEXUS_WORKER_WINDOW: own };
			expect(await wait("slurm", "1")).toBe(2);
			expect(await noWait("slurm", "1")).toBe(2);
			expect(rig.paths()).toEqual([]);
		},
	);
});

test("--help says how, and changes nothing", async () => {
	expect(await wait("--help")).toBe(0);
	expect(await noWait("--help")).toBe(0);
	expect(out.join("\n")).toContain("usage: declare-no-wait");
	expect(rig.paths()).toEqual([]);
});

describe("worker-health", () => {
	const health = (...argv: string[]) => answerHealth(argv, tool());
	const HEALTH = "worker-health/w1.json";

	test("writes what was said", () => {
		const rc = health(
			"--health",
			"running",
			"--runtime",
			"3600",
			"--kind",
			"slurm",
			"--job-id",
			"42",
			"--note",
			"epoch 3",
		);
		expect(rc).toBe(0);
		expect(rig.json(HEALTH)).toEqual({
			window: "w1",
			job_kind: "slurm",
			job_id: "42",
			expected_runtime_s: 3600,
			health: "running",
			note: "epoch 3",
			written_at: NOW,
		});
		expect(err).toEqual([]);
	});
	test.each([
		[["--health", "running"]],
		[["--health", "running", "--runtime", "soon"]],
	])("running without a runtime is written, with a warning: %j", (argv) => {
		expect(health(...argv)).toBe(0);
		expect(err).toHaveLength(1);
		expect(rig.json(HEALTH)).toMatchObject({ expected_runtime_s: 0 });
	});
	test.each([
		[["--health", "fine"]],
		[["--note", "x"]],
		[[]],
		[["--health", "done", "--kind", "cloud"]],
	])("%j: exit 2, no file", (argv) => {
		expect(health(...argv)).toBe(2);
		expect(rig.paths()).toEqual([]);
	});
	test("--show prints it, and nothing when there is none; --clear takes it away", () => {
		expect(health("--show")).toBe(0);
		expect(out).toEqual([]);
		health("--health", "done");
		health("--show");
		expect(JSON.parse(out[0]!)).toMatchObject({ health: "done" });
		expect(health("--clear")).toBe(0);
		expect(rig.paths()).toEqual([]);
	});
	test.each([
		["running", 3600, 4200],
		["running", 0, 600],
		["running", 999_999_999, 172_800],
		["done", 3600, null],
		["stuck", 3600, null],
	] as const)("%s for %d s: believed for %p s", (word, seconds, believed) => {
		health("--health", word, "--runtime", String(seconds));
		const said = parseWorkerHealth(rig.text(HEALTH)!)!;
		const after = (age: number) =>
			isStillRunning(said, NOW + age, {
				healthSlack: 600,
				ceiling: 172_800,
			});
		expect(after(believed ?? 0)).toBe(believed !== null);
		expect(after((believed ?? 0) + 1)).toBe(false);
	});
	test.each([
		"",
		"{",
		"{}",
		'{"health":"fine","written_at":1}',
		'{"health":"done"}',
	])("%j is no answer", (text) => {
		expect(parseWorkerHealth(text)).toBeNull();
	});
});
