import { describe, expect, test } from "bun:test";
import type { PaneRow, PaneRows } from "../../monitor/_sys/doors.ts";
import {
	lookupExitCode,
	resolveActivePane,
	resolveWindowId,
	resolveWindowIndex,
	sameServer,
	validateWindowName,
} from "../../monitor/_sys/tmux-lookup.ts";
import { HUNG, NO_TMUX, REFUSED, ZERO_ROWS } from "../fakes/tmux.ts";
import { paneRow } from "../fakes/tmux-model.ts";

function rows(...parts: readonly Partial<PaneRow>[]): PaneRows {
	return { kind: "ok", rows: parts.map(paneRow) };
}

describe("window names", () => {
	test.each(["a", "bench-a.1", "0", "A_b", "x".repeat(200)])(
		"%p is one",
		(n) => {
			expect(validateWindowName(n)).toBeNull();
		},
	);
	test.each([
		["", "empty"],
		["a\nb", "control character"],
		["a\x1b[31m", "control character"],
		["\x9b", "control character"],
		["-a", "letters, digits"],
		[".a", "letters, digits"],
		["a b", "letters, digits"],
		["a:b", "letters, digits"],
		["•bell", "letters, digits"],
		["@1", "letters, digits"],
	])("%j is none: %s", (name, why) => {
		expect(validateWindowName(name)).toContain(why);
	});
});

describe("look-up of a window by name", () => {
	const some = rows(
		{ windowName: "w1-sk", windowId: "@1", windowIndex: 1 },
		{ windowName: "w1", windowId: "@2", windowIndex: 2 },
		{ windowName: "w1", windowId: "@3", windowIndex: 3 },
		{ windowName: "a.0", windowId: "@4", windowIndex: 4 },
	);
	test.each([
		[some, "w1", { kind: "present", value: "@2" }, 0],
		[some, "a.0", { kind: "present", value: "@4" }, 0],
		[some, "w", { kind: "absent" }, 1],
		[some, "W1", { kind: "absent" }, 1],
		[some, "a", { kind: "absent" }, 1],
		[some, "", { kind: "cannot-ask" }, 2],
		[HUNG, "", { kind: "cannot-ask" }, 2],
		[HUNG, "w1", { kind: "could-not-look" }, 3],
		[NO_TMUX, "w1", { kind: "could-not-look" }, 3],
		[REFUSED, "w1", { kind: "could-not-look" }, 3],
		[ZERO_ROWS, "w1", { kind: "could-not-look" }, 3],
		[{ kind: "aborted" }, "w1", { kind: "could-not-look" }, 3],
		[rows(), "w1", { kind: "could-not-look" }, 3],
	] as const)("%#", (listed, name, expected, code) => {
		const found = resolveWindowId(listed, name);
		expect(found).toMatchObject(expected);
		expect(lookupExitCode(found)).toBe(code);
	});

	test("the index and the active pane are of the same first match", () => {
		expect(resolveWindowIndex(some, "w1")).toMatchObject({ value: 2 });
		const split = rows(
			{ windowName: "w", paneId: "%1", paneActive: false },
			{ windowName: "w", paneId: "%2", paneActive: true },
		);
		expect(resolveActivePane(split, "w")).toMatchObject({
			value: { paneId: "%2" },
		});
		expect(resolveActivePane(split, "x").kind).toBe("absent");
		expect(resolveActivePane(HUNG, "w").kind).toBe("could-not-look");
	});

	test("two servers are the same only with the same pid and the same start time", () => {
		const a = { pid: 1, startTime: 2 };
		expect(sameServer(a, { ...a })).toBe(true);
		expect(sameServer(a, { pid: 1, startTime: 3 })).toBe(false);
		expect(sameServer(a, { pid: 2, startTime: 2 })).toBe(false);
	});
});
