import { describe, expect, test } from "bun:test";
import { sha256Hex } from "../../config/cache.ts";
import {
	parseFires,
	schedulerLines,
} from "../../monitor/_ng/watcher-status/scheduler.ts";
import { run } from "../../monitor/_ng/watcher-status.ts";
import { archivePath } from "../../monitor/_state/emit-archive.ts";
import { instanceLockPath } from "../../monitor/_state/instance-lock.ts";
import { writeWatcherConfigHash } from "../../monitor/_state/watcher-config-hash.ts";
import { watcherHeartbeatPath } from "../../monitor/_state/watcher-heartbeat.ts";
import { watcherLockPath } from "../../monitor/_state/watcher-lock.ts";
import { writeWatcherTarget } from "../../monitor/_state/watcher-target.ts";
import {
	CODE,
	ROOT,
	STATE,
	type WatcherLook,
	type WatcherWorld,
	watcherWorld,
} from "../support/watcher-world.ts";

async function status(world: WatcherWorld, args: readonly string[] = []) {
	const out: string[] = [];
	const err: string[] = [];
	const rc = await run(args, {
		doors: world.doors,
		codeRoot: CODE,
		out: (line) => out.push(line),
		err: (line) => err.push(line),
		errPlain: (line) => err.push(line),
		stdin: async () => "",
		pacing: { kind: "scheduler" },
	});
	return { rc, out, err };
}

describe("the exit code is the bucket", () => {
	const cases: readonly (readonly [string, WatcherLook | undefined, number])[] =
		[
			["just beaten", { heartbeatAge: 0 }, 0],
			["135 s", { heartbeatAge: 135 }, 0],
			["200 s", { heartbeatAge: 200 }, 1],
			["300 s", { heartbeatAge: 300 }, 1],
			["600 s", { heartbeatAge: 600, progressAge: 600 }, 2],
			["pid dead, instance lock free", { alive: false }, 2],
			["no file", undefined, 3],
			["not advancing", { progressAge: 1000 }, 4],
		];
	for (const [rule, look, rc] of cases)
		test(`${rule} → ${rc}`, async () => {
			const world = await watcherWorld();
			if (look) world.watcher(look);
			expect((await status(world)).rc).toBe(rc);
		});

	test("with the configured interval", async () => {
		const world = await watcherWorld({ env: { MONITOR_INTERVAL: "10" } });
		world.watcher({ heartbeatAge: 40 });
		expect((await status(world)).rc).toBe(1);
	});
});

describe("its lines", () => {
	test("say that the configuration was edited since the watcher that runs has read it", async () => {
		const world = await watcherWorld();
		const { files } = world.doors;
		const changed = "config changed since watcher start";
		const path = `${ROOT}/config/nexus.yml`;
		files.seed(path, "github: {user_login: me}\n", { mode: 0o600 });
		const wrote = (text: string) =>
			writeWatcherConfigHash(files, STATE, sha256Hex(text));
		world.watcher({ heartbeatAge: 7 });
		expect((await status(world)).out).not.toContain(changed);
		wrote(files.text(path));
		expect((await status(world)).out).not.toContain(changed);
		wrote("another text");
		expect((await status(world)).out.at(-1)).toBe(changed);
		// Of a watcher that is dead nothing runs on anything.
		world.watcher({ alive: false });
		expect((await status(world)).out).not.toContain(changed);
	});

	test("of a healthy watcher", async () => {
		const world = await watcherWorld();
		const { files, clock, locks } = world.doors;
		world.watcher({ heartbeatAge: 7 });
		files.seed(
			watcherLockPath(STATE),
			"pid: 700\nstarted_at: 2026-05-11T13:42:01-07:00\n",
		);
		locks.takenElsewhere(
			instanceLockPath(STATE),
			"pid: 700\nhost: host-a\nboot_id: boot-1\nstarted_at: 2026-05-11T13:42:01-07:00\n",
		);
		files.seed(archivePath(STATE, "a.md"), "");
		files.seed(archivePath(STATE, "a.txt"), "");
		world.doors.tmux.window("orchestrator");
		expect((await status(world)).out).toEqual([
			`heartbeat: ${clock.iso(clock.now() - 7)} (age=7s)`,
			"pid: 700 (alive)",
			"target: orchestrator",
			"lock: pid=700 started=2026-05-11T13:42:01-07:00",
			"instance-lock: held (assessment=live-local host=host-a pid=700 started=2026-05-11T13:42:01-07:00)",
			"hosting: headless",
			"archived_diffs: 1",
		]);
	});

	test("of none at all", async () => {
		expect((await status(await watcherWorld())).out).toEqual([
			"heartbeat: missing",
			"lock: absent",
			"instance-lock: absent",
			"hosting: headless",
			"archived_diffs: 0",
		]);
	});

	const lines: readonly (readonly [
		string,
		(w: WatcherWorld) => void,
		string,
	])[] = [
		["a dead pid", (w) => w.watcher({ alive: false }), "pid: 700 (DEAD)"],
		[
			"a heartbeat ahead of now",
			(w) => w.watcher({ heartbeatAge: -4 }),
			"(age=0s)",
		],
		[
			"a heartbeat without fields",
			(w) => w.doors.files.seed(watcherHeartbeatPath(STATE), "torn"),
			"pid: unknown",
		],
		[
			"… and its target from the other file",
			(w) => {
				w.doors.files.seed(watcherHeartbeatPath(STATE), "torn");
				writeWatcherTarget(w.doors.files, STATE, "lead");
			},
			"target: lead",
		],
		[
			"… or unknown",
			(w) => w.doors.files.seed(watcherHeartbeatPath(STATE), "torn"),
			"target: unknown",
		],
		[
			"a lock file without fields",
			(w) => w.doors.files.seed(watcherLockPath(STATE), "\n"),
			"lock: pid=? started=?",
		],
		[
			"an empty lock file",
			(w) => w.doors.files.seed(watcherLockPath(STATE), ""),
			"lock: pid=? started=?",
		],
		[
			"a free lock with old words",
			(w) => w.doors.files.seed(instanceLockPath(STATE), "pid: 9\n"),
			"instance-lock: free (stale metadata present; reclaimed on next start)",
		],
		[
			"an old, visible watcher",
			(w) => {
				w.doors.tmux.window("watcher");
			},
			"hosting: legacy tmux window 'watcher' present (headless expected)",
		],
	];
	for (const [rule, arrange, line] of lines)
		test(rule, async () => {
			const world = await watcherWorld();
			arrange(world);
			expect((await status(world)).out.join("\n")).toContain(line);
		});

	test("it creates no state dir", async () => {
		const world = await watcherWorld();
		world.doors.files.removeTree(STATE);
		expect((await status(world)).rc).toBe(3);
		expect(world.doors.files.has(STATE)).toBe(false);
	});
});

