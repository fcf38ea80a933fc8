import { describe, expect, test } from "bun:test";
import { instanceHeartbeatPath } from "../../monitor/_state/instance-heartbeat.ts";
import { instanceLockPath } from "../../monitor/_state/instance-lock.ts";
import { noSandboxAcceptedPath } from "../../monitor/_state/no-sandbox-accepted.ts";
import { watcherLogPath } from "../../monitor/_state/watcher-log.ts";
import {
	watcherPidPath,
	writeWatcherPid,
} from "../../monitor/_state/watcher-pid.ts";
import { watcherRestartLockPath } from "../../monitor/_state/watcher-restart-lock.ts";
import { watcherSpawnsPath } from "../../monitor/_state/watcher-spawns.ts";
import type { LaunchArgs } from "../../monitor/watcher/_launch/args.ts";
import {
	type LaunchConfig,
	type LaunchExit,
	launch,
} from "../../monitor/watcher/_launch.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import type { FakeFiles } from "../fakes/files.ts";
import type { FakeProcess } from "../fakes/proc.ts";

const MAIN = "/code/monitor/watcher/main.ts";
const S = "/root/monitor/.state";
const HOME = { root: "/root", stateDir: S, codeRoot: "/code" };
const PLAIN: LaunchArgs = {
	mode: "bare",
	target: null,
	window: "watcher",
	acceptNoSandbox: false,
};
const CONFIG: LaunchConfig = {
	kind: "ok",
	target: "orchestrator",
	beaconWindowSeconds: 600,
};
const INCUMBENT: FakeProcess = {
	pid: 700,
	argv: ["bun", MAIN],
	environ: { NEXUS_STATE_DIR: S },
};

interface World {
	readonly doors: FakeDoors;
	readonly printed: string[];
	run(args?: Partial<LaunchArgs>, config?: LaunchConfig): Promise<LaunchExit>;
	audit(): string;
}

/** `comesUp`: what the started watcher does: publishes its pid, dies with a word, or hangs. */
function world(
	opts: {
		readonly processes?: readonly FakeProcess[];
		readonly env?: Readonly<Record<string, string>>;
		readonly comesUp?: "yes" | "dies" | "hangs";
	} = {},
): World {
	const doors = fakeDoors({
		auto: true,
		proc: {
			processes: opts.processes,
			env: { SANDBOX_ACTIVE: "1", SANDBOX_PROJECT_DIR: "/p", ...opts.env },
		},
	});
	doors.files.seed(MAIN, "");
	doors.files.seed("/code/node_modules/.bin/claude", "");
	doors.files.seedDir(S);
	doors.proc.programs.set("tmux", "/usr/bin/tmux");
	doors.tmux.window("orchestrator");
	const spawn = doors.proc.spawnDetached;
	doors.proc.spawnDetached = (s) => {
		const child = spawn(s);
		if (child.kind !== "ok") return child;
		if (opts.comesUp === "dies") {
			doors.files.append(s.log ?? "", "[t] REFUSING to start\n");
			doors.clock.after(300, () => doors.proc.end(child.pid));
		} else if (opts.comesUp !== "hangs")
			doors.clock.after(400, () => {
				writeWatcherPid(doors.files, S, child.pid);
			});
		return child;
	};
	const printed: string[] = [];
	return {
		doors,
		printed,
		run: (args, config = CONFIG) =>
			launch(doors, {
				args: { ...PLAIN, ...args },
				home: HOME,
				config,
				print: (line) => void printed.push(line),
			}),
		audit: () =>
			doors.files.has(watcherSpawnsPath(S))
				? doors.files.text(watcherSpawnsPath(S))
				: "",
	};
}

