import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { recordedSessionId } from "../../monitor/_delivery/session-id.ts";
import {
	appendMachineInput,
	machineInputPath,
	machineInputSeconds,
	newestMachineInput,
	parseMachineInput,
} from "../../monitor/_state/machine-input.ts";
import {
	peekLastPaste,
	writeLastPaste,
} from "../../monitor/_state/orchestrator-last-paste.ts";
import {
	orchestratorSessionIdPath,
	parsePin,
	readPin,
	writePin,
} from "../../monitor/_state/orchestrator-session-id.ts";
import { paneKey } from "../../monitor/_state/pane-key.ts";
import { parseDeferral } from "../../monitor/_state/paste-deferral.ts";
import {
	pasteLeftoverPath,
	readLeftover,
	writeLeftover,
} from "../../monitor/_state/paste-leftover.ts";
import { pasteLockPath } from "../../monitor/_state/paste-lock.ts";
import { parseUserPrompt } from "../../monitor/_state/user-prompt.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { STATE } from "./rig.ts";

const A = "0b9f1c52-6a3e-4c1d-9f55-0d7c2a1b3e44";
const B = "1b9f1c52-6a3e-4c1d-9f55-0d7c2a1b3e44";

function stateDisk() {
	const { files } = fakeDoors();
	files.seedDir(STATE);
	return files;
}

describe("the file name of a pane's state", () => {
	test.each([
		["orchestrator", "orchestrator"],
		["a.b-c_d", "a.b-c_d"],
		["two words; 'x'", "two_words___x_"],
		["../../etc/passwd", ".._.._etc_passwd"],
		["..", "_.."],
		["", "_"],
		["日本", "__"],
	])("%p is %p", (window, key) => {
		expect(paneKey(window)).toBe(key);
	});

	test("never leaves its folder, whatever the window is called", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (window) => {
				expect(paneKey(window)).toMatch(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,201}$/);
			}),
		);
	});

	test("is the lock's, too", () => {
		expect(pasteLockPath("/s", "my win")).toBe("/s/paste-locks/my_win.lock");
	});
});

describe("the pin", () => {
	test.each([
		[`${A}\n`, A],
		[`  ${A} \nmore\n`, A],
		[A.toUpperCase(), A.toUpperCase()],
		["", null],
		[`\n${A}\n`, null],
		[`${A}0`, null],
		["not-a-uuid", null],
	])("%p reads as %p", (text, id) => {
		expect(parsePin(text)).toBe(id);
	});

	test("a bad id does not erase a good one", () => {
		const files = stateDisk();
		writePin(files, STATE, A);
		for (const bad of ["", "x", `${B}\n${B}`])
			expect(writePin(files, STATE, bad).kind).toBe("failed");
		expect(readPin(files, STATE)).toBe(A);
		expect(files.text(orchestratorSessionIdPath(STATE))).toBe(`${A}\n`);
	});
});

describe("a session id, as our own files know it", () => {
	const seeded = (files: Readonly<Record<string, string>>) => {
		const doors = fakeDoors();
		for (const [name, text] of Object.entries(files))
			doors.files.seed(`${STATE}/${name}`, text);
		return doors.files;
	};
	const heartbeat = JSON.stringify({ state: "busy", session_id: B });

	test.each([
		[
			"the pin, for the orchestrator",
			{ "orchestrator-session-id": A, "heartbeat/orch.json": heartbeat },
			"orch",
			A,
		],
		[
			"not the pin, for anybody else",
			{ "orchestrator-session-id": A, "heartbeat/w.json": heartbeat },
			"w",
			B,
		],
		[
			"the heartbeat, when the pin is no id",
			{ "orchestrator-session-id": "x", "heartbeat/orch.json": heartbeat },
			"orch",
			B,
		],
		[
			"the last prompt, when the heartbeat is torn",
			{ "heartbeat/w.json": '{"session_id":"', "user-prompt/w": `5\t${A}\n` },
			"w",
			A,
		],
		["nothing", {}, "w", null],
	])("is %s", (_rule, files, window, id) => {
		expect(recordedSessionId(seeded(files), STATE, window, "orch")).toBe(id);
	});
});

describe("the ledger of our own input", () => {
	test("takes seconds and microseconds; the newest row of a window counts", () => {
		const files = stateDisk();
		const row = (window: string, stamp: number, src: string, flag = "") =>
			appendMachineInput(files, STATE, { window, stamp, src, flag });
		row("w", 1_785_261_600_000_001, "paste-followup", "admin");
		row("w", 1_785_261_599, "over-limit-wake");
		row("other", 1_785_269_999, "unstick-permission");
		expect(files.text(machineInputPath(STATE)).split("\n")[0]).toBe(
			"w\t1785261600000001\tpaste-followup\tadmin",
		);
		const newest = newestMachineInput(files, STATE, "w");
		expect(newest?.src).toBe("paste-followup");
		expect(newest && machineInputSeconds(newest)).toBeCloseTo(1_785_261_600, 3);
		expect(newestMachineInput(files, STATE, "nobody")).toBeNull();
	});

	test("a line that does not parse costs only itself", () => {
		const text = "w\t12\tx\nhalf\nw\tnever\tx\n\nw\t13\ty\tadmin\n";
		expect(parseMachineInput(text).map((r) => r.stamp)).toEqual([12, 13]);
	});

	test("a torn tail does not swallow the next row", () => {
		const files = stateDisk();
		files.seed(machineInputPath(STATE), "w\t12\tx\nw\t1");
		appendMachineInput(files, STATE, {
			window: "w",
			stamp: 14,
			src: "y",
			flag: "",
		});
		expect(newestMachineInput(files, STATE, "w")?.stamp).toBe(14);
	});
});

test("a leftover is private, and an empty one is none", () => {
	const files = stateDisk();
	writeLeftover(files, STATE, "my win", "text");
	expect(readLeftover(files, STATE, "my win")).toBe("text");
	const stat = files.stat(pasteLeftoverPath(STATE, "my win"));
	expect(stat.kind === "ok" && stat.stat.mode & 0o777).toBe(0o600);
	files.seed(pasteLeftoverPath(STATE, "my win"), "");
	expect(readLeftover(files, STATE, "my win")).toBeNull();
});

test.each([
	["3\t1000\n", { count: 3, firstAt: 1000 }],
	["3", null],
	["", null],
	["x\t1000", null],
	["-3\t1000", null],
])("deferral %p reads as %p", (text, wanted) => {
	expect(parseDeferral(text)).toEqual(wanted);
});

test.each([
	[`5\t${A}\n`, { at: 5, sessionId: A }],
	["5\n", { at: 5, sessionId: null }],
	["\t\n", null],
	["", null],
])("user prompt %p reads as %p", (text, wanted) => {
	expect(parseUserPrompt(text)).toEqual(wanted);
});

test("the last paste is digits, never, or cannot be told", () => {
	const files = stateDisk();
	expect(peekLastPaste(files, STATE)).toBe("none");
	writeLastPaste(files, STATE, 1_785_261_600);
	expect(peekLastPaste(files, STATE)).toBe(1_785_261_600);
	files.seed(`${STATE}/orchestrator-last-paste.ts`, "soon");
	expect(peekLastPaste(files, STATE)).toBe("invalid");
});
