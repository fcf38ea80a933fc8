import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
	DECISION_ROW_RULING,
	decisionRowActionable,
	paneLineActionable,
} from "../../monitor/_emit/decision-gate.ts";
import {
	type DecisionFacts,
	decisionsIn,
	planDecisions,
} from "../../monitor/_emit/decisions-section.ts";
import { PANE_STATES } from "../../monitor/_pane/types.ts";
import {
	decisionFingerprint,
	parseDecision,
	parseDecisionName,
} from "../../monitor/_state/decisions.ts";
import { parseDecisionStamps } from "../../monitor/_state/decisions-emit.ts";
import { HUNG } from "../fakes/tmux.ts";
import { emitRig, STATE } from "./emit-rig.ts";

const FP = "f5a582351dfd";
const FP2 = "0894179b4af2";
const STAMPS = "pending-decisions-emit-state.tsv";
const file = (name: string) => join(STATE, "decisions", name);

test.each([
	["permission_prompt", "Allow Bash to run git push --force", FP],
	["idle_prompt", "Claude is waiting for your input", FP2],
])("fingerprint of a %s", (kind, message, fp) => {
	expect(decisionFingerprint("worker-A", kind, message)).toBe(fp);
});

test.each([
	[`w.${FP}.json`, { window: "w", fingerprint: FP, handled: false }],
	[`a.b.${FP}.json`, { window: "a.b", fingerprint: FP, handled: false }],
	[`${FP2}.${FP}.json`, { window: FP2, fingerprint: FP, handled: false }],
	[`w.${FP}.handled.json`, { window: "w", fingerprint: FP, handled: true }],
	[`w.${FP.toUpperCase()}.json`, null],
	[`${FP}.json`, null],
	["notes.json", null],
	[`w.${FP}.json.tmp.1`, null],
])("the name %s", (name, parsed) => {
	expect(parseDecisionName(name)).toEqual(parsed);
});

test.each([
	["a list", "[]"],
	["a number", "7"],
	["torn", '{"window":"w'],
	["empty", ""],
])("%s is no record", (_name, text) => {
	expect(parseDecision(text)).toBeNull();
});

test("a field of a wrong type counts as absent", () => {
	expect(parseDecision('{"window":7,"kind":null,"resolved":"true"}')).toEqual({
		window: "",
		fingerprint: "",
		kind: "",
		promptExcerpt: "",
		source: "",
		unresolved: false,
		resolved: false,
	});
});

describe("the pane gate", () => {
	test("every pane state has a ruling, and only states of somebody at work withhold", () => {
		expect(Object.keys(DECISION_ROW_RULING).sort()).toEqual(
			[...PANE_STATES].sort(),
		);
		expect(PANE_STATES.filter((s) => !decisionRowActionable(s, false))).toEqual(
			["working-background", "working-self-paced", "busy", "user-typing"],
		);
	});

	test.each([
		["state=busy", false],
		["state=working-background bg_shells=3", false],
		["state=busy queued=1", false],
		["state=idle queued=1", false],
		["state=blocked overlay=permission", true],
		["state=unknown", true],
		["state=empty", true],
		["state=not-yet-invented", true],
		["state=constructor", true],
		["refined_state=busy state=idle", true],
		["state=idle name=state=busy", true],
		["", true],
	])("%s", (line, emitted) => {
		expect(paneLineActionable(line)).toBe(emitted);
	});

	test("no line at all emits", () => {
		expect(paneLineActionable(null)).toBe(true);
	});
});

