/** One key sequence: the look right before the key, and the waiting behind it (contract 04 §3). Times in ms from its start. */
import { describe, expect, test } from "bun:test";
import { chooseOption } from "../../monitor/_delivery/choose-option.ts";
import { type Pressed, press } from "../../monitor/_delivery/press.ts";
import { isSamePrompt } from "../../monitor/_delivery/seen-again.ts";
import {
	ACCEPT_PERMISSION,
	CONFIRM_CHOICE,
	DISMISS_LIMIT_MENU,
	DISMISS_QUESTION,
	type KeySequence,
	STEP_DOWN,
	STEP_UP,
} from "../../monitor/_delivery/sequences.ts";
import type { PermissionPrompt } from "../../monitor/_pane/permission.ts";
import type { LookResult, PaneLook } from "../../monitor/_pane/types.ts";
import { HUNG, REFUSED } from "../fakes/tmux.ts";
import { IDLE_LOOK, makeRig, NO_PICTURE } from "./rig.ts";

const GONE: LookResult = { kind: "gone", evidence: "no claude" };
const look = (more: Partial<PaneLook> = {}): PaneLook => ({
	...IDLE_LOOK,
	state: "blocked",
	input: null,
	overlay: "dialog",
	...more,
});
const seen = (more: Partial<PaneLook> = {}): LookResult => ({
	kind: "ok",
	look: look(more),
});

const CHOICE = {
	overlay: "workspace-trust",
	fingerprint: "f",
	isWanted: (label: string) => label === "Yes",
} as const;
/** A trust dialog; the cursor stands on the option with the asterisk. */
const start = (...labels: readonly string[]) =>
	({
		kind: "start",
		overlay: "workspace-trust",
		fingerprint: "f",
		options: labels.map((label) => ({
			label: label.replace("*", ""),
			isSelected: label.startsWith("*"),
		})),
	}) as const;
const other = { ...start("No", "*Yes"), overlay: "theme" } as const;
const changed = { ...start("No", "*Yes"), fingerprint: "g" } as const;
const PROMPT: PermissionPrompt = {
	question: "Do you want to proceed?",
	body: ["a", "b"],
	options: ["❯ 1. Yes", "  2. No"],
	verdict: "wanted-highlighted",
	isWhole: true,
};

describe("why a key is not sent", () => {
	test.each<[string, KeySequence<typeof CHOICE>, PaneLook["dialog"], string]>([
		["on the option: Enter", CONFIRM_CHOICE, start("No", "*Yes"), "sent"],
		[
			"beside it: no Enter",
			CONFIRM_CHOICE,
			start("*No", "Yes"),
			"other-highlighted",
		],
		["above it: Down", STEP_DOWN, start("*No", "Yes"), "sent"],
		["above it: no Up", STEP_UP, start("*No", "Yes"), "elsewhere"],
		["below it: Up", STEP_UP, start("Yes", "*No"), "sent"],
		["on it: no Down", STEP_DOWN, start("No", "*Yes"), "elsewhere"],
		...[CONFIRM_CHOICE, STEP_DOWN, STEP_UP].flatMap(
			(s): [string, typeof s, PaneLook["dialog"], string][] => [
				["no dialog", s, null, "not-live"],
				["another dialog", s, other, "not-live"],
				["the same kind about something else", s, changed, "changed"],
				["one option in sight", s, start("*Yes"), "incomplete"],
				["no cursor in sight", s, start("No", "Yes"), "incomplete"],
				["the option out of sight", s, start("*No", "Maybe"), "incomplete"],
			],
		),
	])("%s", (_, sequence, dialog, why) => {
		expect(sequence.refuses(look({ dialog }), CHOICE) ?? "sent").toBe(why);
	});

	test.each<[string, Partial<PaneLook>, string]>([
		["the same question", { dialog: asked("f") }, "sent"],
		["another question", { dialog: asked("g") }, "changed"],
		["none", { dialog: null }, "not-live"],
	])("Escape, and %s is up", (_, more, why) => {
		const refused = DISMISS_QUESTION.refuses(look(more), { fingerprint: "f" });
		expect(refused ?? "sent").toBe(why);
	});

	test.each<[string, Partial<PaneLook>, string]>([
		["its wanted row", limit("wanted-highlighted"), "sent"],
		["another row", limit("other-highlighted"), "other-highlighted"],
		[
			"a draft beside it",
			{ dialog: limit("wanted-highlighted").dialog, input: "typed" },
			"operator-draft",
		],
		[
			"a box that says nothing",
			{ dialog: limit("wanted-highlighted").dialog, input: "?" },
			"sent",
		],
		[
			"a permission prompt",
			{ dialog: { kind: "permission", prompt: PROMPT } },
			"permission-prompt",
		],
		["no menu", { dialog: { kind: "other" } }, "none"],
	])("Enter on the limit's menu, and there is %s", (_, more, why) => {
		expect(DISMISS_LIMIT_MENU.refuses(look(more), null) ?? "sent").toBe(why);
	});
});

