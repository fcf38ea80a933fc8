/** The version check on a disk that changes under it (contract 06 §9). */
import { beforeEach, describe, expect, test } from "bun:test";
import type { ConfigKey, ConfigValue } from "../../config/schema.ts";
import { componentDriftSection } from "../../monitor/_emit/component-drift.ts";
import {
	versionMemory,
	versionTick,
} from "../../monitor/watcher/_version_restart.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const CODE = "/code";
const STATE = "/n/state";
const MAIN = `${CODE}/monitor/watcher/main.ts`;
const SVC = `${CODE}/monitor/svc.ts`;
const SCRIPT = "/w/serve.sh";
type Changes = { readonly [K in ConfigKey]?: ConfigValue<K> };

let doors: FakeDoors;
let lines: string[];
let restarts: string[];
let rc: number;
beforeEach(() => {
	doors = fakeDoors({ now: 2_000_000, auto: true });
	lines = [];
	restarts = [];
	rc = 0;
	const { files, proc } = doors;
	files.seedDir(STATE);
	write(MAIN, "console.log(1);");
	write(SVC, "console.log(1);");
	proc.answer(/svc\.ts restart/, (argv, opts) => {
		restarts.push(`${argv.at(-1)} by ${opts.env?.SVC_RESTART_ACTOR}`);
		return { kind: "exited", rc, stdout: "", stderr: "" };
	});
});

function write(path: string, text: string): void {
	doors.files.seed(path, text, { mtime: doors.clock.now() });
}
function service(launch = "FOO=1 bash serve.sh --x"): void {
	write("/n/monitor/services.registry", `web\t/w\t${launch}\tcheck\n`);
	write(SCRIPT, "while :; do serve; done");
	doors.proc.add({ pid: 700, argv: ["bash", "serve.sh", "--x"] });
	write(`${STATE}/services/web.pid`, "700\n");
}

function placeOf(config: Changes = {}) {
	return {
		root: "/n",
		stateDir: STATE,
		codeRoot: CODE,
		target: "orchestrator",
		config: watcherConfig(config),
		panesThisTick: () => doors.tmux.panes(),
	};
}
function checker(config: Changes = {}) {
	const memory = versionMemory();
	const place = placeOf(config);
	/** A tick `seconds` after the last one. */
	return async (seconds: number, afterGap = false) => {
		doors.clock.stall(seconds * 1000);
		const signal = new AbortController().signal;
		const log = (line: string) => lines.push(line);
		await doors.clock.run(
			versionTick({ signal, afterGap, log, doors }, place, memory),
		);
	};
}
const text = (name: string) => {
	const path = `${STATE}/version/${name}`;
	return doors.files.has(path) ? doors.files.text(path) : null;
};
async function deliver(): Promise<string> {
	const signal = new AbortController().signal;
	const made = await componentDriftSection(placeOf()).render({ doors, signal });
	await made.commit();
	return made.text;
}

