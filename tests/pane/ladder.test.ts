/** The ladder, rung by rung, each with what stands below it and must not be asked any more (contract 03 §9.2). */
import { expect, test } from "bun:test";
import { absenceDoor } from "../../monitor/_pane/absence.ts";
import { classify } from "../../monitor/_pane/classify.ts";
import { conflictsOf } from "../../monitor/_pane/conflicts.ts";
import { readScreen, type ScreenFacts } from "../../monitor/_pane/facts.ts";
import { NO_HEARTBEAT } from "../../monitor/_pane/heartbeat.ts";
import { NO_SHELLS } from "../../monitor/_pane/process.ts";
import {
	NO_SESSION,
	type SessionWitness,
} from "../../monitor/_pane/session.ts";
import { NO_STAMP } from "../../monitor/_pane/stamp.ts";
import type {
	CaptureWitness,
	Witnesses,
} from "../../monitor/_pane/witnesses.ts";
import { dialogRows, RULE } from "../unstick/fake-claude.ts";

const NOW = 2_000_000_000;
const MODE = "  ⏵⏵ bypass permissions on (shift+tab to cycle)";
const TURN = "✶ Weaving… (12s · ↓ 840 tokens)";
const box = (inside: string) => ["", RULE, `❯\u00a0${inside}`, RULE, MODE];
const dim = (text: string) => `\u001b[2m${text}\u001b[0m`;
const QUEUE = "Press up to edit queued messages";
const LIMIT = [
	"❯ go on",
	"  ⎿  You've hit your weekly limit · resets midnight (UTC)",
];
const shows = (...rows: string[]): { readonly capture: CaptureWitness } => {
	const facts = readScreen(rows.join("\n"), 120);
	if (facts === null) throw new Error("blank");
	return { capture: { kind: "ok", facts } };
};
const unreadBox = (): { readonly capture: CaptureWitness } => {
	const { capture } = shows("● Done.", ...box(""));
	if (capture.kind !== "ok" || capture.facts.composer === null)
		throw new Error("no box");
	const composer = { ...capture.facts.composer, input: "?" } as const;
	const facts: ScreenFacts = { ...capture.facts, composer };
	return { capture: { kind: "ok", facts } };
};

const tree = (live: "yes" | "no" | "unknown") => ({
	process: {
		...({
			kind: "seen",
			pid: 7,
			claudePid: live === "yes" ? 8 : null,
		} as const),
		...{ live, isStopped: false, exists: true, blind: false },
		...{ hasDescendant: live !== "no", unidentified: live === "unknown" },
		ageSeconds: 5000,
	},
});
const session = (
	says: SessionWitness["says"],
	waitingFor: string | null = null,
) => ({ session: { ...NO_SESSION, live: true, says, waitingFor } });
const heartbeat = (says: "busy" | "blocked" | "idle") => ({
	heartbeat: { ...NO_HEARTBEAT, says, fresh: true },
});
const STAMP = { stamp: { ...NO_STAMP, kind: "valid" as const } };
const SHELLS = { shells: { ...NO_SHELLS, count: 1, reliable: true } };
const WAITS: Partial<Witnesses> = {
	heartbeat: { ...NO_HEARTBEAT, waits: [{ kind: "ci", id: "9" }] },
};

const QUIET: Witnesses = {
	now: NOW,
	paneDead: false,
	...tree("yes"),
	shells: { ...NO_SHELLS, reliable: true },
	session: NO_SESSION,
	heartbeat: NO_HEARTBEAT,
	stamp: NO_STAMP,
	...shows("● Done.", ...box("")),
	bootGraceSeconds: 90,
};
const DIALOG = shows(...dialogRows({ kind: "permission", command: "curl x" }));
const FAILED: Partial<Witnesses> = { capture: { kind: "failed", why: "x" } };
const NO_BOX = shows("● Done.");

