/** The brief into a new orchestrator, on a Claude Code drawn as the real one draws itself (contract 04 §14.3, §14.4). */
import { beforeEach, expect, test } from "bun:test";
import { DEFAULT_TIMINGS } from "../../monitor/_delivery/timings.ts";
import { makeLookAt } from "../../monitor/_pane/look.ts";
import { DEFAULT_SETTINGS } from "../../monitor/_pane/settings.ts";
import { briefLeftWindow } from "../../monitor/watcher/_respawn/agent.ts";
import {
	type BriefRequest,
	briefOrchestrator,
} from "../../monitor/watcher/_respawn/brief.ts";
import { respawnSettings } from "../../monitor/watcher/_respawn/settings.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import {
	type Dialog,
	type FakeClaude,
	fakeClaude,
} from "../unstick/fake-claude.ts";
import { STATE, watcherConfig } from "../watcher/watcher-rig.ts";
import { HOME } from "./respawn-world.ts";

const BRIEF = "[nexus watcher] You were respawned.\n\nOne.\nTwo.\nThree.\n";
let doors: FakeDoors;
let claude: FakeClaude;

beforeEach(() => {
	doors = fakeDoors({ auto: true, proc: { env: { HOME: "/home/op" } } });
	doors.files.seedDir(STATE);
	claude = fakeClaude(doors, "orchestrator");
});

const deps = () => ({
	doors,
	stateDir: STATE,
	root: "/root",
	timings: DEFAULT_TIMINGS,
	lookAt: makeLookAt({ doors, stateDir: STATE, settings: DEFAULT_SETTINGS }),
	settings: respawnSettings(watcherConfig()),
});
const brief = (over: Partial<BriefRequest> = {}) =>
	briefOrchestrator(deps(), {
		target: "orchestrator",
		windowId: claude.window.id,
		sessionId: claude.sessionId,
		mode: "fresh",
		text: BRIEF,
		...over,
	});
const enters = () => claude.keys.filter((key) => key === "Enter").length;

test.each(["fresh", "resume"] as const)(
	"into a %s session it arrives once, with one Enter",
	async (mode) => {
		expect(await brief({ mode })).toEqual({ kind: "submitted" });
		expect([claude.sent.length, enters()]).toEqual([1, 1]);
		expect(claude.sent[0]).toContain("You were respawned.");
	},
);

test("a turn that is over before anybody looked is known by its record", async () => {
	expect(await brief()).toEqual({ kind: "submitted" });
	expect(claude.window.pane.pastes).toHaveLength(1);
});

test("into a session that works it queues", async () => {
	claude.set({ busy: true });
	expect((await brief({ mode: "resume" })).kind).toBe("submitted");
	expect(claude.sent).toHaveLength(1);
});

type Start = Extract<Dialog, { kind: "start" }>;
const trust = (path: string, over: Partial<Start> = {}): Start => ({
	kind: "start",
	rows: [
		" Accessing workspace:",
		"",
		` ${path}`,
		"",
		" Quick safety check: Is this a project you created or one you trust?",
	],
	options: ["1. No, exit", "2. Yes, I trust this folder"],
	selected: 0,
	...over,
});
const resume = (options: readonly string[]): Start => ({
	kind: "start",
	rows: [" This session is 3d old and 400k tokens."],
	options,
	selected: 0,
});
const dialogKeys = () =>
	claude.keys.filter((key) => ["Up", "Down", "Enter", "Escape"].includes(key));

test.each<[string, Start, string]>([
	["the trust of the root", trust("/root"), "2. Yes, I trust this folder"],
	[
		"the bypass warning",
		{
			kind: "start",
			rows: ["  WARNING: Claude Code running in Bypass Permissions mode"],
			options: ["1. No, exit", "2. Yes, I accept"],
			selected: 0,
		},
		"2. Yes, I accept",
	],
	[
		"resume from a summary",
		resume([
			"1. Resume from summary (recommended)",
			"2. Resume full session as-is",
			"3. Don't ask me again",
		]),
		"2. Resume full session as-is",
	],
])(
	"%s is answered by its label, and then the brief goes in",
	async (_, dialog, label) => {
		claude.set({ dialog, transcript: [] });
		expect((await brief()).kind).toBe("submitted");
		expect(claude.answered).toEqual([label]);
		expect(dialogKeys()).toEqual(["Down", "Enter", "Enter"]);
	},
);