describe("a choice is over", () => {
	test.each<[string, LookResult, boolean]>([
		["with its dialog", seen({ dialog: null, overlay: null }), true],
		["with another dialog", seen({ dialog: other }), true],
		["with its program", GONE, true],
		["not while it stands", seen({ dialog: start("No", "*Yes") }), false],
		["not while nobody can look", NO_PICTURE, false],
	])("%s", (_, result, isDone) => {
		expect(CONFIRM_CHOICE.after?.isDone(result, CHOICE)).toBe(isDone);
	});
});

describe("a prompt is the one that was judged", () => {
	test.each<[string, Partial<PermissionPrompt>, boolean]>([
		["seen whole", {}, true],
		["seen from its middle on", { body: ["b"] }, true],
		["blank rows aside", { body: ["", "a", "", "b", ""] }, true],
		["not with another question", { question: "Do you want to go?" }, false],
		["not with another row", { body: ["a", "c"] }, false],
		["not when its end is out of sight", { body: ["a"] }, false],
		["not when nothing of it is in sight", { body: [""] }, false],
		["not with another cursor", { options: ["  1. Yes", "❯ 2. No"] }, false],
	])("%s", (_, more, same) => {
		expect(isSamePrompt(PROMPT, { ...PROMPT, ...more })).toBe(same);
	});
	test("without a body, too", () => {
		const bare = { ...PROMPT, body: [] };
		expect(isSamePrompt(bare, bare)).toBe(true);
	});
});

async function pressed(
	looks: readonly LookResult[],
	opts: {
		readonly failure?: typeof HUNG;
		readonly limitMs?: number;
		/** Aborts with so many looks taken. */
		readonly abortAt?: number;
		readonly sequence?: KeySequence<typeof CHOICE>;
	} = {},
) {
	const { doors } = makeRig();
	const { clock, tmux } = doors;
	const rows = await tmux.panes();
	const pane = rows.kind === "ok" ? rows.rows[0] : undefined;
	if (pane === undefined) throw new Error("no pane");
	const begin = clock.monoMs();
	const steps: string[] = [];
	const at = (what: string) => steps.push(`${clock.monoMs() - begin} ${what}`);
	const stop = new AbortController();
	tmux.before((call) => {
		if (call.op === "run" && call.cmd.kind === "send-keys")
			at(call.cmd.keys.join(" "));
	});
	if (opts.failure !== undefined) tmux.fail("run", opts.failure);
	let taken = 0;
	const lookAt = async () => {
		at("look");
		const result = looks[Math.min(taken++, looks.length - 1)];
		if (taken === opts.abortAt) stop.abort();
		return result ?? GONE;
	};
	const end: Pressed = await press(
		{ doors, lookAt },
		pane,
		opts.sequence ?? CONFIRM_CHOICE,
		CHOICE,
		{
			before: () => at("ledger"),
			signal: stop.signal,
			...(opts.limitMs === undefined ? {} : { limitMs: opts.limitMs }),
		},
	);
	return { end, steps };
}

const ON = seen({ dialog: start("No", "*Yes") });
const OVER = seen({ dialog: null, overlay: null });

