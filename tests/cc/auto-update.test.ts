/** The nightly evaluation: when it fires, and what becomes of it. */
import { describe, expect, test } from "bun:test";
import { ccDecisionsPath } from "../../monitor/_state/cc-decisions.ts";
import { writeLastEval } from "../../monitor/_state/cc-last-eval.ts";
import type { UpdateVerdict } from "../../monitor/_state/cc-update-available.ts";
import { readCcUpdateSurfaced } from "../../monitor/_state/cc-update-surfaced.ts";
import { isDue } from "../../monitor/watcher/_cc_auto_update/decide.ts";
import { fillTemplate } from "../../monitor/watcher/_cc_auto_update/prompt.ts";
import {
	ccAutoUpdateTask,
	ccAutoUpdateTick,
} from "../../monitor/watcher/_cc_auto_update.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { emitRig, ROOT, STATE } from "../emit/emit-rig.ts";

describe("due: past the fire time, and not yet today", () => {
	test.each([
		["03:59", "04:00", null, false],
		["04:00", "04:00", null, true],
		["23:59", "04:00", "2027-01-14", true],
		["04:05", "04:00", "2027-01-15", false],
		["10:00", "22:30", null, false],
		["22:29", "22:30", null, false],
		["22:30", "22:30", null, true],
		["03:59", "25:00", null, false],
		["04:00", "25:00", null, true],
		["04:00", "", null, true],
	] as const)("at %s with %p, last %p: %p", (at, fireTime, lastFired, due) => {
		const iso = `2027-01-15T${at}:12+01:00`;
		expect(isDue({ iso, fireTime, lastFired })).toBe(due);
	});
});

const NEWER: UpdateVerdict = {
	kind: "available",
	candidate: "2.1.400",
	installed: "2.1.332",
};
const TEMPLATE = `${ROOT}/monitor/cc-auto-update-prompt.md`;
const FIRED = `${STATE}/cc-auto-update/last-fire-date`;

function night(verdict: UpdateVerdict = NEWER) {
	const r = emitRig({
		config: { "monitor.cc_auto_update.fire_time": "00:00" },
	});
	const { files, proc, tmux } = r.doors;
	files.seed(TEMPLATE, "try {{CANDIDATE}} against {{INSTALLED}}, {{NOBODY}}\n");
	proc.answer(/spawn-worker/, 0);
	let looks = 0;
	let during = () => {};
	const run = {
		signal: new AbortController().signal,
		afterGap: false,
		log: () => {},
		doors: r.doors,
	};
	return {
		files,
		proc,
		tmux,
		looks: () => looks,
		/** Happens while the registry is asked. */
		onLook: (act: () => void) => {
			during = act;
		},
		tick: () =>
			ccAutoUpdateTick(run, r.ctx, async () => {
				looks++;
				during();
				return verdict;
			}),
		spawns: () => proc.execs.filter(({ argv }) => argv.includes("-n")),
		audit: () =>
			files.has(ccDecisionsPath(STATE))
				? files
						.text(ccDecisionsPath(STATE))
						.trim()
						.split("\n")
						.map((line) => line.split("\t").slice(1).join(" | "))
				: [],
		isStamped: () => files.has(FIRED),
	};
}