describe("starting where none runs", () => {
	test("spawns headless, with bun's safe flags, and waits until it lives", async () => {
		const { doors, run, printed, audit } = world();
		expect(await run()).toBe(0);
		const [spawned] = doors.proc.spawned;
		expect(spawned?.argv).toEqual([
			"/opt/bun/bin/bun",
			"--no-env-file",
			"--config=/dev/null",
			"--no-install",
			MAIN,
			"--target",
			"orchestrator",
		]);
		expect(spawned).toMatchObject({
			cwd: "/root",
			log: watcherLogPath(S),
			env: { WATCHER_WINDOW: "headless", NEXUS_ROOT: "/root" },
		});
		expect(printed).toEqual([
			`launcher.ts: spawned headless pid=${spawned?.pid} target='orchestrator' log='${watcherLogPath(S)}'`,
		]);
		expect(audit()).toContain(
			`spawned pid=${spawned?.pid} target=orchestrator replace=false ensure=false`,
		);
		expect(doors.locks.heldPaths()).toEqual([]);
	});

	test("--target wins over the configuration", async () => {
		const { doors, run } = world();
		await run({ target: "lead" });
		expect(doors.proc.spawned[0]?.argv.at(-1)).toBe("lead");
	});

	test("names the caller in the audit log", async () => {
		const { run, audit } = world({
			env: { WATCHER_LAUNCH_CALLER: "svc restart" },
		});
		await run();
		expect(audit()).toContain("launcher[4242] caller=[svc restart] spawned");
	});

	test("a watcher that ends at once is reported with its last words, long before 15 s", async () => {
		const { doors, run, audit } = world({ comesUp: "dies" });
		const start = doors.clock.monoMs();
		expect(await run()).toBe(3);
		expect(doors.clock.monoMs() - start).toBeLessThan(1000);
		expect(doors.log.messages().join("\n")).toContain("REFUSING to start");
		expect(audit()).toContain("spawn-failed");
	});

	test("one that never publishes its pid is believed when it is the only group", async () => {
		const { doors, run } = world({ comesUp: "hangs" });
		const start = doors.clock.monoMs();
		expect(await run()).toBe(0);
		expect(doors.clock.monoMs() - start).toBe(15_000);
		expect(doors.log.messages("warn").join()).toContain("pidfile");
	});

	test("two groups afterwards are 6", async () => {
		const { doors, run, audit } = world();
		doors.clock.after(200, () => doors.proc.add({ ...INCUMBENT, pid: 900 }));
		expect(await run()).toBe(6);
		expect(audit()).toContain("post-spawn-duplicate pgids=");
	});

	test("a log above 10 MiB turns over first; a read-only state dir logs elsewhere", async () => {
		const { doors, run } = world();
		doors.files.seed(watcherLogPath(S), "x".repeat(10 * 1024 * 1024 + 1));
		await run();
		expect(doors.files.has(`${watcherLogPath(S)}.1`)).toBe(true);

		expect(await sickLog()).toBe("/scratch/nexus-watcher-degraded.log");
	});

	test("the log elsewhere is a file of ours or none: the folder may be everybody's", async () => {
		const NAME = "/scratch/nexus-watcher-degraded.log";
		expect(await sickLog((files) => files.seed(NAME, "old\n"))).toBe(NAME);
		const theirs = (files: FakeFiles) =>
			files.seedLink("/home/op/.bashrc", NAME);
		expect(await sickLog(theirs)).toBeNull();
		expect(
			await sickLog((files) => files.seed(NAME, "", { uid: 4242 })),
		).toBeNull();
	});

	/** Where a start logs whose state dir cannot be written. */
	async function sickLog(
		before: (files: FakeFiles) => void = () => {},
	): Promise<string | null | undefined> {
		const { doors, run } = world({
			comesUp: "hangs",
			env: { TMPDIR: "/scratch" },
		});
		doors.files.seedDir("/scratch");
		before(doors.files);
		doors.files.faults.fail({
			path: RegExp(`^${S}`),
			ops: ["probe", "write", "append", "mkdir"],
			code: "EROFS",
		});
		await run();
		return doors.proc.spawned[0]?.log;
	}
});

describe("a watcher that lives", () => {
	const withIncumbent = (over: Partial<FakeProcess> = {}) => {
		const w = world({ processes: [{ ...INCUMBENT, ...over }] });
		writeWatcherPid(w.doors.files, S, 700);
		return w;
	};

	test("bare → 1, and the pidfile stays", async () => {
		const { doors, run, audit } = withIncumbent();
		expect(await run()).toBe(1);
		expect(doors.files.text(watcherPidPath(S))).toBe("700\n");
		expect(doors.proc.signals).toEqual([]);
		expect(audit()).toContain("refuse-bare");
	});

	test("--ensure → 0, nothing done", async () => {
		const { doors, run, audit } = withIncumbent();
		expect(await run({ mode: "ensure" })).toBe(0);
		expect(doors.proc.spawned).toEqual([]);
		expect(audit()).toContain("ensure-noop");
	});

	test("--replace ends it and starts the next", async () => {
		const { doors, run, audit } = withIncumbent();
		expect(await run({ mode: "replace" })).toBe(0);
		expect(doors.proc.signals).toEqual([{ pid: -700, sig: "SIGTERM" }]);
		expect(audit()).toContain("replace-reaped pgid=700");
		expect(doors.proc.alive(700)).toBe(false);
	});

	test("--replace gives it the configured time, then KILL", async () => {
		const { doors, run } = world({
			processes: [{ ...INCUMBENT, survives: ["SIGTERM"] }],
			env: { WATCHER_REPLACE_KILL_WAIT: "3" },
		});
		const start = doors.clock.monoMs();
		doors.proc.signal = ((real) => (pid, sig) => {
			if (sig === "SIGKILL") expect(doors.clock.monoMs() - start).toBe(3000);
			return real(pid, sig);
		})(doors.proc.signal);
		expect(await run({ mode: "replace" })).toBe(0);
	});

	test("one that outlives KILL → 6, and no second beside it", async () => {
		const { doors, run, audit } = withIncumbent({
			survives: ["SIGTERM", "SIGKILL"],
		});
		expect(await run({ mode: "replace" })).toBe(6);
		expect(doors.proc.spawned).toEqual([]);
		expect(doors.files.text(watcherPidPath(S))).toBe("700\n");
		expect(audit()).toContain("refuse-unkillable pgid=700 pids=700");
	});

	test("--replace on a read-only disk → 5, incumbent alive", async () => {
		const { doors, run } = withIncumbent();
		doors.files.faults.readOnly = true;
		expect(await run({ mode: "replace" })).toBe(5);
		expect(doors.proc.alive(700)).toBe(true);
	});

	test("an invalid configuration → 2, and it is left alone", async () => {
		const { doors, run } = withIncumbent();
		const bad = { kind: "bad", lines: ["config: nexus.yml:3:1: no"] } as const;
		expect(await run({ mode: "replace" }, bad)).toBe(2);
		expect(doors.proc.signals).toEqual([]);
		expect(doors.log.messages()).toEqual([
			"config: nexus.yml:3:1: no",
			"config invalid — the running watcher was left alone",
		]);
	});
});

