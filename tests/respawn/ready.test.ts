/** When a new orchestrator takes text (contract 04 §14.3). */
import { beforeEach, expect, test } from "bun:test";
import type { LookResult, PaneLook } from "../../monitor/_pane/types.ts";
import { awaitReady } from "../../monitor/watcher/_respawn/ready.ts";
import { respawnSettings } from "../../monitor/watcher/_respawn/settings.ts";
import type { FakeDoors } from "../fakes/doors.ts";
import { HUNG } from "../fakes/tmux.ts";
import { watcherConfig } from "../watcher/watcher-rig.ts";
import { QUIET, respawnWorld } from "./respawn-world.ts";

let doors: FakeDoors;
let looks: number;
beforeEach(() => {
	({ doors } = respawnWorld());
	doors.tmux.window("orchestrator");
	looks = 0;
});

const look = (over: Partial<PaneLook> = {}, hash = 1): LookResult => ({
	kind: "ok",
	look: {
		...QUIET,
		...over,
		line: `state=${over.state ?? "idle"} active=1 window=1 name=orchestrator content_hash=${hash}`,
	},
});
/** What each look shows, the last one for ever. */
const wait = (
	mode: "fresh" | "resume",
	seen: readonly LookResult[],
	signal?: AbortSignal,
	id = doors.tmux.byName("orchestrator").id,
) =>
	awaitReady(
		{
			doors,
			lookAt: async () => seen[Math.min(looks++, seen.length - 1)] ?? look(),
			root: "/root",
			settings: respawnSettings(watcherConfig()),
		},
		id,
		mode,
		signal,
	);

const busy = look({ state: "busy" });
test.each<[string, "fresh" | "resume", readonly LookResult[], number]>([
	[
		"a fresh one that draws nothing yet",
		"fresh",
		[look({ state: "empty" })],
		1,
	],
	["a fresh one that is idle", "fresh", [busy, look()], 2],
	[
		"a fresh one with a suggestion",
		"fresh",
		[busy, look({ state: "autosuggest-only" })],
		2,
	],
	["a resumed one that holds still three times", "resume", [look()], 3],
	[
		"one whose transcript still grows",
		"resume",
		[look(), look(), look({}, 2)],
		5,
	],
	["one that works in between", "resume", [look(), look(), busy, look()], 6],
	[
		"one with work behind it",
		"resume",
		[look({ state: "working-background" })],
		3,
	],
	[
		"one that paces itself",
		"resume",
		[look({ state: "working-self-paced" })],
		3,
	],
	[
		"one with a suggestion",
		"resume",
		[look({ state: "autosuggest-only", input: "ghost" })],
		3,
	],
])("%s (%s) is ready", async (_what, mode, seen, n) => {
	expect(await wait(mode, seen)).toBe("ready");
	expect(looks).toBe(n);
});

test.each<[string, "fresh" | "resume", LookResult, number]>([
	["works", "fresh", busy, 30],
	["draws nothing yet", "resume", look({ state: "empty" }), 120],
	["holds a draft", "resume", look({ input: "typed" }), 120],
	["has a box that cannot be read", "fresh", look({ input: "?" }), 30],
	["has a menu open", "fresh", look({ menu: true }), 30],
	["is at a dialog", "fresh", look({ overlay: "login" }), 30],
	["cannot be looked at", "fresh", { kind: "unreadable", reason: "x" }, 30],
])(
	"one that %s (%s) is not, and its looks decide",
	async (_what, mode, seen, seconds) => {
		const from = doors.clock.monoMs();
		expect(await wait(mode, [seen])).toBe("timeout");
		expect((doors.clock.monoMs() - from) / 1000).toBe(seconds);
	},
);

test("a program that has ended, or its window, is not waited for; a tmux that does not answer is", async () => {
	const window = doors.tmux.byName("orchestrator");
	window.pane.dead = "1";
	expect(await wait("fresh", [busy])).toBe("gone");
	window.pane.dead = "0";
	const heal = doors.tmux.fail("panes", HUNG, 3);
	expect(await wait("fresh", [look()])).toBe("ready");
	heal();
	const { id } = window;
	doors.tmux.model.closeWindow(window);
	expect(await wait("fresh", [busy], undefined, id)).toBe("gone");
});

test("an abort ends the wait", async () => {
	expect(await wait("fresh", [busy], AbortSignal.abort())).toBe("aborted");
	expect(looks).toBe(0);
});
