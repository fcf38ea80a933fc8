/** The faces around the watcher, run as programs on a root of their own. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	existsSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { archiveDir } from "../../monitor/_state/emit-archive.ts";
import { watcherHeartbeatPath } from "../../monitor/_state/watcher-heartbeat.ts";
import { watcherProgressPath } from "../../monitor/_state/watcher-progress.ts";
import { CODE_ROOT, programPath } from "../../monitor/_sys/names.ts";
import { shellExport, shellQuote } from "../../monitor/_sys/shell-quote.ts";
import { openRealRoot, type RealRoot, runIn } from "../support/real-root.ts";
import { waitUntil } from "../support/wait-until.ts";

const LIMIT = 60_000;
let root: RealRoot;
beforeEach(() => {
	root = openRealRoot();
});
afterEach(() => root.close(), LIMIT);

function theWatcher(): number {
	const pid = root.pid() ?? 0;
	expect(root.check(pid)).toBe("live");
	expect(root.groups()).toEqual([pid]);
	return pid;
}
/** The launcher returns when the pidfile is there; only then does the watcher look around for the first time. */
async function startIsOver(): Promise<void> {
	const isOver = () =>
		/^stage=(?:startup:done|loop-tick|compose:)/m.test(
			root.state("watcher-progress"),
		);
	await waitUntil("the end of its start", isOver);
}
async function killWatcher(): Promise<void> {
	await startIsOver();
	process.kill(theWatcher(), "SIGKILL");
	await waitUntil("its end", () => root.groups().length === 0);
}
const ngStatus = () =>
	runIn([programPath("ng"), "watcher-status"], root.root, root.env);
const status = () => root.run("svc", ["status", "watcher"]);

test(
	"svc: start, status, restart, stop; a stop outlasts revive and bootstrap until the next start",
	async () => {
		expect((await root.run("svc", ["start", "watcher"])).rc).toBe(0);
		const first = theWatcher();
		const up = await status();
		expect(up.rc).toBe(0);
		expect(up.out).toContain(`pid:${first}`);

		expect((await root.run("svc", ["restart", "watcher"])).rc).toBe(0);
		expect(theWatcher()).not.toBe(first);

		expect((await root.run("svc", ["stop", "watcher"])).rc).toBe(0);
		expect(root.groups()).toEqual([]);
		expect(root.pid()).toBeNull();
		const down = await status();
		expect(down.rc).toBe(2);
		expect(down.out).toContain("stopped on purpose");

		expect((await root.run("revive")).rc).toBe(0);
		expect((await root.run("bootstrap")).rc).toBe(0);
		expect((await root.run("superviseTick")).rc).toBe(0);
		expect(root.groups()).toEqual([]);

		expect((await root.run("svc", ["start", "watcher"])).rc).toBe(0);
		theWatcher();
	},
	LIMIT,
);

test(
	"a watcher killed in the night: the tick reports it, revive brings back one, the next sweep tells",
	async () => {
		await root.run("svc", ["start", "watcher"]);
		expect((await root.run("superviseTick")).rc).toBe(0);
		await killWatcher();
		const tick = await root.run("superviseTick");
		expect(tick.rc).toBe(1);
		expect(tick.err).toStartWith("watcher DOWN: watcher pid=");
		const revived = await root.run("revive");
		expect(revived.rc).toBe(0);
		expect(revived.out).toContain("exactly ONE live watcher");
		theWatcher();
		expect((await root.run("superviseTick")).rc).toBe(0);
		expect(root.state("watcher-spawns.log")).toContain(
			"caller=[revive-watcher] spawned",
		);
		await waitUntil("the sweep", async () =>
			(await root.run("bootstrap", ["--no-update-ack"])).out.includes(
				"restarted by orchestrator-monitor",
			),
		);
	},
	LIMIT,
);

test(
	"bootstrap of a dead watcher: incident report, start, missed reports once",
	async () => {
		await root.run("svc", ["start", "watcher"]);
		await waitUntil("its first words", () =>
			root.state("watcher.log").includes("watcher up:"),
		);
		await killWatcher();
		const missed = "2099-01-01_00-00-00_abc123.md";
		writeFileSync(join(archiveDir(root.stateDir), missed), "a report\n");
		const first = await root.run("bootstrap");
		expect(first.rc).toBe(0);
		theWatcher();
		expect(first.err).toContain("[bootstrap] incident report: ");
		expect(first.out).toContain(`>>> ${missed}\na report\n`);
		const report = /incident report: (.*)/.exec(first.err)?.[1] ?? "";
		expect(readFileSync(report, "utf8")).toContain("watcher up:");
		const second = await root.run("bootstrap", ["--no-update-ack"]);
		expect(second.err).toContain("[bootstrap] heartbeat OK");
		expect(second.out).not.toContain(first.out.split("\n")[0] ?? "");
	},
	LIMIT,
);