test.each<[string, Partial<Witnesses>, number, string, string]>([
	[
		"no claude, whatever the screen",
		{ ...tree("no"), ...DIALOG },
		1,
		"absent",
		"process",
	],
	[
		"a dead pane",
		{ paneDead: true, ...session("busy") },
		1,
		"absent",
		"process",
	],
	[
		"a dialog, although the session says busy",
		{ ...DIALOG, ...session("busy") },
		2,
		"blocked",
		"screen",
	],
	[
		"a dialog, although a stamp stands",
		{ ...DIALOG, ...STAMP },
		2,
		"blocked",
		"screen",
	],
	[
		"the session waits",
		{ ...session("blocked", "input needed"), ...STAMP },
		3,
		"blocked",
		"session",
	],
	[
		"the session is busy",
		{ ...session("busy"), ...STAMP },
		4,
		"busy",
		"session",
	],
	[
		"the same, with a draft",
		{ ...session("busy"), ...shows(TURN, ...box("wait")) },
		4,
		"user-typing",
		"screen",
	],
	["the heartbeat is busy", heartbeat("busy"), 4, "busy", "heartbeat"],
	[
		"the heartbeat is busy, the session idle",
		{ ...heartbeat("busy"), ...session("idle") },
		17,
		"idle",
		"session",
	],
	[
		"the heartbeat is blocked",
		{ ...heartbeat("blocked"), ...STAMP },
		5,
		"blocked",
		"heartbeat",
	],
	[
		"the same, the session idle",
		{ ...heartbeat("blocked"), ...session("idle") },
		17,
		"idle",
		"session",
	],
	[
		"no text, the session idle",
		{ ...FAILED, ...session("idle"), ...STAMP },
		6,
		"idle",
		"session",
	],
	[
		"no text, the session with a shell",
		{ ...FAILED, ...session("shell") },
		6,
		"working-background",
		"session",
	],
	[
		"no text, the heartbeat idle",
		{ ...FAILED, ...heartbeat("idle") },
		6,
		"idle",
		"heartbeat",
	],
	["no text, nobody knows", FAILED, 6, "unknown", "process"],
	[
		"not one character",
		{ capture: { kind: "blank" }, ...session("idle") },
		6,
		"idle",
		"session",
	],
	[
		"a stamp, before the notice on the screen",
		{ ...STAMP, ...shows(...LIMIT, ...box("")) },
		7,
		"over-limit",
		"stamp",
	],
	[
		"a stamp, although somebody types",
		{ ...STAMP, ...shows("● x", ...box("hm")) },
		7,
		"over-limit",
		"stamp",
	],
	["a notice", shows(...LIMIT, ...box("")), 8, "over-limit", "screen"],
	[
		"a notice that the session went on after",
		shows(...LIMIT, "", TURN, ...box("")),
		15,
		"busy",
		"screen",
	],
	[
		"a queue in place of the box, before the turn",
		shows("● x", TURN, "", RULE, `❯ ${QUEUE}`, RULE),
		9,
		"busy",
		"screen",
	],
	["a turn without a box", shows("● x", "", TURN), 10, "busy", "screen"],
	["no box, claude lives", NO_BOX, 11, "empty", "process"],
	[
		"no box, nobody knows whether claude lives",
		{ ...NO_BOX, ...tree("unknown") },
		12,
		"unknown",
		"process",
	],
	[
		"a queue in the box",
		shows("● x", ...box(dim(QUEUE))),
		13,
		"busy",
		"screen",
	],
	[
		"the same, the session idle",
		{ ...shows("● x", ...box(dim(QUEUE))), ...session("idle") },
		13,
		"busy",
		"screen",
	],
	[
		"a draft over a running turn",
		shows("● x", "", TURN, ...box("wait")),
		14,
		"user-typing",
		"screen",
	],
	[
		"a draft under a queue",
		shows("● x", `❯ ${QUEUE}`, ...box("wait")),
		14,
		"user-typing",
		"screen",
	],
	[
		"a draft, the session idle",
		{ ...shows("● x", ...box("wait")), ...session("idle") },
		14,
		"user-typing",
		"screen",
	],
	["a turn", shows("● x", "", TURN, ...box("")), 15, "busy", "screen"],
	[
		"a turn, the heartbeat idle",
		{ ...shows("● x", "", TURN, ...box("")), ...heartbeat("idle") },
		15,
		"busy",
		"screen",
	],
	[
		"a turn, the session starting",
		{ ...shows("● x", "", TURN, ...box("")), ...session("starting") },
		15,
		"busy",
		"screen",
	],
	[
		"a turn beside a suggestion",
		shows("● x", "", TURN, ...box(dim("try it"))),
		15,
		"busy",
		"screen",
	],
	[
		"a turn, the session idle",
		{ ...shows("● x", "", TURN, ...box("")), ...session("idle") },
		17,
		"idle",
		"session",
	],
	[
		"a turn, the session with a shell",
		{ ...shows("● x", "", TURN, ...box("")), ...session("shell") },
		17,
		"working-background",
		"session",
	],
	[
		"a suggestion",
		shows("● x", ...box(dim("try it"))),
		16,
		"autosuggest-only",
		"screen",
	],
	[
		"a suggestion, and a shell works on",
		{ ...shows("● x", ...box(dim("try it"))), ...SHELLS },
		16,
		"working-background",
		"screen",
	],
	["an empty box", {}, 17, "idle", "screen"],
	[
		"an empty box, by the heartbeat",
		heartbeat("idle"),
		17,
		"idle",
		"heartbeat",
	],
	[
		"an empty box, and a shell works on",
		SHELLS,
		17,
		"working-background",
		"screen",
	],
	["an empty box, and outside work", WAITS, 17, "idle-orphan-async", "screen"],
	["a box that cannot be read", unreadBox(), 18, "empty", "screen"],
])("%s", (_what, over, n, state, witness) => {
	const { rung, answer } = classify({ ...QUIET, ...over });
	expect([rung.n, answer.state as string, answer.witness as string]).toEqual([
		...[n, state],
		witness,
	]);
});

