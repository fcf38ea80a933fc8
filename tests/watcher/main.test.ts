/** The watcher as a program: its locks, files, signals and ends. */
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	expect,
	setDefaultTimeout,
	test,
} from "bun:test";
import {
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { programArgv } from "../../monitor/_sys/names.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";
import {
	endWatchers,
	makeRoot,
	type Root,
	startedWatcher,
	startWatcher,
	tickersOf,
} from "./watcher-process.ts";

setDefaultTimeout(60_000);

let tmux: PrivateTmux;
let at: Root;
let count = 0;
beforeAll(() => {
	tmux = startPrivateTmux();
	tmux.run("new-window", "-d", "-n", "orchestrator", "cat");
});
beforeEach(() => {
	at = makeRoot(tmux, `root-${++count}`);
});
afterEach(endWatchers);
afterAll(() => tmux.kill());

test("a start publishes heartbeat and pidfile, beats, and ends on SIGTERM with nothing left that names it", async () => {
	const watcher = await startedWatcher(at);
	expect(at.state("watcher.pid")).toBe(`${watcher.pid}\n`);
	expect(at.state("nexus-instance.lock")).toStartWith(`pid: ${watcher.pid}\n`);
	expect(at.state("watcher-target")).toBe("orchestrator\n");
	const mtime = (name: string) => statSync(join(at.stateDir, name)).mtimeMs;
	const first = mtime("watcher-heartbeat");
	await waitUntil(
		"a beat of the ticker",
		() => mtime("watcher-heartbeat") > first,
	);
	expect(tickersOf(at.stateDir)).toHaveLength(1);

	watcher.signal("SIGTERM");
	expect(await watcher.exited).toBe(0);
	for (const name of [
		"watcher.pid",
		"watcher.lock",
		"nexus-instance.heartbeat",
	])
		expect(at.has(name)).toBe(false);
	await waitUntil(
		"the ticker's end",
		() => tickersOf(at.stateDir).length === 0,
	);
});

test("a second start is refused by the pidfile, and without one by the instance lock; the first runs on", async () => {
	const first = await startedWatcher(at);
	const second = startWatcher(at);
	expect(await second.exited).toBe(1);
	expect(second.log()).toContain(`pid ${first.pid}`);

	rmSync(join(at.stateDir, "watcher.pid"));
	const third = startWatcher(at);
	expect(await third.exited).toBe(4);
	expect(third.log()).toContain(`pid ${first.pid}`);
	expect(at.state("nexus-instance.lock")).toStartWith(`pid: ${first.pid}\n`);
	expect(at.has("nexus-instance.heartbeat")).toBe(true);
	process.kill(first.pid, 0);
});

test("a watcher killed with SIGKILL leaves files that do not keep the next one from starting", async () => {
	const first = await startedWatcher(at);
	first.signal("SIGKILL");
	await first.exited;
	expect(at.state("watcher.pid")).toBe(`${first.pid}\n`);
	const second = await startedWatcher(at);
	expect(at.state("watcher.pid")).toBe(`${second.pid}\n`);
	await waitUntil(
		"the ticker of the dead watcher to end",
		() => tickersOf(at.stateDir).length === 1,
	);
});

test("a ticker that is gone is started again", async () => {
	const watcher = await startedWatcher(at);
	const [ticker] = await waitUntil("the ticker", () => {
		const pids = tickersOf(at.stateDir);
		return pids.length > 0 ? pids : null;
	});
	process.kill(ticker!, "SIGKILL");
	await waitUntil("another ticker", () => {
		const [now] = tickersOf(at.stateDir);
		return now !== undefined && now !== ticker;
	});
	expect(watcher.log()).toContain("heartbeat ticker was gone");
});

test("a superseded watcher leaves in order, and leaves the beacon to its successor", async () => {
	const watcher = await startedWatcher(at);
	const successor = `host: elsewhere\nnonce: theirs\nepoch: ${Math.floor(Date.now() / 1000)}\nts: now\n`;
	writeFileSync(join(at.stateDir, "nexus-instance.heartbeat"), successor);
	expect(await watcher.exited).toBe(0);
	expect(at.state("nexus-instance.heartbeat")).toBe(successor);
	expect(at.has("watcher.pid")).toBe(false);
	expect(watcher.log()).toContain("superseded");
});

test("a fresh beacon of another host refuses a start with exit 4", async () => {
	const beacon = `host: elsewhere\nnonce: theirs\nepoch: ${Math.floor(Date.now() / 1000)}\nts: now\n`;
	writeFileSync(join(at.stateDir, "nexus-instance.heartbeat"), beacon);
	const watcher = startWatcher(at);
	expect(await watcher.exited).toBe(4);
	expect(watcher.log()).toContain("host elsewhere");
	expect(at.has("watcher.pid")).toBe(false);
});

test("a bad configuration refuses with exit 1 before anything is published", async () => {
	writeFileSync(at.config, "monitor:\n  interval_seconds: fast\n", {
		mode: 0o600,
	});
	const watcher = startWatcher(at);
	expect(await watcher.exited).toBe(1);
	expect(watcher.log()).toContain(
		`:2:21: monitor.interval_seconds: expected an integer >= 1, got "fast"`,
	);
	expect(watcher.log()).toContain("REFUSING to start");
	for (const name of [
		"watcher.pid",
		"watcher-heartbeat",
		"nexus-instance.lock",
	])
		expect(at.has(name)).toBe(false);
});

test.each([
	[["--target", ""], 2],
	[["--target"], 2],
	[["--frobnicate"], 1],
])("arguments %p end with exit %i", async (args, code) => {
	expect(await startWatcher(at, args).exited).toBe(code);
	expect(at.has("watcher.pid")).toBe(false);
});

test("started inside its own target window it exits 1 and renames the window", async () => {
	const exitCode = join(at.root, "exit-code");
	const watcher = programArgv(process.execPath, "watcherMain", [
		"--target",
		"misplaced",
	]);
	const env = Object.entries(at.env)
		.filter(([name]) => name.startsWith("NEXUS"))
		.flatMap(([name, value]) => ["-e", `${name}=${value}`]);
	const id = tmux.run(
		...["new-window", "-d", "-P", "-F", "#{window_id}", "-n", "misplaced"],
		...env,
		`${watcher.join(" ")}; echo $? > ${exitCode}; exec cat`,
	);
	await waitUntil("the watcher's end", () => existsSync(exitCode));
	await waitUntil("its exit code", () => readFileSync(exitCode, "utf8"));
	expect(readFileSync(exitCode, "utf8")).toBe("1\n");
	expect(tmux.run("list-panes", "-t", id, "-F", "#{window_name}")).toBe(
		"watcher-misplaced",
	);
	expect(at.has("watcher.pid")).toBe(false);
});

test("the folder it is started in can neither configure it nor run code in it", async () => {
	const hostile = join(tmux.dir, "hostile");
	mkdirSync(hostile, { recursive: true });
	writeFileSync(join(hostile, ".env"), "MONITOR_TARGET=hijacked\n");
	writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
	writeFileSync(join(hostile, "evil.ts"), "process.exit(66);\n");
	const watcher = startWatcher(at, ["--once"], { cwd: hostile });
	expect(await watcher.exited).toBe(0);
	expect(at.state("watcher-target")).toBe("orchestrator\n");
});

test("a single pass exits 0 and leaves no lock, pidfile or ticker", async () => {
	const watcher = startWatcher(at, ["--once"]);
	expect(await watcher.exited).toBe(0);
	expect(at.has("watcher.pid")).toBe(false);
	expect(tickersOf(at.stateDir)).toEqual([]);
	expect(at.state("watcher-scheduler.jsonl")).toContain(
		'"task":"target_window"',
	);
});

test("a target window that is missing raises one ALERT", async () => {
	const watcher = await startedWatcher(at, ["--target", "nobody"]);
	const alerts = () =>
		at.has("watcher-alerts.log")
			? at.state("watcher-alerts.log").match(/ ALERT .*'nobody' absent/g)
			: null;
	await waitUntil("the alert", alerts, { describe: watcher.log });
	expect(alerts()).toHaveLength(1);
});