describe("a key", () => {
	test("has the look, the ledger's row, and then itself; then the look that shows what it did", async () => {
		expect(await pressed([ON, ON, OVER])).toEqual({
			end: { kind: "pressed", isDone: true },
			steps: ["0 look", "0 ledger", "0 Enter", "300 look", "600 look"],
		});
	});

	test("that changes nothing is waited for, as long as its sequence says or the caller", async () => {
		const { end, steps } = await pressed([ON]);
		expect(end).toEqual({ kind: "pressed", isDone: false });
		expect(steps.at(-1)).toBe("3300 look");
		expect((await pressed([ON], { limitMs: 600 })).steps.at(-1)).toBe(
			"900 look",
		);
	});

	test("into a dialog that has just come up rests first, and then looks", async () => {
		const rested = { ...STEP_DOWN, restMs: ACCEPT_PERMISSION.restMs };
		const above = seen({ dialog: start("*No", "Yes") });
		expect(await pressed([above], { sequence: rested })).toEqual({
			end: { kind: "pressed", isDone: null },
			steps: ["1000 look", "1000 ledger", "1000 Down"],
		});
	});

	test.each<[string, readonly LookResult[], object, Pressed]>([
		[
			"on another option",
			[seen({ dialog: start("*No", "Yes") })],
			{},
			{ kind: "refused", why: "other-highlighted" },
		],
		[
			"into a pane that cannot be read",
			[NO_PICTURE],
			{},
			{ kind: "refused", why: "unreadable" },
		],
		[
			"into a pane without an agent",
			[GONE],
			{},
			{ kind: "refused", why: "gone" },
		],
		["after an abort", [ON], { abortAt: 1 }, { kind: "aborted" }],
	])("%s is not sent, and leaves no row", async (_, looks, opts, end) => {
		expect(await pressed(looks, opts)).toEqual({ end, steps: ["0 look"] });
	});

	test("that tmux refuses has failed; one whose client hung may have been heard", async () => {
		expect((await pressed([ON], { failure: REFUSED })).end).toEqual({
			kind: "failed",
			why: "server version is too old for client",
		});
		expect((await pressed([ON, OVER], { failure: HUNG })).end).toEqual({
			kind: "pressed",
			isDone: true,
		});
	});

	test("that was sent before an abort is not waited for", async () => {
		expect((await pressed([ON], { abortAt: 2 })).steps.at(-1)).toBe("300 look");
	});
});

describe("an option is chosen", () => {
	const choose = async (looks: readonly LookResult[]) => {
		const { doors, keys } = makeRig();
		const rows = await doors.tmux.panes();
		const pane = rows.kind === "ok" ? rows.rows[0] : undefined;
		if (pane === undefined) throw new Error("no pane");
		let taken = 0;
		const lookAt = async () =>
			looks[Math.min(taken++, looks.length - 1)] ?? GONE;
		const end = await chooseOption({ doors, lookAt }, pane, CHOICE);
		return { end, keys: keys() };
	};
	const above = seen({ dialog: start("*No", "Yes") });

	test("by a step and an Enter, each with its look", async () => {
		expect(await choose([above, above, ON, ON, OVER])).toEqual({
			end: { kind: "chosen" },
			keys: ["Down", "Enter"],
		});
	});

	test.each<[string, readonly LookResult[], string, readonly string[]]>([
		[
			"when the cursor moves right before the Enter",
			[ON, above],
			"other-highlighted",
			[],
		],
		[
			"when the dialog changes right before the step",
			[above, seen({ dialog: changed })],
			"changed",
			[],
		],
		["when the pane goes away", [above, above, GONE], "gone", ["Down"]],
		["when nobody can look", [NO_PICTURE], "unreadable", []],
	])("not %s", async (_, looks, why, keys) => {
		expect(await choose(looks)).toEqual({
			end: { kind: "refused", why },
			keys: [...keys],
		});
	});
});

function asked(fingerprint: string): PaneLook["dialog"] {
	return { kind: "question", fingerprint, asked: fingerprint };
}

function limit(verdict: "wanted-highlighted" | "other-highlighted") {
	return { dialog: { kind: "rate-limit", verdict } } as const;
}