test.each<[string, Partial<Witnesses>, string]>([
	[
		"a tree without claude that is young",
		{ process: { ...tree("no").process, ageSeconds: 5 } },
		"liveness-gate",
	],
	["no text", { ...FAILED, ...tree("unknown") }, "empty-capture"],
	["no box", { ...NO_BOX, ...tree("unknown") }, "renderer-no-input-row"],
])("%s names the place of its doubt", (_what, over, site) => {
	expect(classify({ ...QUIET, ...over }).answer.site ?? "").toBe(site);
});

const TURNING = shows("● x", "", TURN, ...box(""));
test.each<[string, Partial<Witnesses>, string]>([
	[
		"session idle, heartbeat busy",
		{ ...session("idle"), ...heartbeat("busy") },
		"session:idle/heartbeat:busy",
	],
	[
		"session shell, heartbeat blocked",
		{ ...session("shell"), ...heartbeat("blocked"), ...SHELLS },
		"session:shell/heartbeat:blocked",
	],
	[
		"session shell, heartbeat idle",
		{ ...session("shell"), ...heartbeat("idle"), ...SHELLS },
		"",
	],
	[
		"session idle, heartbeat idle",
		{ ...session("idle"), ...heartbeat("idle") },
		"",
	],
	[
		"session starting, heartbeat busy",
		{ ...session("starting"), ...heartbeat("busy") },
		"",
	],
	[
		"session idle, a turn",
		{ ...session("idle"), ...TURNING },
		"session:idle/screen:busy",
	],
	[
		"session shell, a turn",
		{ ...session("shell"), ...TURNING, ...SHELLS },
		"session:shell/screen:busy",
	],
	[
		"session idle, a queue",
		{ ...session("idle"), ...shows("● x", ...box(dim(QUEUE))) },
		"screen:busy/session:idle",
	],
	[
		"heartbeat idle, a turn",
		{ ...heartbeat("idle"), ...TURNING },
		"screen:busy/heartbeat:idle",
	],
	["heartbeat idle, an empty box", heartbeat("idle"), ""],
	["session busy, an empty box", session("busy"), "session:busy/screen:idle"],
	[
		"session busy, a suggestion",
		{ ...session("busy"), ...shows("● x", ...box(dim("try"))) },
		"session:busy/screen:idle",
	],
	[
		"session busy, a draft",
		{ ...session("busy"), ...shows("● x", ...box("hm")) },
		"",
	],
	["session busy, a turn", { ...session("busy"), ...TURNING }, ""],
	[
		"heartbeat busy, an empty box",
		heartbeat("busy"),
		"heartbeat:busy/screen:idle",
	],
	[
		"session blocked, an empty box",
		session("blocked"),
		"session:blocked/screen:idle",
	],
	[
		"session blocked, a draft",
		{ ...session("blocked"), ...shows("● x", ...box("hm")) },
		"session:blocked/screen:user-typing",
	],
	[
		"session blocked, a turn",
		{ ...session("blocked"), ...TURNING },
		"session:blocked/screen:busy",
	],
	["session blocked, no box", { ...session("blocked"), ...NO_BOX }, ""],
	[
		"heartbeat blocked, an empty box",
		heartbeat("blocked"),
		"heartbeat:blocked/screen:idle",
	],
	[
		"session shell, a tree without",
		session("shell"),
		"session:shell/process:idle",
	],
	["session shell, a tree with one", { ...session("shell"), ...SHELLS }, ""],
	[
		"session shell, a tree nobody can count",
		{ ...session("shell"), shells: NO_SHELLS },
		"",
	],
	["session idle under a dialog", { ...session("idle"), ...DIALOG }, ""],
	["session busy under a dialog", { ...session("busy"), ...DIALOG }, ""],
	["session blocked under a dialog", { ...session("blocked"), ...DIALOG }, ""],
])("the contradiction of %s", (_what, over, first) => {
	const w = { ...QUIET, ...over };
	const [found] = conflictsOf(w, classify(w).answer.state);
	expect(found ? `${found.winner}/${found.loser}` : "").toBe(first);
});

