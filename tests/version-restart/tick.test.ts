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
		expect(text("watcher.pending")).not.toBeNull();
		expect(doors.files.text(`${STATE}/watcher.log`)).toMatch(
			/version restart: [0-9a-f]{12} -> [0-9a-f]{12}\n$/,
		);
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

	test("half written after a change, it leaves the change's wait as it stands; back as it was, it ends it", async () => {
		const tick = checker();
		await tick(0);
		write(MAIN, "console.log(2);");
		await tick(10);
		const pending = text("watcher.pending");
		write(MAIN, "<<<<<<< HEAD\n");
		await tick(60);
		expect(text("watcher.pending")).toBe(pending);
		write(MAIN, "console.log(1);");
		await tick(10);
		expect(text("watcher.pending")).toBeNull();
	});

	test("that cannot be recorded as restarted is not, and that is said once", async () => {
		const tick = checker();
		await tick(0);
		write(MAIN, "console.log(2);");
		await tick(60);
		doors.files.faults.fail({
			ops: ["append"],
			path: /self-restart-history/,
			code: "EIO",
		});
		for (const t of [60, 60]) await tick(t);
		expect(doors.proc.spawned).toEqual([]);
		const said = lines.filter((line) => line.includes("could not be recorded"));
		expect(said).toHaveLength(1);
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
		for (const t of [60, 60]) await tick(t);
		const record = text("drift-watcher");
		// What is on the disk counts as running from now on.
		expect(/hash=(.+)/.exec(text("watcher.running") ?? "")?.[1]).toBe(
			/new=(.+)/.exec(record ?? "")?.[1],
		);
		for (const t of [60, 600]) await tick(t);
		expect(text("drift-watcher")).toBe(record);
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
		expect(text("self-restart-tripped")).toBe("");
		expect(await deliver()).toMatch(/guard-tripped-\d+.*3 restarts/s);
		const trip = text("drift-watcher");
		await tick(600);
		expect(text("drift-watcher")).toBe(trip);
		expect(lines.at(-1)).toContain("loop guard tripped less than 3600s ago");
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

	test("is asked for at the next tick when it could not be written down", async () => {
		const path = `${STATE}/version/drift-cockpit`;
		const heal = doors.files.faults.fail({ path, code: "EIO" });
		const tick = await drifted(true);
		expect(await deliver()).toBe("");
		heal();
		await tick(60);
		expect(await deliver()).toContain("will NOT touch that window");
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

	test("that changes again is asked for again after the cooldown, and what was told of it before is old", async () => {
		const tick = await drifted(true);
		const first = text("drift-cockpit");
		expect(
			[...(first ?? "").matchAll(/^(\w+)=/gm)].map(([, key]) => key),
		).toEqual(
			"component old new note window window_id tmux_server detected".split(" "),
		);
		await deliver();
		write(SVC, "console.log(3);");
		for (const t of [60, 60]) await tick(t);
		// The old code was told, and is not what stands there.
		expect(text("drift-cockpit")).toBe(first);
		expect(lines.at(-1)).toContain("restarted less than 600s ago");
		await tick(600);
		const [told, record] = [await deliver(), text("drift-cockpit") ?? ""];
		expect(record).not.toBe(first);
		const [, hash = ""] = /^new=(.+)/m.exec(record) ?? [];
		expect(hash).toHaveLength(64);
		expect(told).toContain(`-> ${hash.slice(0, 12)})`);
		expect(text("drift-cockpit-surfaced")).toBe(`${hash}\n`);
	});

	test("is no longer asked for once its old code is back", async () => {
		const tick = await drifted(true);
		await deliver();
		const before = text("cockpit.running");
		// Restarted by its owner: it runs what stands there; then something else is pulled.
		doors.files.seed(
			`${STATE}/version/drift-cockpit`,
			(text("drift-cockpit") ?? "").replace(/^new=.*/m, "new=older"),
		);
		await tick(60);
		expect(text("cockpit.running")).toBe(before);
		expect([text("drift-cockpit"), text("drift-cockpit-surfaced")]).toEqual([
			null,
			null,
		]);
	});

	test("whose window nobody could look for is looked for again", async () => {
		doors.tmux.window("services");
		const tick = checker();
		await tick(0);
		write(SVC, "console.log(2);");
		await tick(60);
		const heal = doors.tmux.fail("panes", { kind: "aborted" });
		await tick(60);
		heal();
		expect([text("drift-cockpit"), text("cockpit.restart.last")]).toEqual([
			null,
			null,
		]);
		await tick(60);
		expect(text("drift-cockpit")).not.toBeNull();
	});

	test("that was asked for anew while it was told is told again", async () => {
		await drifted(true);
		const signal = new AbortController().signal;
		const made = await componentDriftSection(placeOf()).render({
			doors,
			signal,
		});
		doors.files.seed(
			`${STATE}/version/drift-cockpit`,
			(text("drift-cockpit") ?? "").replace(/^new=.*/m, "new=newer"),
		);
		await made.commit();
		expect(await deliver()).toContain("newer");
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

	test("changed once more during its restart: what its launch recorded stands", async () => {
		service();
		const tick = checker();
		await tick(0);
		write(SCRIPT, "while :; do serve --new; done");
		await tick(60);
		const launched = "hash=newest\nrecorded=2000120\n";
		doors.proc.answer(/svc\.ts restart/, () => {
			write(`${STATE}/version/service-web.running`, launched);
			return { kind: "exited", rc: 0, stdout: "", stderr: "" };
		});
		await tick(60);
		expect(text("service-web.running")).toBe(launched);
	});

	test("seen changed after another's long restart, it has its whole time to settle", async () => {
		service();
		const other = "api\t/w\tbash api.sh\tcheck\n";
		const web = "web\t/w\tbash serve.sh --x\tcheck\n";
		write("/n/monitor/services.registry", `${other}${web}`);
		write("/w/api.sh", "while :; do api; done");
		doors.proc.add({ pid: 701, argv: ["bash", "api.sh"] });
		write(`${STATE}/services/api.pid`, "701\n");
		const tick = checker();
		await tick(0);
		write("/w/api.sh", "while :; do api --new; done");
		await tick(60);
		doors.proc.answer(/svc\.ts restart api/, () => {
			doors.clock.stall(120_000);
			write(SCRIPT, "while :; do serve --new; done");
			return { kind: "exited", rc: 0, stdout: "", stderr: "" };
		});
		await tick(60);
		await tick(1);
		expect(restarts).toEqual([]);
		await tick(45);
		expect(restarts).toEqual(["web by version-restart"]);
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
		const tick = await drifted({ "monitor.version_restart.services": false });
		expect(restarts).toEqual([]);
		expect(await deliver()).toContain("monitor/svc.ts restart web");
		await tick(700);
		expect(await deliver()).toBe("");
		expect(text("service-web.pending")).toBeNull();
	});

	test("that may not be restarted is asked for at the next tick when it could not be written down", async () => {
		const path = `${STATE}/version/drift-service-web`;
		const heal = doors.files.faults.fail({ path, code: "EIO" });
		const tick = await drifted({ "monitor.version_restart.services": false });
		expect(await deliver()).toBe("");
		heal();
		await tick(60);
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
		// It was started by then, and runs what stands there.
		write(`${STATE}/services/web.pid`, "700\n");
		for (const t of [60, 60]) await tick(t);
		expect(restarts).toEqual([]);
	});

	test("is left alone where nobody can tell whether it runs", async () => {
		service();
		const tick = checker();
		await tick(0);
		const before = text("service-web.running");
		write(SCRIPT, "other");
		doors.files.faults.fail({ ops: ["read"], path: /web\.pid/, code: "EIO" });
		await tick(60);
		expect(text("service-web.running")).toBe(before);
	});

	test("a registry that cannot be read is said once", async () => {
		write("/n/monitor/services.registry", "");
		const tick = checker();
		for (const t of [0, 60]) await tick(t);
		expect(
			lines.filter((l) => l.includes("registry not readable")),
		).toHaveLength(1);
	});

	test("a command that names no file has no version", async () => {
		service("python -m http.server");
		await checker()(0);
		expect(text("service-web.running")).toBeNull();
	});
});