describe("the watcher's own code", () => {
	test("changed and still: the launcher replaces it once, and its records are left to the successor", async () => {
		const tick = checker();
		await tick(0);
		const recorded = text("watcher.running");
		write(MAIN, "console.log(2);");
		await tick(60);
		expect(doors.proc.spawned).toEqual([]);
		await tick(60);
		expect(doors.proc.spawned).toHaveLength(1);
		const [launched] = doors.proc.spawned;
		expect(launched?.argv.slice(-3)).toEqual([
			"--replace",
			"--target",
			"orchestrator",
		]);
		expect(launched?.env).toMatchObject({
			NEXUS_ROOT: "/n",
			NEXUS_STATE_DIR: STATE,
			WATCHER_LAUNCH_CALLER: "version-restart",
		});
		expect(text("watcher.running")).toBe(recorded);
		expect(text("self-restart-history.txt")).toMatch(/^\d+\n$/);
		await tick(60);
		expect(doors.proc.spawned).toHaveLength(1);
		expect(lines.at(-1)).toContain("restarted less than 600s ago");
	});

	test("after the watcher went down nothing else is begun in the same tick", async () => {
		service();
		const tick = checker();
		await tick(0);
		write(MAIN, "console.log(2);");
		write(SCRIPT, "other");
		await tick(60);
		await tick(60);
		expect(doors.proc.spawned).toHaveLength(1);
		expect(restarts).toEqual([]);
	});

	test("half written, or with the marks of a merge, it is no drift", async () => {
		const tick = checker();
		await tick(0);
		write(MAIN, "<<<<<<< HEAD\nconsole.log(1);\n");
		for (const t of [60, 60, 60]) await tick(t);
		expect(doors.proc.spawned).toEqual([]);
		expect(text("watcher.pending")).toBeNull();
	});

	test("nothing is restarted after a gap", async () => {
		const tick = checker();
		await tick(0);
		write(MAIN, "console.log(2);");
		await tick(60);
		await tick(9000, true);
		expect(doors.proc.spawned).toEqual([]);
	});

	test("where it may not restart itself, it asks once", async () => {
		const tick = checker({ "monitor.version_restart.self": false });
		await tick(0);
		write(MAIN, "console.log(2);");
		for (const t of [60, 60, 60, 600]) await tick(t);
		expect(doors.proc.spawned).toEqual([]);
		const told = await deliver();
		expect(told).toContain("needs MANUAL action");
		expect(told).toContain("monitor/svc.ts restart watcher");
		expect(told).toContain(`Ack/clear: rm '${STATE}/version/drift-watcher'`);
		expect(await deliver()).toBe("");
	});

	test("when its guard trips it asks, and its own restart ends that", async () => {
		const tick = checker();
		await tick(0);
		const now = doors.clock.now();
		write(
			`${STATE}/version/self-restart-history.txt`,
			`${now - 30}\n${now - 20}\n${now - 10}\n`,
		);
		write(MAIN, "console.log(2);");
		await tick(60);
		await tick(60);
		expect(doors.proc.spawned).toEqual([]);
		expect(await deliver()).toMatch(/guard-tripped-\d+.*3 restarts/s);
		const { hash } = /hash=(?<hash>.+)/.exec(text("watcher.pending") ?? "")
			?.groups ?? { hash: "" };
		write(`${STATE}/version/watcher.running`, `hash=${hash}\nrecorded=1\n`);
		await tick(60);
		expect(text("drift-watcher")).toBeNull();
	});

	test("a launcher that cannot be started raises the alarm", async () => {
		const tick = checker();
		await tick(0);
		write(MAIN, "console.log(2);");
		await tick(60);
		doors.proc.spawnFails = "EAGAIN";
		await tick(60);
		expect(doors.files.text(`${STATE}/watcher-alerts.log`)).toContain(
			"could not start the launcher: EAGAIN",
		);
	});
});

describe("the cockpit", () => {
	async function drifted(open: boolean) {
		if (open) doors.tmux.window("services");
		else doors.tmux.window("other");
		const tick = checker();
		await tick(0);
		write(SVC, "console.log(2);");
		await tick(60);
		await tick(60);
		return tick;
	}

	test("is asked for by window id, and never touched", async () => {
		await drifted(true);
		const told = await deliver();
		expect(told).toContain("the watcher will NOT touch that window");
		expect(told).toMatch(
			/tmux kill-window -t @\d+ && tmux new-window -dn 'services' '\/code\/monitor\/svc.ts'/,
		);
		expect(await deliver()).toBe("");
	});

	test("an id of another tmux server is looked up when the line is pasted", async () => {
		await drifted(true);
		const path = `${STATE}/version/drift-cockpit`;
		const record = doors.files.text(path);
		doors.files.seed(path, record.replace(/tmux_server=.*/, "tmux_server=1:1"));
		const told = await deliver();
		expect(told).not.toMatch(/-t @\d/);
		expect(told).toContain('[ -n "$id" ] && tmux kill-window -t "$id"');
	});

	test("that is not open needs nothing", async () => {
		await drifted(false);
		expect(await deliver()).toBe("");
		expect(text("cockpit.pending")).toBeNull();
	});
});

describe("a service's launch script", () => {
	async function drifted(config: Changes = {}) {
		service();
		const tick = checker(config);
		await tick(0);
		write(SCRIPT, "while :; do serve --new; done");
		await tick(60);
		await tick(60);
		return tick;
	}

	test("changed: it is restarted once, in the version check's name", async () => {
		const tick = await drifted();
		expect(restarts).toEqual(["web by version-restart"]);
		await tick(700);
		expect(restarts).toHaveLength(1);
	});

	test("a restart that failed is tried again after the cooldown", async () => {
		rc = 1;
		const tick = await drifted();
		await tick(60);
		expect(restarts).toHaveLength(1);
		await tick(600);
		expect(restarts).toHaveLength(2);
	});

	test("where that is off it is asked for", async () => {
		await drifted({ "monitor.version_restart.services": false });
		expect(restarts).toEqual([]);
		expect(await deliver()).toContain("monitor/svc.ts restart web");
	});

	test("is nobody's concern while its supervisor is down", async () => {
		service();
		doors.files.remove(`${STATE}/services/web.pid`);
		const tick = checker();
		await tick(0);
		write(SCRIPT, "other");
		for (const t of [60, 60]) await tick(t);
		expect(restarts).toEqual([]);
		expect(text("service-web.pending")).toBeNull();
	});

	test("a command that names no file has no version", async () => {
		service("python -m http.server");
		await checker()(0);
		expect(text("service-web.running")).toBeNull();
	});
});
