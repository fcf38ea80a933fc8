import { describe, expect, test } from "bun:test";
import {
	boxIsClear,
	type PaneVerdict,
	paneVerdict,
	verdictOf,
} from "../../monitor/_delivery/verdict.ts";
import type {
	InputKind,
	PaneLook,
	PaneStateName,
} from "../../monitor/_pane/types.ts";
import { IDLE_LOOK } from "./rig.ts";

const look = (
	state: PaneStateName,
	input: InputKind | null = "blank",
	more: Partial<PaneLook> = {},
): PaneLook => ({
	...IDLE_LOOK,
	state,
	input,
	...more,
});

type Row = readonly [PaneStateName, InputKind | null, PaneVerdict, PaneVerdict];
const ROWS: readonly Row[] = [
	// state, input, after, before-paste
	["blocked", null, "blocked", "blocked"],
	["blocked", "typed", "blocked", "blocked"],
	["user-typing", "typed", "held", "held"],
	["user-typing", "?", "draft", "draft"],
	["user-typing", "blank", "clear", "clear"],
	["busy", "typed", "queued", "held"],
	["busy", "?", "queued", "draft"],
	["busy", "blank", "queued", "queued"],
	["busy", null, "queued", "queued"],
	["working-background", "typed", "queued", "held"],
	["working-self-paced", "?", "queued", "draft"],
	["working-background", "ghost", "queued", "queued"],
	["unknown", "typed", "unknown", "unknown"],
	["empty", null, "unknown", "unknown"],
	["absent", null, "gone", "gone"],
	["idle", "blank", "clear", "clear"],
	["idle", "?", "clear", "draft"],
	["idle", "typed", "clear", "held"],
	["autosuggest-only", "ghost", "clear", "clear"],
	["idle-orphan-async", "blank", "clear", "clear"],
	["over-limit", "blank", "clear", "clear"],
];

describe("pane verdict", () => {
	test.each([...ROWS])(
		"%s, input %p: %s after, %s before a paste",
		(state, input, after, before) => {
			expect(paneVerdict(look(state, input), "after")).toBe(after);
			expect(paneVerdict(look(state, input), "before-paste")).toBe(before);
		},
	);

	test.each(["idle", "busy", "user-typing", "unknown"] as const)(
		"an open completion menu blocks, also on %s",
		(state) => {
			const open = look(state, "typed", { menu: true });
			expect(paneVerdict(open, "after")).toBe("blocked");
			expect(paneVerdict(open, "before-paste")).toBe("blocked");
		},
	);

	test("a look that failed is unknown, a gone agent is gone", () => {
		expect(verdictOf({ kind: "unreadable", reason: "x" }, "after")).toBe(
			"unknown",
		);
		expect(verdictOf({ kind: "gone", evidence: "x" }, "after")).toBe("gone");
	});
});

test.each([
	[look("idle", "blank"), true],
	[look("idle", "ghost"), true],
	[look("busy", "blank"), true],
	[look("busy", null), false],
	[look("idle", "?"), false],
	[look("user-typing", "typed"), false],
	[look("unknown", "blank"), false],
	[look("blocked", "blank"), false],
])("a box is clear only when it is seen empty: %#", (seen, clear) => {
	expect(boxIsClear({ kind: "ok", look: seen })).toBe(clear);
});