describe("ng watcher-status", () => {
	const age = (path: string, seconds: number) => {
		const at = Date.now() / 1000 - seconds;
		utimesSync(path, at, at);
	};

	test(
		"through a symlink, from a folder that lays traps, without bun on PATH",
		async () => {
			await root.run("svc", ["start", "watcher"]);
			const hostile = join(root.root, "hostile");
			mkdirSync(hostile);
			writeFileSync(
				join(hostile, ".env"),
				"NEXUS_STATE_DIR=/evil\nMONITOR_INTERVAL=1\n",
			);
			writeFileSync(
				join(hostile, "bunfig.toml"),
				'preload = ["./preload.ts"]\n',
			);
			writeFileSync(join(hostile, "preload.ts"), "process.exit(99);\n");
			const link = join(hostile, "ng");
			symlinkSync(programPath("ng"), link);
			const env = { ...root.env, PATH: "/usr/bin:/bin" };
			const done = await runIn(
				[link, "watcher-status", "--scheduler"],
				hostile,
				env,
			);
			expect(done).toMatchObject({ rc: 0, err: "" });
			expect(done.out).toContain(`pid: ${theWatcher()} (alive)\n`);
			expect(done.out).toContain("hosting: headless\n");
			expect(done.out).toContain("scheduler: telemetry ");
		},
		LIMIT,
	);

	test(
		"3 before the first start, 2 for a dead one, 4 for one that stands still beside a beating ticker",
		async () => {
			const run = async () => (await ngStatus()).rc;
			expect(await run()).toBe(3);
			await root.run("svc", ["start", "watcher"]);
			expect(await run()).toBe(0);
			const pid = theWatcher();
			await startIsOver();
			await waitUntil("its first tick", () =>
				existsSync(join(root.stateDir, "watcher-scheduler.jsonl")),
			);
			process.kill(pid, "SIGSTOP");
			for (const name of [
				"watcher-progress",
				"watcher-cycle",
				"watcher-scheduler.jsonl",
				"watcher.log",
			])
				age(join(root.stateDir, name), 2000);
			expect(await run()).toBe(4);
			process.kill(pid, "SIGKILL");
			await waitUntil("its end", () => root.groups().length === 0);
			expect(await run()).toBe(2);
		},
		LIMIT,
	);

	test(
		"an old heartbeat over a loop that moves is 2, and neither tick nor revive touches it",
		async () => {
			await root.run("svc", ["start", "watcher"], {
				MONITOR_HEARTBEAT_TICK_SECONDS: "3600",
			});
			const pid = theWatcher();
			await startIsOver();
			// The first cycle, which follows the first snapshot, beats once more; the next is a minute away.
			await waitUntil("its first cycle", () =>
				/"snapshot_local".*"async-done"[\s\S]*"compose_emit".*"async-done"/.test(
					root.state("watcher-scheduler.jsonl"),
				),
			);
			age(watcherHeartbeatPath(root.stateDir), 444);
			expect((await ngStatus()).rc).toBe(2);
			age(watcherHeartbeatPath(root.stateDir), 444);
			age(watcherProgressPath(root.stateDir), 0);
			expect((await root.run("superviseTick")).rc).toBe(0);
			const refused = await root.run("revive");
			expect(refused.rc).toBe(5);
			expect(refused.out).toContain("REFUSING");
			expect(theWatcher()).toBe(pid);
		},
		LIMIT,
	);
});

describe("./nexus without a verb", () => {
	/** Runs it in a window of the private server, as a person would. */
	async function nexusIn(
		window: string,
	): Promise<{ readonly rc: number; readonly text: string }> {
		const out = join(root.root, "out");
		const script = join(root.root, "run.sh");
		const standIn = join(root.root, "spawn-orchestrator");
		writeFileSync(standIn, `#!/bin/sh\necho "$@" >> '${asked()}'\n`, {
			mode: 0o755,
		});
		const vars = Object.entries(root.env).filter(([name]) =>
			/^(NEXUS_|MONITOR_|HOME|PATH)/.test(name),
		);
		writeFileSync(
			script,
			[
				...vars.map(shellExport),
				// A stand-in: a real Claude Code would start in the orchestrator's place.
				`export RECOVER_SPAWN_ORCH_BIN='${standIn}'`,
				`${shellQuote(join(CODE_ROOT, "nexus"))} > '${out}' 2>&1; echo "rc=$?" >> '${out}'`,
				"exec cat",
			].join("\n"),
		);
		root.tmux.run("new-window", "-d", "-n", window, `sh '${script}'`);
		const text = await waitUntil(
			"its end",
			() => {
				const so = safeRead(out);
				return /rc=\d+\n$/.test(so) ? so : null;
			},
			{ describe: () => safeRead(out) },
		);
		return { rc: Number(/rc=(\d+)\n$/.exec(text)?.[1]), text };
	}
	/** What the stand-in for the orchestrator's start was told. */
	const asked = () => join(root.root, "orchestrator-asked");
	const safeRead = (path: string): string => {
		try {
			return readFileSync(path, "utf8");
		} catch {
			return "";
		}
	};

	test(
		"brings watcher and orchestrator up, waits, shows the status, and is safe to repeat",
		async () => {
			const { rc, text } = await nexusIn("home");
			expect(rc).toBe(0);
			const pid = theWatcher();
			expect(text).toContain(`pid:${pid}`);
			expect(safeRead(asked())).toContain("--target orchestrator");
			// One-shot: what the operator asked for is used up.
			expect(root.state("boot-intent")).toBe("");
			expect((await nexusIn("again")).rc).toBe(0);
			expect(theWatcher()).toBe(pid);
		},
		LIMIT,
	);

	test(
		"refuses inside the orchestrator's window, and outside tmux",
		async () => {
			const inside = await nexusIn("orchestrator");
			expect(inside.rc).toBe(2);
			expect(inside.text).toContain("orchestrator's window");
			const outside = await runIn(
				[join(CODE_ROOT, "nexus")],
				root.root,
				root.env,
			);
			expect(outside.rc).toBe(2);
			expect(root.groups()).toEqual([]);
		},
		LIMIT,
	);
});
