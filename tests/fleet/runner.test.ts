import { beforeEach, describe, expect, test } from "bun:test";
import type { MonitorSpec } from "../../monitor/_fleet/fleet.ts";
import { jobEnv } from "../../monitor/_fleet/jobs/environment.ts";
import { jobRunner } from "../../monitor/_fleet/jobs/runner.ts";
import { readRuns } from "../../monitor/_state/fleet/monitor-log.ts";
import {
	outputPath,
	readRuntime,
} from "../../monitor/_state/fleet/monitor-run.ts";
import { schedulerBeatPath } from "../../monitor/_state/fleet/monitor-spec.ts";
import { fakeProc } from "../fakes/proc.ts";
import { value } from "./conformance.ts";
import { type LocalRig, localRig, T } from "./local-rig.ts";

const SPEC: MonitorSpec = {
	name: "j",
	argv: ["/bin/job", "--once"],
	match: "^hit",
	to: "user:ana",
	cwd: "/repo",
	env: { SECRET: "s3cret" },
	schedule: "* * * * *",
	notifyOnSuccess: true,
};

let rig: LocalRig;
beforeEach(() => {
	rig = localRig({}, false);
});

const start = async (part: Partial<MonitorSpec> = {}) =>
	value(await rig.open("a").monitorStart({ ...SPEC, ...part }));
const tick = async () => value(await rig.runner.tick()).started;
const minute = () => rig.doors.clock.advance(60_000);
/** The job that runs ends so. */
async function end(exitCode: number, output: string): Promise<void> {
	const job = rig.doors.proc.spawned.at(-1);
	if (job === undefined) throw new Error("nothing runs");
	rig.doors.files.seed(outputPath(T, "j"), output);
	rig.doors.proc.end(job.pid, exitCode);
	await rig.doors.clock.settle();
	await tick();
}
const told = async () =>
	value(await rig.open("user:ana").inbox({ unread: true })).map((m) => m.body);
const rows = () => readRuns(rig.doors.files, T, "j").map((r) => r.outcome);

test("a job is told little of who started the watcher, and its own words win", () => {
	const own = {
		HOME: "/h",
		USER: "u",
		LANG: "C",
		TZ: "UTC",
		TMUX_TMPDIR: "/t",
	};
	const strange = { SHELL: "/bin/zsh", THRUM_NAME: "w1", LC_ALL: "" };
	const place = { thrumDir: T, bun: "/opt/bun/bin/bun" };
	const PATH = `${T}/bin:/opt/bun/bin:/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin`;
	expect(jobEnv({ ...own, ...strange }, {}, place)).toEqual({ ...own, PATH });
	expect(jobEnv({ TZ: "" }, {}, place)).toEqual({ PATH });
	const words = { PATH: "/mine", A: "b" };
	expect(jobEnv({}, words, place)).toEqual(words);
});

test("a job runs at its minute, once, with little environment and no shell", async () => {
	await start();
	expect(await tick()).toEqual([]);
	await minute();
	expect(await tick()).toEqual(["j"]);
	expect(await tick()).toEqual([]);
	expect(rig.doors.proc.spawned).toHaveLength(1);
	expect(rig.doors.proc.spawned[0]).toMatchObject({
		argv: ["/bin/job", "--once"],
		cwd: "/repo",
		env: {
			HOME: "/home/op",
			PATH: `${T}/bin:/opt/bun/bin:/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin`,
			SECRET: "s3cret",
		},
	});
	expect(Object.keys(rig.doors.proc.spawned[0]?.env ?? {}).sort()).toEqual([
		"HOME",
		"PATH",
		"SECRET",
	]);
	expect(rig.doors.files.has(schedulerBeatPath(T))).toBe(true);
});