describe("the plan", () => {
	const pending = (window: string, kind = "permission_prompt") => ({
		window,
		fingerprint: FP,
		path: file(`${window}.${FP}.json`),
		record: {
			window,
			fingerprint: FP,
			kind,
			promptExcerpt: "?",
			source: "",
			unresolved: false,
			resolved: false,
		},
	});
	const shown = (deliveredAt: number) => [
		{ window: "w", fingerprint: FP, deliveredAt },
	];
	const facts = (part: Partial<DecisionFacts>): DecisionFacts => ({
		pending: [pending("w")],
		shown: [],
		liveWindows: new Set(["w"]),
		engaged: new Set(),
		now: 1000,
		cooldownSeconds: 300,
		skipDeadWindows: true,
		...part,
	});
	const rows: [string, Partial<DecisionFacts>, number, number][] = [
		["never shown", {}, 1, 0],
		["inside its cooldown", { shown: shown(701) }, 0, 1],
		["after its cooldown", { shown: shown(700) }, 1, 1],
		["stamped too far ahead to believe", { shown: shown(1301) }, 1, 1],
		[
			"of a dead window",
			{ liveWindows: new Set(["x"]), shown: shown(900) },
			0,
			0,
		],
		[
			"of a dead window, with the check off",
			{ liveWindows: new Set(["x"]), skipDeadWindows: false },
			1,
			0,
		],
		["when nobody could look at tmux", { liveWindows: null }, 1, 0],
		["when tmux listed nothing", { liveWindows: new Set() }, 1, 0],
		[
			"an idle prompt where the operator works",
			{
				pending: [pending("w", "idle_prompt")],
				engaged: new Set(["w"]),
				shown: shown(1),
			},
			0,
			0,
		],
		[
			"a permission prompt where the operator works",
			{ engaged: new Set(["w"]) },
			1,
			0,
		],
		["withheld, never shown: no stamp", { paneLine: () => "state=busy" }, 0, 0],
		[
			"withheld, shown before: the old stamp stays",
			{ paneLine: () => "state=busy", shown: shown(1) },
			0,
			1,
		],
		["with a pane that waits", { paneLine: () => "state=blocked" }, 1, 0],
		["with a pane that nobody could read", { paneLine: () => null }, 1, 0],
		["gone: its stamp goes", { pending: [], shown: shown(1) }, 0, 0],
	];
	test.each(rows)("a decision %s", (_name, part, due, kept) => {
		const plan = planDecisions(facts(part));
		expect(plan.rows).toHaveLength(due);
		expect(plan.keep).toHaveLength(kept);
		expect(plan.keep.every((s) => (part.shown ?? []).includes(s))).toBe(true);
	});

	test("the pane is asked only for due rows", () => {
		const asked: string[] = [];
		planDecisions(
			facts({
				shown: shown(900),
				pending: [pending("w"), pending("v")],
				liveWindows: new Set(["v", "w"]),
				paneLine: (window) => {
					asked.push(window);
					return null;
				},
			}),
		);
		expect(asked).toEqual(["v"]);
	});
});

describe("the rows", () => {
	test("have four lines each, in the order of their names", async () => {
		const rig = emitRig();
		rig.tmux.window("b.1");
		rig.tmux.window("a");
		rig.decide("b.1", FP, { unresolved: true, kind: "idle_prompt" });
		rig.decide("a", FP2, { prompt_excerpt: "\n  \n  Allow Bash? \nmore" });
		await rig.decisions();
		expect(rig.staged("pending_decisions")).toBe(
			[
				`window=a fp=${FP2} kind=permission_prompt unresolved=false`,
				"    prompt-excerpt=Allow Bash?",
				`    file=${file(`a.${FP2}.json`)}`,
				`    ack=ng decision-ack a ${FP2}`,
				`window=b.1 fp=${FP} kind=idle_prompt unresolved=true`,
				"    prompt-excerpt=Allow Bash?",
				`    file=${file(`b.1.${FP}.json`)}`,
				`    ack=ng decision-ack b.1 ${FP}`,
				"",
			].join("\n"),
		);
	});

	test.each([
		["160 characters stay", "x".repeat(160), "x".repeat(160)],
		["161 are cut to 157 and a mark", "x".repeat(161), `${"x".repeat(157)}…`],
		["control characters become blanks", "a\u001b[31mb\u0007c", "a [31mb c"],
		["a forged row stays inside its line", "x\u2028request=1", "x"],
	])("an excerpt: %s", async (_name, excerpt, expected) => {
		const rig = emitRig();
		rig.decide("orchestrator", FP, { prompt_excerpt: excerpt });
		await rig.decisions();
		expect(rig.staged("pending_decisions")).toContain(
			`    prompt-excerpt=${expected}\n`,
		);
	});

	test("a record that names no kind is of an unknown one", async () => {
		const rig = emitRig();
		rig.decide("orchestrator", FP, { kind: "" });
		await rig.decisions();
		expect(rig.staged("pending_decisions")).toStartWith(
			`window=orchestrator fp=${FP} kind=unknown unresolved=false\n`,
		);
	});

	test("are read back from a report, from their own section alone", () => {
		const row = (w: string) => `window=${w} fp=${FP} kind=x unresolved=false`;
		const body = [
			"--- idle workers ---",
			row("elsewhere"),
			"--- pending decisions ---",
			row("w"),
			row("two words"),
			"    prompt-excerpt=window=fake fp=x kind=y",
			"--- dashboard ---",
		].join("\n");
		expect(decisionsIn(body).map((d) => d.window)).toEqual(["w", "two words"]);
	});
});