describe("what becomes of a night", () => {
	test("a newer release: stamped, surfaced, and an evaluator is spawned once", async () => {
		const n = night();
		await n.tick();
		await n.tick();
		expect(n.spawns()).toHaveLength(1);
		const argv = n.spawns()[0]!.argv.slice(-6);
		const prompt = argv.at(-1)!;
		expect(argv).toEqual(["-n", "cc-auto-update", "-c", ROOT, "-p", prompt]);
		expect(n.files.text(prompt)).toBe(
			"try 2.1.400 against 2.1.332, {{NOBODY}}\n",
		);
		expect(readCcUpdateSurfaced(n.files, STATE)).toBe("2.1.400");
		expect(n.audit()).toEqual(["2.1.400 | spawned | installed 2.1.332"]);
	});

	test("the prompt is told everything that its template may ask for", async () => {
		const n = night();
		const keys =
			"CANDIDATE INSTALLED NEXUS_ROOT STATE_DIR DATE SURFACE_REPO TRACKING_ISSUE GUIDE".split(
				" ",
			);
		n.files.seed(TEMPLATE, keys.map((key) => `{{${key}}}\n`).join(""));
		await n.tick();
		const prompt = n.spawns()[0]?.argv.at(-1) ?? "";
		const date = /eval-prompt-(\d{4}-\d\d-\d\d)\.md$/.exec(prompt)?.[1];
		const [candidate, installed, root, state, day, repo, issue, guide] = n.files
			.text(prompt)
			.split("\n");
		expect([candidate, installed, root, state, day]).toEqual([
			"2.1.400",
			"2.1.332",
			ROOT,
			STATE,
			date,
		]);
		expect(repo).toMatch(/^\S+\/\S+$/);
		expect(issue).toBe("none");
		expect(guide).toStartWith(`${ROOT}/skills/`);
	});

	test("a spawn that fails is not tried again today", async () => {
		const n = night();
		n.proc.answer(/spawn-worker/, { rc: 12, stderr: "x\nno window\n" });
		await n.tick();
		await n.tick();
		expect(n.spawns()).toHaveLength(1);
		expect(n.audit()).toEqual(["2.1.400 | spawn-failed | rc=12 no window"]);
	});

	test("an evaluator at work: today is done, and the registry is not asked", async () => {
		const n = night();
		n.tmux.window("cc-auto-update");
		await n.tick();
		expect(n.looks()).toBe(0);
		expect(n.isStamped()).toBe(true);
		expect(n.audit()).toEqual([
			"- | skipped-window-alive | the last evaluator is still at work",
		]);
	});

	test("its dead window is ended, by id, before a new one starts", async () => {
		const n = night();
		n.tmux.window("cc-auto-update").pane.dead = "1";
		await n.tick();
		const names = n.tmux.model.rows().map((row) => row.windowName);
		expect(names).not.toContain("cc-auto-update");
		expect(n.spawns()).toHaveLength(1);
	});

	test("its window that came to life while the registry was asked is not ended", async () => {
		const n = night();
		const { pane } = n.tmux.window("cc-auto-update");
		pane.dead = "1";
		n.onLook(() => {
			pane.dead = "0";
		});
		await n.tick();
		const names = n.tmux.model.rows().map((row) => row.windowName);
		expect(names).toContain("cc-auto-update");
		expect(n.spawns()).toEqual([]);
	});

	test("tmux that does not answer: tried again at the next tick", async () => {
		const n = night();
		n.tmux.fail("panes", { kind: "hung" });
		await n.tick();
		expect(n.isStamped()).toBe(false);
		expect(n.looks()).toBe(0);
	});

	test.each([
		[{ kind: "current", installed: "2.1.332" }, true],
		[{ kind: "unreachable" }, false],
		[{ kind: "unknown" }, false],
	] as const)("%p: stamped %p, nothing told", async (verdict, stamped) => {
		const n = night(verdict);
		await n.tick();
		expect(n.isStamped()).toBe(stamped);
		expect(n.audit()).toEqual([]);
		expect(n.spawns()).toEqual([]);
	});

	test.each(["block", "compat-pr-opened", "compat-pr-commented"])(
		"a candidate whose last word is %s waits for the operator",
		async (decision) => {
			const n = night();
			const last = { candidate: "2.1.400", decision, detail: "", ts: 1 };
			writeLastEval(n.files, STATE, last);
			await n.tick();
			expect(n.audit()).toEqual([
				"2.1.400 | skipped-awaiting-operator | judged already",
			]);
		},
	);

	test("another candidate's block holds nobody up", async () => {
		const n = night();
		writeLastEval(n.files, STATE, {
			candidate: "2.1.399",
			decision: "block",
			detail: "",
			ts: 1,
		});
		await n.tick();
		expect(n.spawns()).toHaveLength(1);
	});

	test("without a template nothing is spawned", async () => {
		const n = night();
		n.files.remove(TEMPLATE);
		await n.tick();
		expect(n.audit()).toEqual([
			"2.1.400 | spawn-failed | the prompt's template is missing",
		]);
	});

	test("a prompt that cannot be written starts nothing, and that is on record", async () => {
		const n = night();
		n.files.faults.fail({
			path: /eval-prompt/,
			ops: ["write"],
			code: "ENOSPC",
		});
		await n.tick();
		expect(n.spawns()).toEqual([]);
		expect(n.audit()).toEqual([
			"2.1.400 | spawn-failed | the prompt could not be read or written",
		]);
	});

	test("a day that cannot be stamped starts nothing: it would start it at every tick", async () => {
		const n = night();
		n.files.seed(`${STATE}/cc-auto-update`, "a file in the folder's place");
		await n.tick();
		expect(n.spawns()).toEqual([]);
	});
});

test("the task is there only when it is enabled, at its cadence", () => {
	const task = ccAutoUpdateTask(async () => NEWER);
	expect(task.enabled?.(watcherConfig())).toBe(false);
	expect(task.intervalSeconds(watcherConfig())).toBe(300);
});

test("a value is filled in as it stands, and never filled in again", () => {
	expect(fillTemplate("{{A}} {{B}}", { A: "{{B}} $&", B: "b" })).toBe(
		"{{B}} $& b",
	);
});
