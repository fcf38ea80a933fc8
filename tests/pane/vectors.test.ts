/** The vectors of contract 03 §11.1, each through the whole program. */
import { describe, expect, test } from "bun:test";
import {
	type Given,
	IDLE,
	MID_RENDER,
	PERMISSION,
	runFixture,
	STAMP,
	session,
	TYPED,
} from "./cli-support.ts";
import { NOW } from "./fixtures.ts";

const HOUR = 3600;
const beat = (state: string, age: number, more: object = {}) => ({
	state,
	last_activity: NOW - age,
	...more,
});
const stamp = (age: number, resetAt: string | null, more: object = {}) => ({
	ts: NOW - age,
	reset_at: resetAt,
	error_type: "rate_limit",
	error_message: "You've hit your weekly limit",
	...more,
});
const GHOST = "panes/input-text-bare-dim-synthetic";
const MONITOR = "panes/working-background-monitor-synthetic";
const SPURIOUS = "panes/working-background-spurious-shell-footer-synthetic";

/** What the line must carry; null = the key must be missing. */
type Keys = Readonly<Record<string, string | null>>;
type Row = readonly [what: string, given: Given, state: string, keys?: Keys];

const HEARTBEATS: readonly Row[] = [
	[
		"busy, fresh",
		{ heartbeat: beat("busy", 5) },
		"busy",
		{ content_hash: null, conflict: "heartbeat:busy/screen:idle" },
	],
	[
		"busy, stale: the screen decides",
		{ heartbeat: beat("busy", 31) },
		"idle",
		{ conflict: null },
	],
	[
		"busy, stale by a shorter horizon",
		{ heartbeat: beat("busy", 15), flags: ["--heartbeat-staleness", "10"] },
		"idle",
	],
	[
		"a horizon that is no number falls back",
		{ heartbeat: beat("busy", 15), flags: ["--heartbeat-staleness", "soon"] },
		"busy",
	],
	["user_prompt", { heartbeat: beat("user_prompt", 5) }, "busy"],
	[
		"permission_prompt",
		{ heartbeat: beat("permission_prompt", 5) },
		"blocked",
		{
			overlay: null,
			content_hash: null,
			conflict: "heartbeat:blocked/screen:idle",
		},
	],
	["a word nobody knows", { heartbeat: beat("weird", 5) }, "idle"],
	["no JSON", { heartbeat: "{half" }, "idle"],
	["none", {}, "idle"],
	[
		"an old turn that ended just now",
		{ heartbeat: beat("idle_prompt", 600, { last_turn_end: NOW }) },
		"idle",
	],
	[
		"busy since the turn's end",
		{ heartbeat: beat("busy", 60, { last_turn_end: NOW }) },
		"busy",
	],
	[
		"idle, but somebody types",
		{ screen: TYPED, heartbeat: beat("idle_prompt", 5) },
		"user-typing",
	],
	[
		"idle, with a suggestion",
		{ screen: GHOST, heartbeat: beat("idle_prompt", 5) },
		"autosuggest-only",
	],
	[
		"busy, and somebody types",
		{ screen: TYPED, heartbeat: beat("busy", 5) },
		"user-typing",
		{ conflict: null },
	],
	[
		"idle against a live turn: the screen wins",
		{ screen: MID_RENDER, heartbeat: beat("idle_prompt", 5) },
		"busy",
		{ conflict: "screen:busy/heartbeat:idle" },
	],
	[
		"idle against a queued message",
		{
			screen: "panes/made-busy-queued-placeholder",
			heartbeat: beat("idle_prompt", 5),
		},
		"busy",
		{ queued: "1", conflict: "screen:busy/heartbeat:idle" },
	],
	[
		"idle under a dialog",
		{ screen: PERMISSION, heartbeat: beat("idle_prompt", 5) },
		"blocked",
		{ overlay: "permission", conflict: null },
	],
];