describe("the life of a decision", () => {
	const due = async (rig: ReturnType<typeof emitRig>) => {
		await rig.decisions();
		return rig.staged("pending_decisions") !== "";
	};

	test("no folder: nothing is due, and no error", async () => {
		const rig = emitRig();
		expect(await rig.decisions()).toEqual({ rc: 0, out: "" });
	});

	test("it is staged at every run until it was delivered, and then not for its cooldown", async () => {
		const rig = emitRig();
		await rig.seed();
		rig.decide("orchestrator", FP);
		for (let i = 0; i < 3; i++) expect(await due(rig)).toBe(true);
		rig.ends.push(7);
		await rig.compose();
		expect(await due(rig)).toBe(true);
		await rig.compose();
		expect(rig.pasted).toHaveLength(1);
		expect(rig.staged("pending_decisions")).toBe("");
		expect(await due(rig)).toBe(false);
		rig.clock.stall(300_000);
		expect(await due(rig)).toBe(true);
	});

	test("it is withdrawn when it was acked or resolved before anybody saw it", async () => {
		const rig = emitRig();
		rig.decide("orchestrator", FP);
		expect(await due(rig)).toBe(true);
		rig.files.seed(file(`orchestrator.${FP}.handled.json`), "");
		expect(await due(rig)).toBe(false);
		rig.decide("orchestrator", FP2, { resolved: true });
		expect(await due(rig)).toBe(false);
		expect(rig.files.has(file(`orchestrator.${FP}.json`))).toBe(true);
	});

	test("the hook's record of a prompt that the watcher tells of waits for the watcher's next look, and no longer", async () => {
		const rig = emitRig();
		const prompt = { kind: "permission_prompt" };
		rig.decide("orchestrator", FP, { ...prompt, source: "watcher" });
		rig.decide("orchestrator", FP2, prompt);
		const told = async () => {
			await rig.decisions();
			return decisionsIn(
				`--- pending decisions ---\n${rig.staged("pending_decisions")}`,
			).map(({ fingerprint }) => fingerprint);
		};
		expect(await told()).toEqual([FP]);
		rig.clock.stall(15_000);
		expect((await told()).sort()).toEqual([FP2, FP]);
	});

	test.each([
		["its reviewer lives", 0, true, "idle_prompt", false],
		["its reviewer is gone", 0, false, "idle_prompt", true],
		["it touched its marker long ago", 601, true, "idle_prompt", true],
		["it stands before a prompt", 0, true, "permission_prompt", true],
	])(
		"of a worker that waits for its review, and %s",
		async (_name, age, isLive, kind, told) => {
			const rig = emitRig();
			rig.tmux.window("w.1");
			if (isLive) rig.tmux.window("w.1-skeptic");
			const mtime = rig.clock.now() - age;
			rig.files.seed(join(STATE, "skeptic/pending/w%2E1"), "1\n", { mtime });
			rig.decide("w.1", FP, { kind });
			expect(await due(rig)).toBe(told);
		},
	);

	test("with nothing pending the stamps are dropped", async () => {
		const rig = emitRig();
		rig.files.seed(join(STATE, STAMPS), `gone\t${FP}\t1000\n`);
		await rig.decisions();
		expect(rig.state(STAMPS)).toBe("");
	});

	test("two workers with one prompt are two decisions", async () => {
		const rig = emitRig();
		rig.tmux.window("w");
		rig.decide("orchestrator", decisionFingerprint("orchestrator", "k", "m"));
		rig.decide("w", decisionFingerprint("w", "k", "m"));
		await rig.decisions();
		expect(rig.staged("pending_decisions")?.match(/^window=/gm)).toHaveLength(
			2,
		);
	});
});

