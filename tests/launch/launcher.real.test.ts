/** The launcher with real processes, real locks and a private tmux. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	readdirSync,
	readFileSync,
	readlinkSync,
	writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { instanceHeartbeatPath } from "../../monitor/_state/instance-heartbeat.ts";
import { instanceLockPath } from "../../monitor/_state/instance-lock.ts";
import { watcherPidPath } from "../../monitor/_state/watcher-pid.ts";
import { watcherRestartLockPath } from "../../monitor/_state/watcher-restart-lock.ts";
import { holdLock } from "../../monitor/_sys/lock.ts";
import { programArgv } from "../../monitor/_sys/names.ts";
import { openRealRoot, type RealRoot } from "../support/real-root.ts";
import { waitUntil } from "../support/wait-until.ts";

const LIMIT = 60_000;
let root: RealRoot;
const bystanders: Bun.Subprocess[] = [];
beforeEach(() => {
	root = openRealRoot();
});
afterEach(async () => {
	for (const child of bystanders.splice(0)) child.kill("SIGKILL");
	await root.close();
}, LIMIT);

/** A program of somebody else's. */
function bystander(): Bun.Subprocess {
	const child = Bun.spawn(["sleep", "600"], {
		env: process.env,
		detached: true,
	});
	bystanders.push(child);
	return child;
}
const isRunning = (child: Bun.Subprocess) =>
	child.exitCode === null && child.signalCode === null;
/** The live watcher's pid, which must be the only one. */
function theWatcher(): number {
	const pid = root.pid() ?? 0;
	expect(root.check(pid)).toBe("live");
	expect(root.groups()).toEqual([pid]);
	return pid;
}
/** Open files of a process that lie in the state dir. */
function openStateFiles(pid: number): string[] {
	const dir = `/proc/${pid}/fd`;
	return readdirSync(dir)
		.flatMap((fd) => {
			try {
				return [readlinkSync(join(dir, fd))];
			} catch {
				return [];
			}
		})
		.filter((path) => path.startsWith(root.stateDir))
		.map((path) => path.slice(root.stateDir.length + 1));
}
function tickersOf(pid: number): number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.filter((name) => {
			try {
				const argv = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
				return (
					argv.some((a) => a.endsWith("/heartbeat-ticker.ts")) &&
					argv.includes(String(pid)) &&
					argv.includes(root.stateDir)
				);
			} catch {
				return false;
			}
		})
		.map(Number);
}

test(
	"bare starts one; bare again refuses, --ensure is content, --replace puts another in its place",
	async () => {
		const first = await root.run("launcher");
		expect(first).toMatchObject({ rc: 0 });
		const pid = theWatcher();
		expect(first.out).toBe(
			`launcher.ts: spawned headless pid=${pid} target='orchestrator' log='${join(root.stateDir, "watcher.log")}'\n`,
		);
		expect((await root.run("launcher")).rc).toBe(1);
		expect((await root.run("launcher", ["--ensure"])).rc).toBe(0);
		expect(theWatcher()).toBe(pid);
		const status = await root.run("launcher", ["--instance-status"]);
		expect(status.out).toContain(
			`instance-lock: HELD\n  lock=${instanceLockPath(root.stateDir)}\n  assessment=live-local\n  pid: ${pid}\n`,
		);

		expect(
			(await root.run("launcher", ["--replace", "--target", "lead"])).rc,
		).toBe(0);
		expect(theWatcher()).not.toBe(pid);
		// Written a few steps after the pidfile, which is what the launcher waits for.
		await waitUntil(
			"the target",
			() => root.state("watcher-target") === "lead\n",
		);
		const events = root
			.state("watcher-spawns.log")
			.trim()
			.split("\n")
			.map((line) => / caller=\[.*?\] (\S+)/.exec(line)?.[1]);
		expect(events).toEqual([
			"spawned",
			"refuse-bare",
			"ensure-noop",
			"replace-reaped",
			"spawned",
		]);
	},
	LIMIT,
);

test(
	"the watcher holds the instance lock and no other; its ticker holds none, runs apart and ends with it",
	async () => {
		await root.run("launcher");
		const pid = theWatcher();
		// Its first report takes and gives back others.
		await waitUntil("the end of its start", () =>
			root.state("watcher-progress").includes("stage=loop-tick"),
		);
		const locks = () =>
			openStateFiles(pid)
				.filter((name) => name.includes("lock"))
				.join();
		// A delivery may still have its pane's when the loop goes on.
		await waitUntil(
			"the instance lock alone",
			() => locks() === "nexus-instance.lock",
			{ describe: locks },
		);
		const [ticker = 0] = await waitUntil("the ticker", () => {
			const found = tickersOf(pid);
			return found.length === 1 ? found : null;
		});
		expect(openStateFiles(ticker)).toEqual([]);
		expect(root.groups()).toEqual([pid]);
		process.kill(pid, "SIGKILL");
		await waitUntil("the ticker's end", () => tickersOf(pid).length === 0);
	},
	LIMIT,
);

test(
	"two --replace at once leave exactly one",
	async () => {
		await root.run("launcher");
		const old = theWatcher();
		const both = await Promise.all([
			root.run("launcher", ["--replace"]),
			root.run("launcher", ["--replace"]),
		]);
		expect(both.map((r) => r.rc)).toEqual([0, 0]);
		expect(theWatcher()).not.toBe(old);
	},
	LIMIT,
);