describe("--scheduler", () => {
	const row = (task: string, ts: string, rc = 0) =>
		JSON.stringify({
			ts,
			task,
			rc,
			elapsed_ms: 12,
			next_fire: 9,
			phase: "sync",
		});

	test("adds each task's last row, by name", async () => {
		const world = await watcherWorld();
		const path = `${STATE}/watcher-scheduler.jsonl`;
		world.doors.files.seed(
			path,
			[
				row("zeta", "t1"),
				row("alpha", "t2"),
				"torn{",
				row("zeta", "t3", 75),
				"",
			].join("\n"),
		);
		const { out } = await status(world, ["--scheduler"]);
		expect(out.slice(-3)).toEqual([
			`scheduler: telemetry ${path}`,
			"  alpha                  phase=sync rc=0 elapsed_ms=12 last_fire=t2",
			"  zeta                   phase=sync rc=75 elapsed_ms=12 last_fire=t3",
		]);
	});

	test("says when there is none", async () => {
		const { out } = await status(await watcherWorld(), ["--scheduler"]);
		expect(out.at(-1)).toBe("scheduler: telemetry absent");
	});

	test("foreign rows cost only themselves", () => {
		expect(
			parseFires(
				'[]\n{"task":1}\n"x"\nnull\n{"task":"a","phase":"p","ts":"t","rc":"0"}',
			),
		).toEqual([]);
		expect(schedulerLines("/p", [])).toEqual(["scheduler: telemetry /p"]);
	});
});

describe("what it refuses", () => {
	test("an unknown flag → 1", async () => {
		expect(await status(await watcherWorld(), ["--foo"])).toMatchObject({
			rc: 1,
			out: [],
		});
	});

	test("a malformed file: with the state dir given it goes on with defaults, without it refuses", async () => {
		const world = await watcherWorld();
		world.doors.files.seed("/root/config/nexus.yml", "a: [", { mode: 0o600 });
		world.watcher();
		const given = await status(world);
		expect(given.rc).toBe(0);
		expect(given.err.join()).toContain("nexus.yml");

		delete world.doors.proc.env.NEXUS_STATE_DIR;
		delete world.doors.proc.env.NEXUS_ROOT;
		world.doors.files.seed(`${CODE}/config/nexus.yml`, "a: [", { mode: 0o600 });
		expect(await status(world)).toMatchObject({ rc: 1, out: [] });
		expect(
			world.doors.files.paths(CODE).some((p) => p.includes(".state")),
		).toBe(false);
	});
});
