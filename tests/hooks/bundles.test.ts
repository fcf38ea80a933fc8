/** When the hooks' bundles are made anew, and what is run when they cannot be (contract 08 §1). */
import { beforeEach, expect, test } from "bun:test";
import {
	refreshHookBundles,
	refreshUsedHookBundles,
} from "../../monitor/_state/hook-bundles.ts";
import { writeRenderedSettings } from "../../monitor/_state/rendered-settings.ts";
import { HOOKS } from "../../monitor/_sys/names.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { type FakeBuilds, fakeBunBuild } from "../support/fake-bun-build.ts";

const HOME = { codeRoot: "/code", stateDir: "/s" };
const BEAT = "/s/settings/hooks/worker-heartbeat.js";
const BUILD = / build --target=bun /;

let doors: FakeDoors;
let builds: FakeBuilds;
beforeEach(() => {
	doors = fakeDoors({});
	builds = fakeBunBuild(doors);
	doors.files.seed(
		"/code/monitor/worker-settings.json",
		'"@BUN@" "@ROOT@/monitor/worker-heartbeat.ts" busy',
	);
});

const refresh = () => refreshHookBundles(doors, HOME);
const settings = () => doors.files.text("/s/settings/worker-settings.json");

test("they are made once, and the settings run them", async () => {
	for (let start = 0; start < 3; start++)
		expect(await writeRenderedSettings(doors, HOME, "worker")).toEqual({
			kind: "ok",
		});
	expect(builds.count()).toBe(1);
	expect(settings()).toBe(`"/opt/bun/bin/bun" "${BEAT}" busy`);
	expect(doors.files.list("/s/settings")).toMatchObject({
		names: ["hooks", "worker-settings.json"],
	});
});

test("two starts at once build apart from each other", async () => {
	await Promise.all([refresh(), refresh()]);
	const folders = doors.proc.execs.map(({ argv }) =>
		argv.find((word) => word.startsWith("--outdir=")),
	);
	expect(new Set(folders).size).toBe(2);
});

test.each<[string, () => void]>([
	[
		"a module that a hook loads",
		() => doors.files.seed("/code/shared.ts", "2"),
	],
	["a hook", () => doors.files.seed(`/code/${HOOKS[0]}`, "2")],
	["a bundle that went missing", () => doors.files.remove(BEAT)],
	[
		"a change that was broken off",
		() => doors.files.remove("/s/settings/hooks/sources"),
	],
])("%s makes them anew, also for the agents that run", async (_, change) => {
	await refresh();
	change();
	expect(await refreshUsedHookBundles(doors, HOME)).toEqual({ kind: "ok" });
	expect(doors.files.text(BEAT)).toBe("build 2");
});

test("a watcher that starts makes none that no agent runs", async () => {
	expect(await refreshUsedHookBundles(doors, HOME)).toEqual({ kind: "ok" });
	expect(builds.count()).toBe(0);
});

test("a hook that is missing fails the start, and leaves the settings as they are", async () => {
	await writeRenderedSettings(doors, HOME, "worker");
	const before = settings();
	doors.files.remove("/code/monitor/worker-heartbeat.ts");
	expect(await writeRenderedSettings(doors, HOME, "worker")).toEqual({
		kind: "failed",
		code: "ENOENT",
		reason: "/code/monitor/worker-heartbeat.ts: absent",
	});
	expect(settings()).toBe(before);
});

test.each<[string, () => void, string]>([
	["bun cannot", () => doors.proc.answer(BUILD, 1), "ended with 1"],
	[
		"bun hangs",
		() => doors.proc.answer(BUILD, { kind: "timeout", stdout: "", stderr: "" }),
		"timeout",
	],
	[
		"one is not made",
		() => fakeBunBuild(doors, HOOKS),
		"worker-heartbeat.js was not made",
	],
	[
		"a source is missing, as in the middle of an update",
		() => doors.files.remove("/code/shared.ts"),
		"/code/shared.ts cannot be read",
	],
])(
	"when %s, the hooks of the checkout are run and somebody is told",
	async (_, given, why) => {
		given();
		const done = await writeRenderedSettings(doors, HOME, "worker");
		expect(done).toEqual({
			kind: "ok",
			slowHooks: expect.stringContaining(why),
		});
		expect(settings()).toBe(
			'"/opt/bun/bin/bun" "/code/monitor/worker-heartbeat.ts" busy',
		);
		expect(doors.files.list("/s/settings")).toMatchObject({
			names: ["worker-settings.json"],
		});
	},
);