test("the result is told by the monitor, with its scope, and its secret is shown to nobody", async () => {
	await start();
	await tick();
	await minute();
	await tick();
	await end(0, "hit one\n");
	const [message] = value(await rig.open("user:ana").inbox({ unread: true }));
	expect(message).toMatchObject({ from: "monitor:j", body: "hit one" });
	const [file] = rig.doors.files.paths(`${T}/messages`);
	expect(JSON.parse(rig.doors.files.text(file ?? "")).scopes).toEqual([
		{ type: "monitor", value: "j" },
	]);
	expect(rows()).toEqual(["matched"]);
	const view = value(await rig.open("a").monitorShow("j"));
	expect(view).toMatchObject({ envKeys: ["SECRET"], lastExitCode: 0 });
	expect(JSON.stringify(view)).not.toContain("s3cret");
});

test("a failure is told once, and again when half an hour has passed", async () => {
	await start();
	await tick();
	for (let run = 0; run < 35; run++) {
		await minute();
		await tick();
		await end(3, "boom\n");
	}
	expect(await told()).toEqual([
		"[FAIL] j: exit code 3\nboom",
		"[FAIL] j: exit code 3\nboom",
	]);
});

describe("a run that lasts", () => {
	beforeEach(async () => {
		await start();
		await tick();
		await minute();
		await tick();
	});

	test("skips the ticks meanwhile, and says so", async () => {
		await minute();
		expect(await tick()).toEqual([]);
		expect(rows()).toEqual(["overlap"]);
		expect(rig.doors.proc.spawned).toHaveLength(1);
	});

	test("over its limit gets TERM, five seconds later KILL, and ends with 124", async () => {
		const pid = rig.doors.proc.spawned[0]?.pid ?? 0;
		const stubborn = { pid, survives: ["SIGTERM"] } as const;
		const { startTicks } = statOf(pid);
		rig.doors.proc.add({ ...stubborn, startTicks });
		await rig.doors.clock.advance(605_000);
		expect(rig.doors.proc.signals).toEqual([
			{ pid: -pid, sig: "SIGTERM" },
			{ pid: -pid, sig: "SIGKILL" },
		]);
		await end(137, "so far\n");
		expect(await told()).toEqual(["[FAIL] j: exit code 124\nso far"]);
		expect(rows()).toContain("timeout");
	});

	test("over its limit takes the children with it that outlive it", async () => {
		const pid = rig.doors.proc.spawned[0]?.pid ?? 0;
		const child = { pid: pid + 1, pgid: pid } as const;
		rig.doors.proc.add({ ...child, survives: ["SIGTERM"] });
		await rig.doors.clock.advance(605_000);
		expect(rig.doors.proc.alive(child.pid)).toBe(false);
	});

	test("of a monitor that was deleted is ended, and its result dropped", async () => {
		const pid = rig.doors.proc.spawned[0]?.pid ?? 0;
		value(await rig.open("a").monitorDelete("j"));
		await tick();
		expect(rig.doors.proc.signals).toEqual([{ pid: -pid, sig: "SIGTERM" }]);
		await end(0, "hit\n");
		expect(await told()).toEqual([]);
	});

	test("does not answer for another monitor of its name", async () => {
		value(await rig.open("a").monitorDelete("j"));
		await start({ to: "user:bo" });
		await end(0, "hit\n");
		expect(await told()).toEqual([]);
		expect(value(await rig.open("user:bo").inbox())).toEqual([]);
	});

	test("holds off a second scheduler beside the first", async () => {
		const beside = otherScheduler();
		await minute();
		expect(value(await beside.tick()).started).toEqual([]);
		expect(rows()).toEqual(["overlap"]);
	});

	test("of a scheduler that died is waited for, and called lost when it is over", async () => {
		const beside = otherScheduler();
		rig.doors.proc.end(rig.doors.proc.pid);
		await minute();
		expect(value(await beside.tick()).started).toEqual([]);
		rig.doors.proc.end(rig.doors.proc.spawned[0]?.pid ?? 0);
		expect(value(await beside.tick()).started).toEqual([]);
		expect(rows()).toEqual(["overlap", "lost"]);
		await minute();
		expect(value(await beside.tick()).started).toEqual(["j"]);
	});

	test("of a scheduler that died is ended after its limit, but not where one cannot look", async () => {
		const beside = otherScheduler();
		rig.doors.proc.end(rig.doors.proc.pid);
		rig.doors.clock.stepWall(601_000);
		rig.doors.proc.tableUnreadable = true;
		await beside.tick();
		expect(rig.doors.proc.signals).toEqual([]);
		rig.doors.proc.tableUnreadable = false;
		await beside.tick();
		expect(rig.doors.proc.signals).toHaveLength(1);
	});
});