test(
	"killed at any moment, --ensure brings back exactly one",
	async () => {
		for (const afterMs of [0, 40, 120, 200, 280, 400]) {
			const starting = root.run("launcher", ["--ensure"]);
			const started = await waitUntil("a spawn", () => root.groups()[0]);
			await Bun.sleep(afterMs);
			process.kill(started, "SIGKILL");
			await starting;
			expect((await root.run("launcher", ["--ensure"])).rc).toBe(0);
			process.kill(theWatcher(), "SIGKILL");
			await waitUntil("its end", () => root.groups().length === 0);
		}
	},
	LIMIT,
);

test(
	"a stopped watcher is replaced after the configured wait",
	async () => {
		await root.run("launcher");
		const pid = theWatcher();
		process.kill(pid, "SIGSTOP");
		const done = await root.run("launcher", ["--replace"], {
			WATCHER_REPLACE_KILL_WAIT: "1",
		});
		expect(done.rc).toBe(0);
		expect(theWatcher()).not.toBe(pid);
	},
	LIMIT,
);

describe("who is not our watcher is never signalled", () => {
	test(
		"a recycled pid of another program",
		async () => {
			const other = bystander();
			writeFileSync(watcherPidPath(root.stateDir), `${other.pid}\n`);
			expect((await root.run("launcher", ["--replace"])).rc).toBe(0);
			expect(isRunning(other)).toBe(true);
			theWatcher();
		},
		LIMIT,
	);

	test(
		"the watcher of another root with the same programs",
		async () => {
			const other = openRealRoot();
			try {
				await other.run("launcher");
				const theirs = other.pid() ?? 0;
				writeFileSync(watcherPidPath(root.stateDir), `${theirs}\n`);
				expect((await root.run("launcher", ["--replace"])).rc).toBe(0);
				expect((await root.run("svc", ["stop", "watcher"])).rc).toBe(0);
				expect(other.check(theirs)).toBe("live");
			} finally {
				await other.close();
			}
		},
		LIMIT,
	);
});

test(
	"a decapitated watcher is reaped, never adopted",
	async () => {
		const argv = programArgv(process.execPath, "watcherMain", [
			"--target",
			"orchestrator",
		]);
		const leader = Bun.spawn(["sh", "-c", '"$@" & sleep 600', "sh", ...argv], {
			env: { ...root.env },
			detached: true,
			stdin: "ignore",
			stdout: "ignore",
			stderr: "ignore",
		});
		bystanders.push(leader);
		const orphan = await waitUntil("the orphan's pidfile", () => root.pid());
		leader.kill("SIGKILL");
		await leader.exited;
		writeFileSync(watcherPidPath(root.stateDir), `${leader.pid}\n`);
		expect(root.check(orphan)).toBe("live");
		expect((await root.run("svc", ["status", "watcher"])).rc).toBe(6);
		expect((await root.run("launcher")).rc).toBe(0);
		expect(root.check(orphan)).toBe("dead");
		theWatcher();
		expect(root.state("watcher-spawns.log")).toContain(
			`reap-decapitated pgid=${leader.pid}`,
		);
	},
	LIMIT,
);

describe("what stands in the way", () => {
	test(
		"a held instance lock → 4",
		async () => {
			const held = holdLock(instanceLockPath(root.stateDir));
			if (held.kind !== "acquired") throw new Error(held.kind);
			held.lock.write(`pid: 9\nhost: ${hostname()}\n`);
			const done = await root.run("launcher");
			held.lock.release();
			expect(done.rc).toBe(4);
			expect(done.err).toContain("live-local");
			expect(root.groups()).toEqual([]);
		},
		LIMIT,
	);

	test(
		"another host's fresh beacon → 4",
		async () => {
			const epoch = Math.floor(Date.now() / 1000);
			writeFileSync(
				instanceHeartbeatPath(root.stateDir),
				`host: elsewhere\nepoch: ${epoch}\nts: now\n`,
			);
			const done = await root.run("launcher");
			expect(done.rc).toBe(4);
			expect(done.err).toContain("running on host elsewhere");
		},
		LIMIT,
	);

	test(
		"a restart lock held elsewhere → 5, the incumbent alive",
		async () => {
			await root.run("launcher");
			const pid = theWatcher();
			const held = holdLock(watcherRestartLockPath(root.stateDir));
			const done = await root.run("launcher", ["--replace"], {
				WATCHER_RESTART_LOCK_WAIT: "1",
			});
			if (held.kind === "acquired") held.lock.release();
			expect(done.rc).toBe(5);
			expect(theWatcher()).toBe(pid);
		},
		LIMIT,
	);

	for (const [rule, text] of [
		["malformed", "github: [\n"],
		[
			"a bad value",
			"github:\n  repo: a/b\n  user_login: c\nmonitor:\n  interval_seconds: soon\n",
		],
		[
			"a placeholder",
			"github:\n  repo: your-org/yourname-nexus-assets\n  user_login: c\n",
		],
		["a required value missing", "github:\n  repo: a/b\n"],
	] as const)
		test(
			`a broken edit of the configuration (${rule}) → 2, the incumbent alive`,
			async () => {
				await root.run("launcher");
				const pid = theWatcher();
				writeFileSync(root.configPath, text);
				const done = await root.run("launcher", ["--replace"]);
				expect(done.rc).toBe(2);
				expect(done.err.trimEnd()).toEndWith(
					"config invalid — the running watcher was left alone",
				);
				expect(theWatcher()).toBe(pid);
			},
			LIMIT,
		);
});