describe("reaping what a dead window left", () => {
	const old = (rig: ReturnType<typeof emitRig>, name: string, age: number) =>
		rig.files.seed(file(name), '{"kind":"x"}', {
			mtime: rig.clock.now() - age,
		});
	const setUp = (opts = {}) => {
		const rig = emitRig(opts);
		old(rig, `dead.${FP}.json`, 7200);
		old(rig, `dead.${FP2}.handled.json`, 900);
		old(rig, `dead.aaaaaaaaaaaa.json`, 899);
		old(rig, `orchestrator.${FP}.json`, 7200);
		old(rig, "malformed.json", 7200);
		return rig;
	};
	const left = (rig: ReturnType<typeof emitRig>) =>
		rig.files.paths(join(STATE, "decisions")).map((p) => p.split("/").at(-1));

	test("deletes its old records and tombstones, and nothing else", async () => {
		const rig = setUp();
		await rig.decisions();
		expect(left(rig)).toEqual([
			"dead.aaaaaaaaaaaa.json",
			"malformed.json",
			`orchestrator.${FP}.json`,
		]);
	});

	test.each([
		[
			"tmux did not answer",
			(rig: ReturnType<typeof emitRig>) => rig.tmux.fail("panes", HUNG),
		],
		[
			"tmux returned nothing",
			(rig: ReturnType<typeof emitRig>) => rig.tmux.model.restart(1),
		],
	])("never when %s", async (_name, breakTmux) => {
		const rig = setUp();
		breakTmux(rig);
		await rig.decisions();
		expect(left(rig)).toHaveLength(5);
	});

	test("never in the grace after a clock gap, nor when switched off", async () => {
		const rig = setUp();
		await rig.decisions({ afterGap: true });
		expect(left(rig)).toHaveLength(5);
		const off = setUp({ config: { MONITOR_PENDING_REAP_DEAD_WINDOWS: false } });
		await off.decisions();
		expect(left(off)).toHaveLength(5);
	});

	test("a delete that fails is said, in the log and not in the report", async () => {
		const rig = setUp();
		rig.files.faults.fail({
			path: file(`dead.${FP}.json`),
			ops: ["remove"],
			code: "EACCES",
		});
		await rig.decisions();
		expect(rig.log.messages().join()).toContain("reap FAILED");
		expect(rig.staged("pending_decisions")).not.toContain("reap FAILED");
	});
});