test("on a full disk no job is started anew at every tick; when there is room it runs once", async () => {
	await start();
	await tick();
	await minute();
	const heal = rig.doors.files.faults.fail({
		path: /j\.run\.json/,
		ops: ["write"],
		code: "ENOSPC",
	});
	expect(await tick()).toEqual([]);
	expect(await tick()).toEqual([]);
	expect(rig.doors.proc.spawned).toEqual([]);
	heal();
	expect(await tick()).toEqual(["j"]);
	expect(await tick()).toEqual([]);
});

describe("a run that began and could not be noted", () => {
	beforeEach(async () => {
		await start();
		await tick();
		await minute();
		// The intention fits on the disk, and what follows does not.
		let writes = 0;
		const { faults } = rig.doors.files;
		faults.before((op, path) => {
			if (op === "write" && path.includes("j.run.json") && ++writes === 2)
				faults.fail({ path, ops: ["write"], code: "ENOSPC", times: 1 });
		});
		expect(await tick()).toEqual(["j"]);
		await minute();
	});
	/** Its scheduler ends, and the next one starts what it starts. */
	const successor = async () => {
		rig.doors.proc.end(rig.doors.proc.pid);
		return value(await otherScheduler().tick()).started;
	};

	test("is found by the next scheduler, and no second one is started beside it", async () => {
		expect(await successor()).toEqual([]);
		expect(rows()).toEqual(["overlap"]);
	});

	test("or could not be looked at when it began: is found, too", async () => {
		rig.doors.proc.end(rig.doors.proc.spawned[0]?.pid ?? 0, 0);
		await rig.doors.clock.settle();
		rig.doors.proc.tableUnreadable = true;
		expect(await tick()).toEqual(["j"]);
		rig.doors.proc.tableUnreadable = false;
		await minute();
		expect(await successor()).toEqual([]);
		expect(rig.doors.proc.spawned).toHaveLength(2);
	});

	test("is called lost when it is over", async () => {
		rig.doors.proc.end(rig.doors.proc.spawned[0]?.pid ?? 0);
		expect(await successor()).toEqual(["j"]);
		expect(rows()).toEqual(["lost"]);
	});

	test("is waited for where nobody can look", async () => {
		rig.doors.proc.tableUnreadable = true;
		expect(await successor()).toEqual([]);
		expect(rows()).toEqual(["overlap"]);
	});

	test.each([
		[
			"the interpreter of a script",
			{ argv: ["/bin/sh", "/bin/job", "--once"] },
			[],
		],
		["another one's", { argv: ["/bin/job", "--once"], foreign: true }, ["j"]],
		["a person's, in a shell", { argv: ["/bin/job", "--once"], sid: 7 }, ["j"]],
		["of another folder", { argv: ["/other/job", "--once"] }, ["j"]],
		["with other words", { argv: ["/bin/job", "--twice"] }, ["j"]],
		["dead", { argv: ["/bin/job", "--once"], state: "Z" }, ["j"]],
	])("known by its words: %s", async (_what, process, started) => {
		rig.doors.proc.end(rig.doors.proc.spawned[0]?.pid ?? 0);
		rig.doors.proc.add({ pid: 777, ...process });
		expect(await successor()).toEqual(started);
	});
});

test("a job that cannot start fails with 127, and says why", async () => {
	await start();
	await tick();
	await minute();
	rig.doors.proc.spawnFails = "ENOENT";
	await tick();
	expect(await told()).toEqual(["[FAIL] j: exit code 127\n/bin/job: ENOENT"]);
	expect(rows()).toEqual(["not-started"]);
});

test("after a night's sleep a job that fell due runs once", async () => {
	await start();
	await tick();
	rig.doors.clock.stepWall(9 * 3600_000);
	expect(await tick()).toEqual(["j"]);
	await end(0, "");
	expect(await tick()).toEqual([]);
});