test.each<[string, Start]>([
	["the trust of another folder", trust("/root/work")],
	[
		"a login",
		{
			kind: "start",
			rows: [" Select login method:"],
			options: [
				"1. Claude account with subscription",
				"2. Anthropic Console account",
			],
			selected: 0,
		},
	],
	["half a frame", trust("/root", { options: ["1. No, exit"] })],
])("%s gets no key, and no brief is pasted", async (_, dialog) => {
	claude.set({ dialog, transcript: [] });
	expect((await brief()).kind).toBe("undelivered");
	expect(claude.keys).toEqual([]);
	expect(claude.window.pane.pastes).toEqual([]);
});

test.each<[string, Start, readonly string[]]>([
	[
		"a cursor that does not move gets five arrows",
		trust("/root"),
		["Down", "Down", "Down", "Down", "Down"],
	],
	[
		"an option that was chosen twice and stays is chosen no more",
		trust("/root", { selected: 1 }),
		["Enter", "Enter"],
	],
])("%s, and no brief is pasted", async (_, dialog, keys) => {
	claude.set({ dialog, transcript: [], answers: false });
	expect((await brief()).kind).toBe("undelivered");
	expect(dialogKeys()).toEqual([...keys]);
	expect(claude.window.pane.pastes).toEqual([]);
});

test.each([
	["took its brief", "", 0, false],
	["was not told why it is there", "wait, I am", 4, true],
])(
	"the operator is no longer rung once an orchestrator %s: rc and alarm",
	async (_, box, rc, isAlarmed) => {
		const alarm = `${STATE}/respawn-alarm`;
		doors.files.seed(alarm, "2026-11-30T19:25:23+00:00\n");
		doors.files.seed(`${STATE}/orchestrator-session-id`, claude.sessionId);
		claude.set({ box });
		const end = await briefLeftWindow(
			{ ...deps(), home: HOME, onStage: () => {} },
			claude.window.id,
			{
				target: "orchestrator",
				reason: "it was gone",
				since: 0,
				scratchDir: "/tmp/watcher-scratch",
				prompt: () => BRIEF,
			},
		);
		expect([end, doors.files.has(alarm)]).toEqual([rc, isAlarmed]);
		expect(
			JSON.parse(doors.files.text(`${STATE}/action-log.jsonl`)),
		).toMatchObject({
			agent: "watcher",
			event: "watcher-respawn-agent",
			note:
				rc === 0
					? "it was gone"
					: "it was gone (brief UNDELIVERED: occupied-before-paste)",
		});
	},
);

test("a person who types into the new session first loses nothing, and no brief is pasted", async () => {
	claude.set({ box: "wait, I am" });
	expect(await brief()).toEqual({
		kind: "undelivered",
		why: "occupied-before-paste",
	});
	expect([claude.box, enters()]).toEqual(["wait, I am", 0]);
});

test("a paste that the program swallows is made again, at most three times", async () => {
	claude.window.pane.onPaste = () => {};
	const end = await brief();
	expect(end.kind).toBe("undelivered");
	expect(claude.window.pane.pastes).toHaveLength(3);
	expect(enters()).toBe(0);
});

test.each([
	["nothing", "", "the program has ended"],
	[
		"why",
		"--dangerously-skip-permissions cannot be used as root\n\nPane is dead (status 1, Mon Nov 30 19:25:23 2026)",
		"the program has ended: --dangerously-skip-permissions cannot be used as root",
	],
])(
	"a program that ends is no longer waited for; it said %s",
	async (_, screen, why) => {
		claude.window.pane.dead = "1";
		claude.window.pane.screen = screen;
		expect(await brief()).toEqual({ kind: "died", why });
	},
);