describe("bad input", () => {
	test.each([
		["zero bytes", ""],
		["torn", '{"window":"orch'],
		["not an object", "[1,2]"],
	])("a record of %s is set aside and reported, once", async (_name, text) => {
		const rig = emitRig();
		rig.files.seed(file(`orchestrator.${FP}.json`), text);
		await rig.decisions();
		await rig.decisions();
		expect(rig.files.paths(join(STATE, "decisions"))[0]).toMatch(
			/\.json\.damaged\.\d+$/,
		);
		expect(rig.state("watcher-alerts.log")?.match(/ WARN /g)).toHaveLength(1);
	});

	const unreadable: [
		string,
		(rig: ReturnType<typeof emitRig>, path: string) => void,
	][] = [
		[
			"of 10 MB",
			(rig, path) => rig.files.seed(path, `{"a":"${"x".repeat(10 << 20)}"}`),
		],
		["that is a FIFO", (rig, path) => rig.files.seedOther(path)],
		[
			"that is a symlink to somewhere else",
			(rig, path) => {
				rig.files.seed("/etc/secret.json", '{"prompt_excerpt":"secret"}');
				rig.files.seedLink("/etc/secret.json", path);
			},
		],
		[
			"that may not be read",
			(rig, path) => {
				rig.files.seed(path, "{}");
				rig.files.faults.fail({ path, ops: ["read"], code: "EACCES" });
			},
		],
	];
	test.each(unreadable)(
		"a record %s is shown by its name, never silenced, and its content never told",
		async (_name, plant) => {
			const rig = emitRig();
			plant(rig, file(`orchestrator.${FP}.json`));
			await rig.decisions();
			const out = rig.staged("pending_decisions") ?? "";
			expect(out).toContain(`window=orchestrator fp=${FP} kind=unknown`);
			expect(out).toContain("(the record could not be read)");
			expect(out).not.toContain("secret");
		},
	);

	test("a file whose name says nothing is believed by its content, or skipped", async () => {
		const rig = emitRig();
		rig.decide("x", "y", {});
		rig.files.seed(
			file("odd.json"),
			JSON.stringify({ window: "orchestrator", fingerprint: FP, kind: "k" }),
		);
		rig.files.seed(file("no-fp.json"), '{"window":"orchestrator"}');
		rig.files.seed(file("README"), "hello");
		await rig.decisions();
		expect(rig.staged("pending_decisions")?.match(/^window=.*/gm)).toEqual([
			`window=orchestrator fp=${FP} kind=k unresolved=false`,
		]);
	});

	test("control characters and blanks in a record cannot forge a field or a row", async () => {
		const rig = emitRig({
			config: { "monitor.pending_decisions.skip_dead_windows": false },
		});
		rig.files.seed(
			file("odd.json"),
			JSON.stringify({
				window: "w\nwindow=evil fp=1",
				fingerprint: FP,
				kind: "a b\nfp=x",
			}),
		);
		await rig.decisions();
		expect(rig.staged("pending_decisions")?.split("\n")[0]).toBe(
			`window=w window=evil fp=1 fp=${FP} kind=a_b_fp=x unresolved=false`,
		);
	});

	test("a folder that cannot be listed withdraws nothing", async () => {
		const rig = emitRig();
		rig.decide("orchestrator", FP);
		await rig.decisions();
		rig.files.faults.fail({
			path: join(STATE, "decisions"),
			ops: ["list"],
			code: "EIO",
		});
		expect((await rig.decisions()).rc).toBe(1);
		expect(rig.staged("pending_decisions")).toContain(FP);
	});

	test("stamps of 20 MB do not make a decision come back every cycle", async () => {
		const rig = emitRig();
		await rig.seed();
		rig.files.seed(join(STATE, STAMPS), "x".repeat(20 << 20));
		rig.decide("orchestrator", FP);
		for (let i = 0; i < 3; i++) await rig.cycle();
		expect(rig.tried).toHaveLength(1);
		expect(rig.state(STAMPS)).toContain(FP);
	});

	test("stamps: a torn line costs only itself, a foreign file is set aside, an unreadable one is not replaced", async () => {
		expect(
			parseDecisionStamps(`w\t${FP}\t1000\nw\t${FP2}\t10x\nw\t${FP}`),
		).toHaveLength(1);
		const rig = emitRig();
		rig.decide("orchestrator", FP);
		rig.files.seed(join(STATE, STAMPS), "\u0000garbage");
		await rig.decisions();
		expect(rig.staged("pending_decisions")).toContain(FP);
		expect(rig.files.paths(STATE).join()).toContain(`${STAMPS}.damaged.`);
		rig.files.seed(join(STATE, STAMPS), `orchestrator\t${FP}\t5\n`);
		rig.files.faults.fail({
			path: join(STATE, STAMPS),
			ops: ["read"],
			code: "EIO",
			times: 1,
		});
		await rig.decisions();
		expect(rig.state(STAMPS)).toBe(`orchestrator\t${FP}\t5\n`);
	});
});