const STAMPS: readonly Row[] = [
	[
		"a reset with its zone",
		{ stamp: stamp(60, "3am (America/Los_Angeles)") },
		"over-limit",
		{ reset_at: "3am_America/Los_Angeles", limit: "weekly", limit_text: null },
	],
	[
		"no reset",
		{ stamp: stamp(60, null) },
		"over-limit",
		{
			reset_at: "unknown",
			limit: "weekly",
			limit_text: "You%27ve%20hit%20your%20weekly%20limit",
		},
	],
	[
		"reset words of an unknown form",
		{ stamp: stamp(60, "when the cows come home") },
		"over-limit",
		{
			reset_at: "when_the_cows_come_home",
			limit_text: "when%20the%20cows%20come%20home",
		},
	],
	[
		"a turn runs since",
		{ stamp: stamp(60, null), heartbeat: beat("busy", 0) },
		"busy",
	],
	[
		"a heartbeat older than it",
		{ stamp: stamp(60, null), heartbeat: beat("busy", 600) },
		"over-limit",
	],
	[
		"a tool was used after it",
		{
			stamp: stamp(600, null),
			heartbeat: beat("busy", 60, { event: "PostToolUse" }),
		},
		"idle",
	],
	[
		"a dialog comes first",
		{ screen: PERMISSION, stamp: stamp(60, null) },
		"blocked",
	],
	["20 hours old, no reset", { stamp: stamp(20 * HOUR, null) }, "over-limit"],
	[
		"4 days old, reset 2 days ahead",
		{ stamp: stamp(96 * HOUR, String(NOW + 48 * HOUR)) },
		"over-limit",
	],
	[
		"the session file is busy",
		{ stamp: stamp(60, null), session: session({ status: "busy" }) },
		"busy",
	],
];

const SESSIONS: readonly Row[] = [
	[
		"busy for a quarter of an hour",
		{
			session: session({ status: "busy", statusUpdatedAt: (NOW - 900) * 1000 }),
			heartbeat: beat("idle_prompt", 5),
		},
		"busy",
		{ content_hash: null, conflict: "session:busy/heartbeat:idle" },
	],
	[
		"waiting, but its process is gone",
		{
			session: session({ status: "waiting", waitingFor: "permission prompt" }),
			flags: ["--session-dead"],
		},
		"idle",
		{ conflict: null },
	],
	[
		"waiting for input",
		{ session: session({ status: "waiting", waitingFor: "input needed" }) },
		"blocked",
		{ overlay: "askuq", conflict: "session:blocked/screen:idle" },
	],
	[
		"waiting for what it does not name",
		{ session: session({ status: "waiting" }) },
		"blocked",
		{ overlay: "dialog" },
	],
	[
		"waiting, and the screen names the dialog",
		{
			screen: PERMISSION,
			session: session({ status: "waiting", waitingFor: "input needed" }),
		},
		"blocked",
		{ overlay: "permission" },
	],
	[
		"a background shell",
		{ session: session({ status: "shell" }) },
		"working-background",
		{ bg_reliable: "0", bg_shells: "0" },
	],
	[
		"a background shell, and somebody types",
		{ screen: TYPED, session: session({ status: "shell" }) },
		"user-typing",
	],
	[
		"a background shell that the tree does not show",
		{ session: session({ status: "shell" }), flags: ["--bg-shells", "0"] },
		"working-background",
		{ bg_reliable: "1", conflict: "session:shell/process:idle" },
	],
	["a word nobody knows", { session: session({ status: "dreaming" }) }, "idle"],
	[
		"no status yet, a turn on the screen",
		{ screen: MID_RENDER, session: session({}) },
		"busy",
	],
	["no status yet, an idle screen", { session: session({}) }, "idle"],
	[
		"idle against a busy heartbeat",
		{ session: session({ status: "idle" }), heartbeat: beat("busy", 5) },
		"idle",
		{ conflict: "session:idle/heartbeat:busy" },
	],
	[
		"idle overrules shells of an old banner",
		{ screen: SPURIOUS, session: session({ status: "idle" }) },
		"idle",
	],
	[
		"idle, no captured text",
		{ capture: "\n\n", session: session({ status: "idle" }) },
		"idle",
	],
	[
		"another kind",
		{ session: session({ kind: "bg", status: "busy" }) },
		"idle",
	],
	["half an object", { session: '{"pid":48' }, "idle"],
	[
		"hook files of another session",
		{
			session: session({ status: "idle" }),
			stamp: stamp(60, null, { session_id: "session-b" }),
			heartbeat: beat("busy", 5, { session_id: "session-b" }),
		},
		"idle",
		{ conflict: null },
	],
];

