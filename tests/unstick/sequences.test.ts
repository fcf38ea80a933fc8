/**
 * Every key sequence, while the screen changes between any two calls (contract 04 §3): the fleet is
 * brought into the state that calls for the sequence, and something happens before the n-th call
 * to tmux, for every n.
 */
import { describe, expect, test } from "bun:test";
import {
	ACCEPT_PERMISSION,
	CONFIRM_CHOICE,
	DISMISS_LIMIT_MENU,
	DISMISS_QUESTION,
	KEY_SEQUENCES,
	OPEN_BOX,
	STEP_DOWN,
	STEP_UP,
} from "../../monitor/_delivery/sequences.ts";
import type { TmuxCall } from "../fakes/tmux.ts";
import { type Dialog, type FakeClaude, fakeClaude } from "./fake-claude.ts";
import { NOW, STATE, type UnstickRig, unstickRig } from "./rig.ts";

interface Scene {
	readonly name: string;
	/** The key sequences that it walks. */
	readonly walks: readonly object[];
	readonly window: string;
	readonly dialog: Dialog;
	readonly prepare?: (rig: UnstickRig) => void;
}

const trust = (selected: number): Dialog => ({
	kind: "start",
	rows: [
		" Accessing workspace:",
		" /root",
		" Quick safety check: Is this a project you created or one you trust?",
	],
	options: ["No, exit", "Yes, I trust this folder", "Later"],
	selected,
});
const due = (rig: UnstickRig) =>
	rig.doors.files.seed(`${STATE}/unstick/ratelimit.reset.epoch`, `${NOW}\n`);

const SCENES: readonly Scene[] = [
	{
		name: "S3, a permission prompt",
		walks: [ACCEPT_PERMISSION],
		window: "w1",
		dialog: { kind: "permission", command: "curl x" },
	},
	{
		name: "S4, a worker at the rate-limit menu",
		walks: [DISMISS_LIMIT_MENU],
		window: "w1",
		dialog: { kind: "rate-limit" },
		prepare: due,
	},
	{
		name: "S5, the orchestrator at the rate-limit menu",
		walks: [DISMISS_LIMIT_MENU],
		window: "orchestrator",
		dialog: { kind: "rate-limit" },
		prepare: due,
	},
	{
		name: "S6, a question on the orchestrator",
		walks: [DISMISS_QUESTION],
		window: "orchestrator",
		dialog: { kind: "question" },
	},
	{
		name: "S10, a start-up dialog, downwards",
		walks: [STEP_DOWN, CONFIRM_CHOICE],
		window: "w1",
		dialog: trust(0),
	},
	{
		name: "S10, a start-up dialog, upwards",
		walks: [STEP_UP, CONFIRM_CHOICE],
		window: "w1",
		dialog: trust(2),
	},
];

const OTHER: Dialog = {
	kind: "permission",
	command: "npm publish",
	question: "Do you want to allow this?",
};
const DRAFT = "what a person types";

interface Change {
	readonly name: string;
	readonly happens: (claude: FakeClaude, rig: UnstickRig) => void;
}
const CHANGES: readonly Change[] = [
	{
		name: "another dialog comes up",
		happens: (claude) => claude.set({ dialog: OTHER }),
	},
	{
		name: "the cursor moves to the last row",
		happens: (claude) => {
			const { dialog } = claude;
			if (dialog === null || dialog.kind === "question")
				claude.set({ dialog: OTHER });
			else if (dialog.kind === "start")
				claude.set({ dialog: { ...dialog, rows: [" Something else"] } });
			else claude.set({ dialog: { ...dialog, selected: 2 } });
		},
	},
	{
		name: "the dialog is answered, and somebody types",
		happens: (claude) =>
			claude.set({ dialog: null, box: `${claude.box}${DRAFT}` }),
	},
	{
		name: "the program ends",
		happens: (claude) => {
			claude.window.pane.dead = "1";
		},
	},
	{
		name: "the window is closed",
		happens: (claude, { doors }) => doors.tmux.model.closeWindow(claude.window),
	},
	{
		name: "tmux does not answer any more",
		happens: (_claude, { doors }) =>
			void doors.tmux.fail((call) => call.op !== "run", { kind: "hung" }),
	},
];

function isKey(call: TmuxCall): boolean {
	return call.op === "run" && call.cmd.kind === "send-keys";
}

async function play(scene: Scene, change: Change | null, at: number) {
	const rig = unstickRig();
	const claude = fakeClaude(rig.doors, scene.window);
	if (scene.window !== "orchestrator") fakeClaude(rig.doors, "orchestrator");
	claude.set({ dialog: scene.dialog, transcript: [] });
	scene.prepare?.(rig);
	const { calls } = rig.doors.tmux;
	let keysBefore = 0;
	let answersBefore = 0;
	rig.doors.tmux.before((call) => {
		if (calls.length - 1 !== at) return;
		keysBefore = claude.keys.length + (isKey(call) ? keysOf(call) : 0);
		answersBefore = claude.answered.length + (isKey(call) ? 1 : 0);
		change?.happens(claude, rig);
	});
	await rig.pass();
	return { rig, claude, calls: [...calls], keysBefore, answersBefore };
}

function keysOf(call: TmuxCall): number {
	return call.op === "run" && call.cmd.kind === "send-keys"
		? call.cmd.keys.length
		: 0;
}

test("the scenes walk every sequence there is", () => {
	const walked = new Set(SCENES.flatMap((scene) => scene.walks));
	expect(Object.values(KEY_SEQUENCES).filter((s) => !walked.has(s))).toEqual(
		[],
	);
});

describe.each(SCENES)("$name", (scene) => {
	test("undisturbed, each key comes right after a look of its own", async () => {
		const { claude, calls } = await play(scene, null, -1);
		expect(claude.answered).toHaveLength(1);
		for (const [i, call] of calls.entries()) {
			if (!isKey(call)) continue;
			const opening =
				call.op === "run" &&
				call.cmd.kind === "send-keys" &&
				call.cmd.keys[0] === "i";
			// Before the box is opened the pane is proven alive once more.
			const look = calls[i - (opening ? 2 : 1)];
			expect(look).toMatchObject({ op: "capture", opts: { escapes: true } });
		}
	});

	test.each(CHANGES)(
		"$name: no key after it, and nothing typed is lost",
		async (change) => {
			const { calls } = await play(scene, null, -1);
			expect(calls.length).toBeGreaterThan(3);
			for (const [at, call] of calls.entries()) {
				// Between a look and its key there is no call: no program can see what happens there.
				if (isKey(call)) continue;
				const seen = await play(scene, change, at);
				const { claude } = seen;
				const where = `before call ${at}`;
				// What was on its way when it happened could not be called back.
				if (change.name !== CHANGES[2]?.name) {
					// Opening the box answers nothing; an Enter, an Escape or an arrow would.
					const late = claude.keys
						.slice(seen.keysBefore)
						.filter((key) => !OPEN_BOX.includes(key));
					expect([where, late]).toEqual([where, []]);
				}
				const answered = claude.answered.length;
				expect(answered).toBeLessThanOrEqual(Math.max(1, seen.answersBefore));
				if (change.name !== CHANGES[2]?.name || claude.dialog !== null)
					continue;
				expect([where, claude.box]).toEqual([
					where,
					expect.stringContaining(DRAFT),
				]);
				expect(claude.sent.filter((text) => text.includes(DRAFT))).toEqual([]);
			}
		},
	);
});
