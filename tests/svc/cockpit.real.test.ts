/** The cockpit as an operator has it: in a window of a real tmux, driven by keys, resized, ended in every way. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programArgv } from "../../monitor/_sys/names.ts";
import { shellQuote } from "../../monitor/_sys/shell-quote.ts";
import { openRealRoot, type RealRoot } from "../support/real-root.ts";
import { waitUntil } from "../support/wait-until.ts";

let root: RealRoot;
const START = `clear; ${programArgv(process.execPath, "svc").map(shellQuote).join(" ")}; echo ended=$?`;

beforeAll(() => {
	root = openRealRoot();
	writeFileSync(join(root.root, "web.log"), "a line of web\n");
	mkdirSync(join(root.root, "monitor"), { recursive: true });
	const rows = [
		["web", root.root, "sleep 1000", "true", "web.log"],
		["slow", root.root, "sleep 1000", "sleep 60", "slow.log"],
	];
	writeFileSync(
		join(root.root, "monitor/services.registry"),
		rows.map((row) => `${row.join("\t")}\n`).join(""),
	);
	shellWindow("services");
});
afterAll(() => root.close());

function shellWindow(name: string): void {
	const env = ["PATH", "HOME", "NEXUS_ROOT", "NEXUS_STATE_DIR", "NEXUS_CONFIG"];
	root.tmux.run(
		...["new-window", "-d", "-t", "fleet:", "-n", name],
		...env.flatMap((key) => ["-e", `${key}=${root.env[key]}`]),
		...["-e", "SVC_REFRESH=1", "-e", "PS1=$ ", "sh"],
	);
}

const ask = (window: string, format: string) =>
	root.tmux.run(
		"display-message",
		"-p",
		"-t",
		`fleet:${window}.{top-left}`,
		format,
	);
const screen = (window = "services") =>
	root.tmux.run("capture-pane", "-p", "-t", `fleet:${window}.{top-left}`);
const press = (key: string, window = "services") =>
	root.tmux.run("send-keys", "-t", `fleet:${window}.{top-left}`, key);
const type = (text: string, window = "services") => {
	root.tmux.run("send-keys", "-t", `fleet:${window}.{top-left}`, "-l", text);
	press("Enter", window);
};
const shows = (what: string | RegExp, window = "services") =>
	waitUntil(
		`${what} on the screen`,
		() => (new RegExp(what).test(screen(window)) ? screen(window) : null),
		{ limitMs: 50_000, describe: () => screen(window) },
	);
const panes = () =>
	root.tmux
		.run(
			...["list-panes", "-t", "fleet:services", "-F"],
			"#{pane_active} #{pane_title}",
		)
		.split("\n");

const windows = () =>
	root.tmux
		.run("list-windows", "-t", "fleet", "-F", "#{window_name}")
		.split("\n");

/** The terminal's settings, as the shell of the window finds them. */
async function sttyInto(name: string): Promise<string> {
	const path = join(root.root, name);
	type(`stty -g > ${path}.new; mv ${path}.new ${path}`);
	return waitUntil(
		`stty in ${name}`,
		() => (existsSync(path) ? readFileSync(path, "utf8") : null),
		{ limitMs: 50_000, describe: screen },
	);
}

/** Drawn, and on a screen of its own: what one before it, or a table, left on the screen looks the same. */
async function startCockpit(): Promise<void> {
	type(START);
	await waitUntil("the cockpit on its own screen", () =>
		ask("services", "#{alternate_on}") === "1" ? true : null,
	);
	await shows(/1 {2}web +UP/);
}

