import { describe, expect, test } from "bun:test";
import { renderProvenance } from "../../monitor/_state/window-provenance.ts";
import { type Dialog, fakeClaude } from "./fake-claude.ts";
import { STATE, type UnstickRig, unstickRig } from "./rig.ts";

type Start = Extract<Dialog, { kind: "start" }>;

const trust = (path: string, more: Partial<Start> = {}): Start => ({
	kind: "start",
	rows: [
		" Accessing workspace:",
		"",
		` ${path}`,
		"",
		" Quick safety check: Is this a project you created or one you trust?",
	],
	options: ["No, exit", "Yes, I trust this folder"],
	selected: 0,
	...more,
});
const BYPASS: Start = {
	kind: "start",
	rows: ["  WARNING: Claude Code running in Bypass Permissions mode"],
	options: ["1. No, exit", "2. Yes, I accept"],
	selected: 0,
};
const RESUME: Start = {
	kind: "start",
	rows: [" This session is 3d old and 400k tokens."],
	options: [
		"1. Resume from summary (recommended)",
		"2. Resume full session as-is",
		"3. Don't ask me again",
	],
	selected: 0,
};
const THEME: Start = {
	kind: "start",
	rows: [" Choose the text style that looks best with your terminal"],
	options: ["1. Auto (match terminal)", "2. Dark mode ✔", "3. Light mode"],
	selected: 2,
};
const LOGIN: Start = {
	kind: "start",
	rows: [" Select login method:"],
	options: [
		"1. Claude account with subscription",
		"2. Anthropic Console account",
	],
	selected: 0,
};

function spawned(rig: UnstickRig, window: string, workdir: string): void {
	const text = renderProvenance({
		window,
		sessionId: "",
		kind: "task",
		workdir,
		promptFile: "",
		topic: window,
		spawnedAt: "",
		lastActivityRef: "",
		skeptic: { mode: "auto", depth: 0, role: false, target: "", orig: "" },
	});
	rig.doors.files.seed(`${STATE}/windows/${window}.json`, text);
}

describe("a start-up dialog of ours: the cursor is moved to the option, then Enter", () => {
	test.each<[string, Start, string[], string]>([
		[
			"trust for the root",
			trust("/root"),
			["Down", "Enter"],
			"Yes, I trust this folder",
		],
		[
			"trust for the window's work directory",
			trust("/w/proj"),
			["Down", "Enter"],
			"Yes, I trust this folder",
		],
		[
			"trust, numbered, the other way round",
			trust("/w/proj", {
				options: ["1. Yes, I trust this folder", "2. No, exit"],
				selected: 1,
			}),
			["Up", "Enter"],
			"1. Yes, I trust this folder",
		],
		[
			"trust, the cursor on it already",
			trust("/w/proj", { selected: 1 }),
			["Enter"],
			"Yes, I trust this folder",
		],
		["the bypass warning", BYPASS, ["Down", "Enter"], "2. Yes, I accept"],
		[
			"resume from a summary",
			RESUME,
			["Down", "Enter"],
			"2. Resume full session as-is",
		],
		["the theme", THEME, ["Up", "Enter"], "2. Dark mode ✔"],
	])("%s", async (_what, dialog, keys, label) => {
		const rig = unstickRig();
		const claude = fakeClaude(rig.doors, "w1");
		spawned(rig, "w1", "/w/proj");
		claude.set({ dialog, transcript: [] });
		await rig.pass();
		expect(claude.keys).toEqual(keys);
		expect(claude.answered).toEqual([label]);
		expect(rig.names("decisions")).toEqual([]);
		expect(rig.log()[0]).toContain("case=S action=chosen");
		expect(rig.doors.files.text(`${STATE}/machine-input.tsv`)).toMatch(
			/^w1\t\d+\tunstick-startup\n$/,
		);
	});

	test("the orchestrator's own is known by its process", async () => {
		const rig = unstickRig();
		const claude = fakeClaude(rig.doors, "orchestrator", {
			environ: { NEXUS_IS_ORCHESTRATOR: "1" },
		});
		claude.set({ dialog: BYPASS, transcript: [] });
		await rig.pass();
		expect(claude.answered).toEqual(["2. Yes, I accept"]);
	});
});

describe("any other gets no key and becomes a decision", () => {
	test.each<[string, Start]>([
		["trust for another folder", trust("/elsewhere")],
		["trust for a folder below the root", trust("/root/work/x")],
		["the bypass warning of a window that we did not start", BYPASS],
		["a login", LOGIN],
	])("%s", async (_what, dialog) => {
		const rig = unstickRig();
		const claude = fakeClaude(rig.doors, "w1");
		if (dialog.rows[0]?.includes("Accessing")) spawned(rig, "w1", "/w/proj");
		claude.set({ dialog, transcript: [] });
		for (let i = 0; i < 3; i++) await rig.pass();
		expect(claude.keys).toEqual([]);
		const [name = ""] = rig.names("decisions");
		expect(rig.names("decisions")).toHaveLength(1);
		expect(rig.json(`decisions/${name}`)).toMatchObject({
			window: "w1",
			kind: "startup_dialog",
			source: "watcher-unstick-case-S",
			verdict: "unlisted",
		});
	});

	test("half a frame: no key; when it stays so, a decision", async () => {
		const rig = unstickRig();
		const claude = fakeClaude(rig.doors, "w1");
		spawned(rig, "w1", "/w/proj");
		claude.set({
			dialog: trust("/w/proj", { options: ["No, exit"] }),
			transcript: [],
		});
		await rig.pass();
		expect(rig.names("decisions")).toEqual([]);
		await rig.pass();
		expect(claude.keys).toEqual([]);
		expect(rig.names("decisions")).toHaveLength(1);
	});

	test("a cursor that does not move gets five arrows and no Enter, and is handed on", async () => {
		const rig = unstickRig();
		const claude = fakeClaude(rig.doors, "w1");
		spawned(rig, "w1", "/w/proj");
		claude.set({ dialog: trust("/w/proj"), transcript: [], answers: false });
		for (let i = 0; i < 3; i++) await rig.pass();
		expect(claude.keys).toEqual(["Down", "Down", "Down", "Down", "Down"]);
		expect(rig.names("decisions")).toHaveLength(1);
	});

	test("an option that was chosen twice and stays is handed on", async () => {
		const rig = unstickRig();
		const claude = fakeClaude(rig.doors, "w1");
		spawned(rig, "w1", "/w/proj");
		const dialog = trust("/w/proj", { selected: 1 });
		claude.set({ dialog, transcript: [], answers: false });
		for (let i = 0; i < 4; i++) await rig.pass();
		expect(claude.keys).toEqual(["Enter", "Enter"]);
		expect(rig.names("decisions")).toHaveLength(1);
	});
});