/** Each step with all that would open the door further down. */
const GONE = {
	...tree("no").process,
	...{ exists: false, ageSeconds: 5000 as number | null },
};
test.each<[string, Partial<Witnesses>, string]>([
	[
		"a fixture without a process",
		{ process: { kind: "none" } },
		"absent fixture-no-process",
	],
	[
		"a dead pane, whatever lives",
		{ paneDead: true, ...tree("yes") },
		"absent pane_dead",
	],
	["no pid", { process: { kind: "no-pid" } }, "unknown no-pane-pid"],
	[
		"a live claude",
		{ process: { ...GONE, live: "yes" } },
		"unknown live-claude",
	],
	[
		"a live descendant",
		{ process: { ...GONE, hasDescendant: true } },
		"unknown live-descendant",
	],
	[
		"a process that says nothing of itself",
		{ process: { ...GONE, unidentified: true } },
		"unknown claude-identity-indeterminate",
	],
	[
		"a view that misses what must be there",
		{ process: { ...GONE, blind: true } },
		"unknown proc-view-blind",
	],
	[
		"no such process, however young",
		{ process: { ...GONE, ageSeconds: 1 } },
		"absent pid-gone",
	],
	[
		"a process within its grace",
		{ process: { ...GONE, exists: true, ageSeconds: 89 } },
		"unknown boot-grace",
	],
	[
		"one of unknown age",
		{ process: { ...GONE, exists: true, ageSeconds: null } },
		"unknown boot-grace",
	],
	[
		"one as old as the grace",
		{ process: { ...GONE, exists: true, ageSeconds: 90 } },
		"absent tree-empty-past-grace",
	],
	[
		"no grace at all",
		{
			process: { ...GONE, exists: true, ageSeconds: null },
			bootGraceSeconds: 0,
		},
		"absent tree-empty-past-grace",
	],
])("the absence door at %s", (_what, over, expected) => {
	const door = absenceDoor({ ...QUIET, ...over });
	const why = door.state === "absent" ? door.evidence : door.reason;
	expect(`${door.state} ${why}`).toBe(expected);
});