describe("who is not the watcher is never signalled", () => {
	for (const [rule, process] of [
		["a recycled pid of another program", { pid: 700, argv: ["psql"] }],
		[
			"another state dir's watcher",
			{ ...INCUMBENT, environ: { NEXUS_ROOT: "/demo" } },
		],
	] as const)
		test(`${rule}: a new watcher starts beside it`, async () => {
			const { doors, run } = world({ processes: [process] });
			writeWatcherPid(doors.files, S, 700);
			expect(await run({ mode: "replace" })).toBe(0);
			expect(doors.proc.signals).toEqual([]);
			expect(doors.proc.alive(700)).toBe(true);
		});

	test("a decapitated group of ours is reaped, even with --ensure", async () => {
		const { doors, run, audit } = world({
			processes: [{ ...INCUMBENT, pid: 701, pgid: 700 }],
		});
		writeWatcherPid(doors.files, S, 700);
		expect(await run({ mode: "ensure" })).toBe(0);
		expect(doors.proc.signals).toEqual([{ pid: -700, sig: "SIGTERM" }]);
		expect(audit()).toContain("reap-decapitated pgid=700");
	});

	test("what a dead watcher left running is not ours to end", async () => {
		const { doors, run, audit } = world({
			processes: [{ pid: 702, pgid: 700, argv: ["git", "fetch"] }],
		});
		writeWatcherPid(doors.files, S, 700);
		expect(await run()).toBe(0);
		expect(doors.proc.alive(702)).toBe(true);
		expect(audit()).toContain("refuse-unverified-group pgid=700");
	});

	test("a zero-byte pidfile is set aside once; the scan finds the watcher", async () => {
		const { doors, run } = world({ processes: [INCUMBENT] });
		doors.files.seed(watcherPidPath(S), "");
		expect(await run()).toBe(1);
		expect(doors.proc.signals).toEqual([]);
		const aside = doors.files.paths(S).filter((p) => p.includes(".damaged."));
		expect(aside).toHaveLength(1);
		expect(doors.files.text(`${S}/watcher-alerts.log`)).toContain("WARN");
	});
});

