import { describe, expect, test } from "bun:test";
import type { PaneRow, PaneRows } from "../../monitor/_sys/doors.ts";
import { paneLiveness, targetPresence } from "../../monitor/_sys/tmux-panes.ts";
import { HUNG, NO_TMUX, REFUSED, ZERO_ROWS } from "../fakes/tmux.ts";
import { paneRow } from "../fakes/tmux-model.ts";

function rows(...parts: readonly Partial<PaneRow>[]): PaneRows {
	return { kind: "ok", rows: parts.map(paneRow) };
}

describe("the pane that a paste would land in", () => {
	const w = { windowName: "w", windowId: "@1", paneId: "%1" };
	const inactive = { ...w, paneId: "%2", paneActive: false };
	test.each<readonly [string, PaneRows, string, string]>([
		["alive", rows(w), "w", "live"],
		["by id", rows(w), "@1", "live"],
		["by pane", rows(w), "%1", "live"],
		["with the exact-match prefix", rows(w), ":=w", "live"],
		["a corpse", rows({ ...w, paneDead: "1" }), "w", "dead"],
		["an odd flag", rows({ ...w, paneDead: "" }), "w", "unknown"],
		["a flag of 2", rows({ ...w, paneDead: "2" }), "w", "unknown"],
		[
			"only the active pane counts",
			rows(w, { ...inactive, paneDead: "1" }),
			"w",
			"live",
		],
		[
			"unless a pane is meant",
			rows(w, { ...inactive, paneDead: "1" }),
			"%2",
			"dead",
		],
		[
			"a dead twin outranks",
			rows(w, { ...w, windowId: "@2", paneDead: "1" }),
			"w",
			"dead",
		],
		[
			"a dead twin outranks an odd one",
			rows({ ...w, paneDead: "?" }, { ...w, paneDead: "1" }),
			"w",
			"dead",
		],
		["no active pane", rows(inactive), "w", "unknown"],
		["no such name", rows(w), "v", "absent"],
		["a prefix is no name", rows({ ...w, windowName: "w-sk" }), "w", "absent"],
		["no target", rows(w), "", "unknown"],
		["only the prefix", rows(w), ":=", "unknown"],
		["no tmux", NO_TMUX, "w", "unknown"],
		["hung", HUNG, "w", "unknown"],
		["failed", REFUSED, "w", "unknown"],
		["not one row", rows(), "w", "unknown"],
	])("%s", (_what, listed, target, verdict) => {
		expect(paneLiveness(listed, target)).toBe(verdict as never);
	});

	test.each([
		["no", "absent"],
		["yes", "unknown"],
		["unknown", "unknown"],
	] as const)(
		"an id in no row, of which list-panes -t says %p, is %p",
		(exists, verdict) => {
			expect(paneLiveness(rows(w), "@9", exists)).toBe(verdict);
			expect(paneLiveness(rows(w), "%9", exists)).toBe(verdict);
		},
	);
});

describe("is the target there", () => {
	const t = { windowName: "t" };
	test.each<readonly [string, PaneRows, 0 | 1 | 2]>([
		["one pane alive", rows(t), 0],
		["one alive beside a corpse", rows({ ...t, paneDead: "1" }, t), 0],
		[
			"an alive pane that is not the active one",
			rows({ ...t, paneActive: false }),
			0,
		],
		["an odd flag counts as alive", rows({ ...t, paneDead: "" }), 0],
		["only corpses", rows({ ...t, paneDead: "1" }), 2],
		["no such window", rows({ windowName: "other" }), 2],
		["a longer name is another window", rows({ windowName: "t-2" }), 2],
		["no tmux", NO_TMUX, 1],
		["a failed query", REFUSED, 1],
		["a hung tmux", HUNG, 1],
		["rc 0 and not one row", ZERO_ROWS, 1],
		["an empty list", rows(), 1],
	])("%s", (_what, listed, answer) => {
		expect(targetPresence(listed, "t")).toBe(answer);
	});
});