test("a clock that was set back does not silence a job", async () => {
	await start();
	await tick();
	rig.doors.clock.stepWall(-9 * 3600_000);
	await tick();
	await minute();
	expect(await tick()).toEqual(["j"]);
});

test("a changed schedule counts from now", async () => {
	await start({ schedule: "0 0 1 1 *" });
	await tick();
	const file = `${T}/monitors/j.json`;
	const spec = JSON.parse(rig.doors.files.text(file));
	rig.doors.files.seed(
		file,
		JSON.stringify({ ...spec, schedule: "* * * * *" }),
	);
	await tick();
	await minute();
	expect(await tick()).toEqual(["j"]);
});

test("a date that never comes makes the job dead, with one notice", async () => {
	await start({ schedule: "0 0 30 2 *" });
	for (let n = 0; n < 3; n++) await tick();
	expect(await told()).toEqual(["[FAIL] j: never fires again"]);
	expect(value(await rig.open("a").monitorShow("j"))?.status).toBe("dead");
});

test("a stopped job does not run", async () => {
	await start();
	value(await rig.open("a").monitorStop("j"));
	await minute();
	expect(await tick()).toEqual([]);
});

test.each([
	["torn", '{"name":'],
	["of zero bytes", ""],
	["of another format", "{}"],
])(
	"a spec that is %s keeps its name, is dead, and is set aside once",
	async (_, text) => {
		await start();
		rig.doors.files.seed(`${T}/monitors/j.json`, text);
		for (let n = 0; n < 2; n++) await tick();
		expect(rig.doors.log.messages("warn")).toHaveLength(1);
		const fleet = rig.open("a");
		expect(value(await fleet.monitorList({ all: true }))).toMatchObject([
			{ name: "j", status: "dead" },
		]);
		expect((await fleet.monitorStart(SPEC)).kind).toBe("exists");
		value(await fleet.monitorDelete("j"));
		expect((await fleet.monitorStart(SPEC)).kind).toBe("ok");
	},
);

test("two ticks at a time are one", async () => {
	const held = rig.doors.locks.hold(`${T}/var/monitors.lock`);
	expect(held.kind).toBe("acquired");
	expect(await rig.runner.tick()).toMatchObject({ kind: "refused" });
});

test("there are a hundred monitors at most", async () => {
	for (let n = 0; n < 100; n++) await start({ name: `j${n}` });
	expect(await rig.open("a").monitorStart(SPEC)).toMatchObject({
		kind: "refused",
		stderr: "there are 100 monitors already",
	});
});

test.each([
	[{ schedule: "" }, "a monitor needs --schedule"],
	[{ name: "a.run" }, "no name for a monitor"],
	[{ argv: [] }, "no program to run"],
	[{ cwd: "here" }, "not an absolute folder"],
])("a monitor of %j is refused", async (part, why) => {
	const refused = await rig.open("a").monitorStart({ ...SPEC, ...part });
	expect(refused).toMatchObject({
		kind: "usage",
		stderr: expect.stringContaining(why),
	});
});

test("without notify-on-success a start warns: elsewhere such a job tells nothing", async () => {
	await start({ notifyOnSuccess: false });
	expect(rig.doors.log.messages("warn")).toEqual([
		"warning: --schedule without --notify-on-success",
	]);
});

function otherScheduler() {
	const { ctx, doors } = rig;
	const proc = fakeProc(doors.clock, { pid: 5151 });
	const shared = { ...doors.proc, pid: 5151, execPath: proc.execPath };
	doors.proc.add({ pid: 5151 });
	return jobRunner({ ...ctx, doors: { ...doors, proc: shared } });
}

function statOf(pid: number): { readonly startTicks: string } {
	const found = rig.doors.proc.stat(pid);
	if (found.kind !== "ok") throw new Error("no such process");
	return found.value;
}

test("the next fire is kept on disk", async () => {
	await start();
	await tick();
	expect(readRuntime(rig.doors.files, T, "j").nextFire).toBe(1_767_270_660);
});