describe("other instances", () => {
	test("a held instance lock → 4 with the way out, nothing started", async () => {
		const { doors, run } = world();
		doors.locks.takenElsewhere(
			instanceLockPath(S),
			"pid: 9\nhost: host-a\nboot_id: boot-1\n",
		);
		expect(await run()).toBe(4);
		expect(doors.proc.spawned).toEqual([]);
		const said = doors.log.messages().join("\n");
		for (const part of [
			"live-local",
			"--instance-status",
			"NEXUS_ROOT = /root",
		])
			expect(said).toContain(part);
	});

	test("the pidfile of a watcher in another pid namespace stays: its pid means nothing here", async () => {
		const { doors, run } = world();
		writeWatcherPid(doors.files, S, 700);
		doors.locks.takenElsewhere(instanceLockPath(S), "host: host-a\n");
		expect(await run({ mode: "replace" })).toBe(4);
		expect(doors.files.text(watcherPidPath(S))).toBe("700\n");
	});

	test("a lock that somebody merely looked at for an instant is free", async () => {
		const { doors, run } = world();
		const release = doors.locks.takenElsewhere(instanceLockPath(S));
		doors.clock.after(100, release);
		expect(await run()).toBe(0);
	});

	for (const [age, exit] of [
		[599, 4],
		[600, 4],
		[602, 0],
	] as const)
		test(`another host's beacon, ${age} s old → ${exit}`, async () => {
			const { doors, run } = world();
			doors.files.seed(
				instanceHeartbeatPath(S),
				`host: host-b\nepoch: ${doors.clock.now() - age}\nts: then\n`,
			);
			expect(await run()).toBe(exit);
			expect(doors.proc.spawned).toHaveLength(exit === 0 ? 1 : 0);
		});

	test("a restart lock held elsewhere → 5 after 45 s", async () => {
		const { doors, run } = world();
		doors.locks.takenElsewhere(watcherRestartLockPath(S));
		const start = doors.clock.monoMs();
		expect(await run({ mode: "replace" })).toBe(5);
		expect(doors.clock.monoMs() - start).toBe(45_000);
		expect(doors.proc.spawned).toEqual([]);
	});

	test("two --replace at once: the second waits, and exactly one group is left", async () => {
		const one = world({ processes: [INCUMBENT] });
		writeWatcherPid(one.doors.files, S, 700);
		const codes = await Promise.all([
			one.run({ mode: "replace" }),
			one.run({ mode: "replace" }),
		]);
		expect(codes).toEqual([0, 0]);
		const alive = one.doors.proc.spawned.filter((s) =>
			one.doors.proc.alive(s.pid),
		);
		expect(one.doors.proc.spawned).toHaveLength(2);
		expect(alive).toHaveLength(1);
	});
});

describe("what must be there", () => {
	test("no tmux → 2", async () => {
		const { doors, run } = world();
		doors.proc.programs.clear();
		expect(await run()).toBe(2);
		expect(doors.proc.spawned).toEqual([]);
	});

	test("outside a sandbox → 2; the flag is remembered for the restart in the night", async () => {
		const outside = { SANDBOX_ACTIVE: "" };
		const { doors, run } = world({ env: outside });
		expect(await run()).toBe(2);
		expect(await run({ acceptNoSandbox: true })).toBe(0);
		expect(doors.files.text(noSandboxAcceptedPath(S))).toContain(
			"context=launcher\n",
		);
		expect(await run({ mode: "replace" })).toBe(0);
		expect(
			doors.log.messages("warn").filter((m) => m.startsWith("WARNING")),
		).toHaveLength(2);
	});

	test("without a tmux server a session is made for the fleet; with one, or inside tmux, not", async () => {
		const { doors, run } = world();
		doors.tmux.model.sessions.length = 0;
		await run();
		expect(doors.tmux.model.sessions.map((s) => s.name)).toEqual(["nexus"]);

		const sessionsMade = async (w: World) => {
			await w.run();
			return w.doors.tmux.trace().filter((op) => op === "new-session").length;
		};
		expect(await sessionsMade(world())).toBe(0);
		const inside = world({ env: { TMUX: "/tmp/t,1,0" } });
		inside.doors.tmux.model.sessions.length = 0;
		expect(await sessionsMade(inside)).toBe(0);
	});

	test("the window of an old, visible watcher is closed by id; namesakes and our own stay", async () => {
		const { doors, run } = world();
		doors.tmux.window("watcher");
		doors.tmux.window("watcher-notes");
		await run();
		const names = doors.tmux.model.rows().map((r) => r.windowName);
		expect(names).toEqual(["orchestrator", "watcher-notes"]);

		const ours = world({ env: { TMUX: "x" } });
		const window = ours.doors.tmux.window("watcher");
		window.pane.pid = 4242;
		ours.doors.proc.env.TMUX_PANE = window.pane.id;
		await ours.run();
		expect(ours.doors.tmux.byName("watcher")).toBe(window);
	});
});

describe("Claude Code of our own", () => {
	const bare = () => {
		const w = world();
		w.doors.files.remove("/code/node_modules/.bin/claude");
		return w;
	};
	const flags = (w: World) =>
		w.doors.files.paths(S).filter((p) => p.includes("install-failed"));

	test("missing: the installer runs before the watcher", async () => {
		const w = bare();
		w.doors.proc.answer(/install-claude-local/, 0);
		expect(await w.run()).toBe(0);
		expect(w.doors.proc.execs).toHaveLength(1);
		expect(flags(w)).toEqual([]);
	});

	test("an installer that fails leaves its words for the sweep, and the watcher starts", async () => {
		const w = bare();
		w.doors.proc.answer(/install-claude-local/, {
			rc: 1,
			stderr: "no network\n",
		});
		expect(await w.run()).toBe(0);
		expect(flags(w).map((p) => w.doors.files.text(p))).toEqual([
			"no network\n",
		]);
	});
});
