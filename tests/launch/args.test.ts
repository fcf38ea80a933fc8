import { describe, expect, test } from "bun:test";
import type { Home } from "../../monitor/_state/home.ts";
import { SESSION_VARIABLES } from "../../monitor/_sys/claude-env.ts";
import { parseLaunchArgs } from "../../monitor/watcher/_launch/args.ts";
import {
	configToPin,
	watcherEnv,
	withFolder,
} from "../../monitor/watcher/_launch/environment.ts";
import { isServerless } from "../../monitor/watcher/_launch/windows.ts";

const PLAIN = {
	mode: "bare",
	target: null,
	window: "watcher",
	acceptNoSandbox: false,
} as const;

describe("the launcher's flags", () => {
	for (const [argv, args] of [
		[[], {}],
		[["--ensure"], { mode: "ensure" }],
		[["--replace"], { mode: "replace" }],
		[["--force"], { mode: "replace" }],
		[["--ensure", "--replace"], { mode: "replace" }],
		[["--target", "lead", "--window=old"], { target: "lead", window: "old" }],
		[["--i-accept-no-sandbox"], { acceptNoSandbox: true }],
	] as const)
		test(`${JSON.stringify(argv)}`, () => {
			expect(parseLaunchArgs(argv)).toEqual({
				kind: "launch",
				args: { ...PLAIN, ...args },
			});
		});

	for (const argv of [
		["--target", ""],
		["--target="],
		["--target"],
		["--target", "--replace"],
		["--replace", "--target"],
	])
		test(`${JSON.stringify(argv)} is refused with 2: an unset variable must not override the configured target`, () => {
			const parsed = parseLaunchArgs(argv);
			expect(parsed).toMatchObject({ kind: "usage", exit: 2 });
			for (const part of [
				"--target",
				"an unset variable in the caller",
				"orchestrator",
			])
				expect("message" in parsed && parsed.message).toContain(part);
		});

	test("an empty --window names its own default", () => {
		expect(parseLaunchArgs(["--window", ""])).toMatchObject({
			exit: 2,
			message: expect.stringContaining("(watcher)"),
		});
	});

	for (const argv of [["--taget", "x"], ["stray"], ["--replace=1"]])
		test(`${JSON.stringify(argv)} is refused with 1`, () => {
			expect(parseLaunchArgs(argv)).toMatchObject({ kind: "usage", exit: 1 });
		});

	test("--instance-status and --help do nothing else", () => {
		expect(parseLaunchArgs(["--instance-status", "--replace"]).kind).toBe(
			"instance-status",
		);
		expect(parseLaunchArgs(["--replace", "-h"]).kind).toBe("help");
	});
});

describe("what a watcher inherits", () => {
	const home: Home = {
		root: "/root",
		stateDir: "/root/monitor/.state",
		codeRoot: "/code",
	};

	test("root and state dir by name, headless, and not whose session called", () => {
		const env = watcherEnv(
			{
				PATH: "/usr/bin",
				TMUX: "/tmp/t,1,0",
				NEXUS_ROOT: "relative",
				WATCHER_LAUNCH_CALLER: "me",
				...Object.fromEntries(SESSION_VARIABLES.map((name) => [name, "1"])),
			},
			home,
			"/opt/bun",
		);
		expect(env).toEqual({
			PATH: "/opt/bun:/usr/bin",
			TMUX: "/tmp/t,1,0",
			NEXUS_ROOT: "/root",
			NEXUS_STATE_DIR: "/root/monitor/.state",
			WATCHER_WINDOW: "headless",
		});
	});

	for (const [path, dir, result] of [
		["/usr/bin", null, "/usr/bin"],
		["/usr/bin:/opt/bun", "/opt/bun", "/usr/bin:/opt/bun"],
	] as const)
		test(`PATH ${path} with ${dir} → ${result}`, () => {
			expect(withFolder(path, dir)).toBe(result);
		});
});

describe("only tmux's own words say that no server runs", () => {
	for (const [stderr, answer] of [
		["no server running on /tmp/tmux-0/default", true],
		[
			"error connecting to /tmp/tmux-0/default (No such file or directory)",
			true,
		],
		["error connecting to /tmp/tmux-0/default (Connection refused)", true],
		["error connecting to /tmp/tmux-0/default (Permission denied)", false],
		["server exited unexpectedly", false],
		["tmux answered with nothing", false],
	] as const)
		test(stderr, () => {
			expect(isServerless({ kind: "failed", rc: 1, stderr })).toBe(answer);
		});
	test("a hung or missing tmux does not", () => {
		expect(isServerless({ kind: "hung" })).toBe(false);
		expect(isServerless({ kind: "no-tmux" })).toBe(false);
	});
});

test.each([
	["/srv/a", "/srv/a", "f00d", null],
	["/srv/b", "/srv/a", "f00d", "/srv/a/config/nexus.yml"],
	["/srv/b", "/srv/a", "", null],
])(
	"root %s by the file found below %s (hash %p): the watcher is told %p",
	(homeRoot, searched, sha256, expected) => {
		const file = { path: "/srv/a/config/nexus.yml", sha256 };
		expect(configToPin(homeRoot, searched, file)).toBe(expected);
	},
);