const BACKGROUND: readonly Row[] = [
	[
		"declared waits",
		{
			heartbeat: beat("idle_prompt", 5, {
				external_waits: [
					{ kind: "slurm", id: "1" },
					{ kind: "ci", id: "abc/runs/9" },
				],
			}),
		},
		"idle-orphan-async",
		{ orphan_kinds: "slurm:1,ci:abc/runs/9" },
	],
	[
		"a wake-up before the waits",
		{
			heartbeat: beat("idle_prompt", 5, {
				scheduled_wakeup_at: NOW + 60,
				external_waits: [{ kind: "ci", id: "9" }],
			}),
		},
		"working-self-paced",
	],
	[
		"a wake-up that is past",
		{ heartbeat: beat("idle_prompt", 5, { scheduled_wakeup_at: NOW - 60 }) },
		"idle",
	],
	[
		"one horizon for both",
		{
			heartbeat: beat("idle_prompt", 50, {
				external_waits: [{ kind: "ci", id: "9" }],
			}),
			flags: ["--heartbeat-async-staleness", "40"],
		},
		"idle",
	],
	[
		"shells in the tree",
		{ flags: ["--bg-shells", "2", "--bg-cpu", "4242"] },
		"working-background",
		{ bg_shells: "2", bg_reliable: "1", bg_cpu: "4242", bg_oldest_start: "0" },
	],
	[
		"shells on the screen alone",
		{ screen: SPURIOUS },
		"working-background",
		{ bg_reliable: "0", bg_cpu: "0" },
	],
	[
		"a processor time leaves the walk unreliable",
		{ screen: SPURIOUS, flags: ["--bg-cpu", "7"] },
		"working-background",
		{ bg_reliable: "0", bg_cpu: "7" },
	],
	[
		"shells on the screen, none in the tree",
		{ screen: SPURIOUS, flags: ["--bg-shells", "0"] },
		"idle",
	],
	[
		"a monitor, which the tree does not know",
		{ screen: MONITOR, flags: ["--bg-shells", "0"] },
		"working-background",
		{ bg_shells: null, bg_reliable: null, bg_cpu: null, bg_oldest_start: null },
	],
];

for (const [title, rows] of [
	["heartbeat", HEARTBEATS],
	["over-limit stamp", STAMPS],
	["session file", SESSIONS],
	["idle, refined", BACKGROUND],
] as const)
	describe(title, () => {
		test.each(rows.map((row) => [...row] as const))(
			"%s",
			async (_, given, state, keys = {}) => {
				const { line, get } = await runFixture(given);
				expect(get("state") ?? line).toBe(state);
				for (const [key, value] of Object.entries(keys))
					expect([key, get(key)]).toEqual([key, value]);
			},
		);
	});

test("a stamp that is over is removed, one of another session is kept", async () => {
	const left = async (given: Given) =>
		(await runFixture(given)).doors.files.has(STAMP);
	expect(await left({ stamp: stamp(100 * HOUR, null) })).toBe(false);
	expect(await left({ stamp: stamp(20 * HOUR, String(NOW - 17 * HOUR)) })).toBe(
		false,
	);
	expect(await left({ stamp: stamp(60, null) })).toBe(true);
	const foreign = stamp(100 * HOUR, null, { session_id: "session-b" });
	const idle = session({ status: "idle" });
	expect(await left({ stamp: foreign, session: idle })).toBe(true);
});

test("a list of waits longer than 80 characters is cut, and says so", async () => {
	const external_waits = Array.from({ length: 20 }, (_, i) => ({
		kind: "slurm",
		id: `${1000 + i}`,
	}));
	const { get } = await runFixture({
		heartbeat: beat("idle_prompt", 5, { external_waits }),
	});
	const kinds = get("orphan_kinds") ?? "";
	expect([...kinds]).toHaveLength(80);
	expect(kinds.endsWith("…")).toBe(true);
});

test("the digest moves with words and not with ticking numbers", async () => {
	const { judgeScreen } = await import("./fixtures.ts");
	const { readFixture } = await import("./cli-support.ts");
	const hash = (change: (text: string) => string) =>
		/content_hash=(\d+)/.exec(judgeScreen(change(readFixture(IDLE))).line)?.[1];
	const same = hash((t) => t);
	expect(hash((t) => t.replace("12s", "3m 45s"))).not.toBe(same);
	expect(hash((t) => t.replace("12s", "13s"))).toBe(same);
	expect(hash((t) => t.replace("Workers queued", "Workers done"))).not.toBe(
		same,
	);
});