test("drawn at once, driven by keys, resized, and left without a trace", async () => {
	const before = await sttyInto("before");
	type(START);
	// The check that takes a minute holds up neither the picture nor the other's answer.
	await shows(/1 {2}web +UP[\s\S]*2 {2}slow +…[\s\S]*decisions waiting: none/);
	expect(ask("services", "#{alternate_on} #{cursor_flag}")).toBe("1 0");

	press("1");
	await waitUntil("a pane with the log", () =>
		panes().includes("0 log:web") ? true : null,
	);
	expect(panes()).toHaveLength(2);
	await shows(/>1 {2}web/);
	press("2");
	await shows("logfile not found: .*slow.log");
	press("9");
	await shows("no service #9");
	press("x");
	await waitUntil("the pane to go", () => (panes().length === 1 ? true : null));

	for (const [cols, rows] of [
		[80, 24],
		[40, 12],
	] as const) {
		root.tmux.run(
			...["resize-window", "-t", "fleet:services"],
			...["-x", String(cols), "-y", String(rows)],
		);
		await waitUntil(`a picture of ${cols} by ${rows}`, () => {
			const lines = screen().split("\n");
			return lines.some((line) => /^ 1 {2}web +UP/.test(line)) &&
				lines.some((line) => line.startsWith("1-9 log"))
				? true
				: null;
		});
	}
	root.tmux.run(
		"resize-window",
		"-t",
		"fleet:services",
		"-x",
		"120",
		"-y",
		"40",
	);

	press("q");
	await shows("ended=0");
	expect(ask("services", "#{alternate_on} #{cursor_flag}")).toBe("0 1");
	expect(await sttyInto("after")).toBe(before);
}, 90_000);

test("on a terminal that knows no escape sequences it is the table, once", async () => {
	type(START.replace("clear;", "clear; TERM=dumb SVC_STATUS_HEALTH_TIMEOUT=1"));
	await shows(/2 {2}slow +UNKNOWN.*within 1s/);
	await shows("ended=0");
	expect(ask("services", "#{alternate_on}")).toBe("0");
});

test.each(["TERM", "HUP", "INT"])(
	"ended by SIG%s it leaves the terminal as it was, with 130",
	async (signal) => {
		const before = await sttyInto(`before-${signal}`);
		await startCockpit();
		process.kill(cockpitPid(), `SIG${signal}`);
		await shows("ended=130");
		expect(ask("services", "#{alternate_on} #{cursor_flag}")).toBe("0 1");
		expect(await sttyInto(`after-${signal}`)).toBe(before);
	},
	60_000,
);

test("a second one, and one in the orchestrator's window, are refused before they draw", async () => {
	await startCockpit();
	shellWindow("spare");
	type(START, "spare");
	const refused = await shows("ended=4", "spare");
	expect(refused).toContain("a cockpit runs already: pid");
	press("q");
	await shows("ended=0");

	shellWindow("orchestrator");
	type(START, "orchestrator");
	await waitUntil("the window to be renamed", () =>
		windows().includes("services-misplaced") ? true : null,
	);
	await shows("ended=4", "services-misplaced");
}, 60_000);

test("./nexus in a window brings the stack up and becomes the cockpit, under its name for as long as it shows", async () => {
	root.tmux.run("rename-window", "-t", "fleet:services", "old");
	shellWindow("desk");
	// Recovery waits for every check, and one of them takes a minute.
	writeFileSync(
		join(root.root, "monitor/services.registry"),
		`web\t${root.root}\tsleep 1000\ttrue\n`,
	);
	const standIn = join(root.root, "spawn-orchestrator");
	writeFileSync(standIn, "#!/bin/sh\n", { mode: 0o755 });
	type(
		[
			`RECOVER_SPAWN_ORCH_BIN=${standIn} NEXUS_I_ACCEPT_NO_SANDBOX=1`,
			`${programArgv(process.execPath, "entry").map(shellQuote).join(" ")}; echo ended=$?`,
		].join(" "),
		"desk",
	);
	await waitUntil("the window's new name", () =>
		windows().includes("services") ? true : null,
	);
	await shows(/0 {2}watcher +UP +pid:\d+/);
	press("q");
	// The shell that goes on has its own name back.
	await waitUntil("the window's old name", () =>
		windows().includes("desk") ? true : null,
	);
	await shows("ended=0", "desk");
}, 90_000);

/** Below the window's shell, which itself may run below another. */
function cockpitPid(): number {
	const isCockpit = (pid: number) =>
		readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("monitor/svc.ts");
	let pid = Number(ask("services", "#{pane_pid}"));
	while (!isCockpit(pid)) {
		const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
		pid = Number(text.trim().split(" ").at(-1));
		// Pid 0 would be this test's own process group.
		if (!(pid > 0)) throw new Error("no cockpit below the shell");
	}
	return pid;
}
