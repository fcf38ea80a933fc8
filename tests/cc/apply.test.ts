/** A candidate is promoted when its proof is good, and otherwise nothing has changed. */
import { describe, expect, test } from "bun:test";
import { parseApplyArgs } from "../../monitor/_cc-apply/args.ts";
import type { ApplyHands } from "../../monitor/_cc-apply/context.ts";
import {
	type Check,
	evidenceFlaw,
	renderEvidence,
} from "../../monitor/_cc-apply/evidence.ts";
import { runApply } from "../../monitor/_cc-apply/run.ts";
import {
	applyLockPath,
	evidencePath,
} from "../../monitor/_state/cc-auto-update.ts";
import { ccDecisionsPath } from "../../monitor/_state/cc-decisions.ts";
import {
	awaitsOperator,
	readLastEval,
} from "../../monitor/_state/cc-last-eval.ts";
import { holds } from "../../monitor/_state/cc-restart-hold.ts";
import { ccUpdateAvailablePath } from "../../monitor/_state/cc-update-available.ts";
import { ccVersionLocalPath } from "../../monitor/_state/cc-version-local.ts";
import { readSettings } from "../../monitor/_state/settings.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { REFUSED } from "../fakes/tmux.ts";

const S = "/n/monitor/.state";
const V = "2.1.400";
const PIN = ccVersionLocalPath(S);
const GOOD: Check = { name: "idle", isGood: true, detail: "idle" };
const BAD: Check = { name: "busy", isGood: false, detail: "unknown\na screen" };

async function machine(hands: Partial<ApplyHands> = {}) {
	const doors = fakeDoors({
		now: 1_800_000_000,
		auto: true,
		proc: { env: { HOME: "/h", NEXUS_ROOT: "/n" } },
	});
	const { files } = doors;
	files.seedDir(S);
	files.seed(
		"/code/package.json",
		JSON.stringify({
			dependencies: { "@anthropic-ai/claude-code": "2.1.332" },
		}),
	);
	const settings = await readSettings(doors, "/code", false);
	const out: string[] = [];
	const err: string[] = [];
	const called: string[] = [];
	const apply = (...argv: string[]) =>
		runApply(argv, {
			doors,
			settings,
			out: (line) => out.push(line),
			err: (line) => err.push(line),
			hands: {
				beside: async () => {
					called.push("beside");
					return { kind: "ok", binary: "/beside/claude" };
				},
				prove: async () => {
					called.push("prove");
					return [GOOD];
				},
				install: async () => {
					called.push(`install ${files.text(PIN).trim()}`);
					return { kind: "installed" };
				},
				...hands,
			},
		});
	return {
		doors,
		files,
		out,
		err,
		called,
		apply,
		safe: (...more: string[]) => apply("safe", "--candidate", V, ...more),
		pin: () => (files.has(PIN) ? files.text(PIN).trim() : null),
		decisions: () =>
			files
				.text(ccDecisionsPath(S))
				.trim()
				.split("\n")
				.map((line) => line.split("\t").slice(1)),
	};
}

describe("safe", () => {
	test("good proof: evidence, pin, install, and the signal goes", async () => {
		const m = await machine();
		m.files.seed(ccUpdateAvailablePath(S), `candidate=${V}\n`);
		expect(await m.safe()).toBe(0);
		expect(m.called).toEqual(["beside", "prove", `install ${V}`]);
		expect(m.files.text(evidencePath(S, V))).toContain(`GATE GREEN ${V}`);
		expect(m.files.has(ccUpdateAvailablePath(S))).toBe(false);
		expect(m.decisions()).toEqual([[V, "promoted", "before: the floor"]]);
	});

	test("a check that fails: the evidence shows it, and the pin stays", async () => {
		const m = await machine({ prove: async () => [GOOD, BAD] });
		expect(await m.safe()).toBe(3);
		expect(m.pin()).toBeNull();
		const evidence = m.files.text(evidencePath(S, V));
		expect(evidence).toContain("- FAILED: busy\n      unknown\n      a screen");
		expect(evidence).toContain(`GATE RED ${V}`);
		expect(m.decisions()[0]?.[1]).toBe("gate-red");
		// A red gate is no operator's word: the next night may try again.
		expect(awaitsOperator(readLastEval(m.files, S), V)).toBe(false);
	});

	describe("waits while more agents run than it may", () => {
		/** As many live windows that were spawned as it says, and one of each other kind. */
		const fleet = async (agents: number) => {
			const m = await machine();
			const spawned = (name: string) => {
				m.files.seed(`${S}/windows/${name}.json`, "{}");
				return m.doors.tmux.window(name);
			};
			for (let n = 0; n < agents; n++) spawned(`w${n}`);
			spawned("dead").pane.dead = "1";
			m.doors.tmux.window("the-operators-own");
			return m;
		};
		test.each([
			[8, 0],
			[9, 30],
		])("%d: exit %d", async (agents, rc) => {
			const m = await fleet(agents);
			expect(await m.safe()).toBe(rc);
			expect(m.pin()).toBe(rc === 0 ? V : null);
			expect(m.called.length > 0).toBe(rc === 0);
		});
		test("does not count whoever asks", async () => {
			const m = await fleet(9);
			m.doors.proc.env.NEXUS_WORKER_WINDOW = "w3";
			expect(await m.safe()).toBe(0);
		});
		test("waits for nobody without a tmux that answers", async () => {
			const m = await fleet(9);
			m.doors.tmux.fail("panes", REFUSED);
			expect(await m.safe()).toBe(0);
		});
	});

	test("a proof without a single check is none", async () => {
		const m = await machine({ prove: async () => [] });
		expect(await m.safe()).toBe(3);
		expect(m.pin()).toBeNull();
	});

	test("what cannot be installed beside changes nothing", async () => {
		const m = await machine({
			beside: async () => ({ kind: "failed", why: "no network" }),
		});
		expect(await m.safe()).toBe(4);
		expect([m.pin(), m.called]).toEqual([null, []]);
	});

	for (const [stage, exit] of [
		["npm", 4],
		["verify", 5],
	] as const)
		for (const before of [null, "2.1.350"])
			test(`an install that fails (${stage}) puts the pin back to ${before ?? "none"}`, async () => {
				const m = await machine({
					install: async () => ({ kind: "failed", stage, why: "no" }),
				});
				if (before !== null) m.files.seed(PIN, `${before}\n`);
				expect(await m.safe()).toBe(exit);
				expect(m.pin()).toBe(before);
				expect(m.err).toEqual(["no; rolled back"]);
				expect(m.decisions()[0]?.[1]).toBe(`${stage}-failed`);
			});

	test("evidence made elsewhere stands for the proof", async () => {
		const m = await machine();
		m.files.seed("/e.md", `all well\nGATE GREEN ${V}\n`);
		expect(await m.safe("--evidence", "/e.md")).toBe(0);
		expect(m.called).toEqual([`install ${V}`]);
	});

	test("already there, held, blocked, or another apply at work: refused before anything is fetched", async () => {
		const there = await machine();
		there.files.seed(PIN, V);
		expect(await there.safe()).toBe(24);

		const held = await machine();
		await held.apply("hold", "--reason", "demo day", "--hours", "2");
		expect(await held.safe()).toBe(25);
		await held.doors.clock.sleep(7_200_000);
		expect(await held.safe()).toBe(0);

		const blocked = await machine();
		await blocked.apply("block", "--candidate", V, "--reason", "no hooks");
		expect(await blocked.safe()).toBe(3);
		expect(blocked.err).toEqual([`${V} is blocked: no hooks`]);

		const busy = await machine();
		busy.doors.locks.takenElsewhere(applyLockPath(S), "");
		expect(await busy.safe()).toBe(7);
		for (const m of [there, blocked, busy]) expect(m.called).toEqual([]);
	});
});

describe("evidence", () => {
	const green = `x\nGATE GREEN ${V}\n`;
	test.each([
		[green, 0, null],
		[green, 86_400, null],
		[green, 86_401, "older than a day"],
		[green, null, "older than a day"],
		[null, 0, "cannot be read"],
		[`GATE RED ${V}`, 0, "does not hold GATE GREEN"],
		["GATE GREEN 2.1.4001", 0, `does not name ${V}`],
		["GATE GREEN 12.1.400", 0, `does not name ${V}`],
	])("%j aged %p: %p", (text, age, flaw) => {
		const found = evidenceFlaw(text, age, V);
		if (flaw === null) expect(found).toBeNull();
		else expect(found).toContain(flaw);
	});

	test("what is rendered is what is read", () => {
		const made = (checks: readonly Check[]) =>
			renderEvidence({ candidate: V, installed: "1.0.0", iso: "now", checks });
		expect(evidenceFlaw(made([GOOD]), 0, V)).toBeNull();
		expect(evidenceFlaw(made([GOOD, BAD]), 0, V)).not.toBeNull();
	});
});

describe("holds", () => {
	const hold = { reason: "r", ts: 0, expires: null, untilVersion: null };
	test.each([
		[null, false],
		[hold, true],
		[{ ...hold, expires: 99 }, false],
		[{ ...hold, expires: 101 }, true],
		[{ ...hold, untilVersion: "2.1.401" }, true],
		[{ ...hold, untilVersion: V }, false],
		[{ ...hold, untilVersion: "2.1.9" }, false],
	])("%j: %p", (found, held) => {
		expect(holds(found, 100, V)).toBe(held);
	});

	test("are shown with 25 and taken away", async () => {
		const m = await machine();
		expect(await m.apply("hold-status")).toBe(0);
		await m.apply("hold", "--reason", "demo", "--until-version", "2.2.0");
		expect(await m.apply("hold-status")).toBe(25);
		expect(m.out.at(-1)).toBe("held: demo; until version 2.2.0");
		expect(await m.apply("unhold")).toBe(0);
		expect(await m.apply("hold-status")).toBe(0);
	});

	test("one that cannot be read holds", async () => {
		const m = await machine();
		m.files.seed(`${S}/cc-auto-update/restart-hold`, "");
		expect(await m.safe()).toBe(25);
	});
});

test.each([
	[["safe"], "--candidate"],
	[["safe", "--candidate", "latest"], "--candidate"],
	[["safe", "--candidate", "1.2.3; rm"], "--candidate"],
	[["block", "--candidate", V], "--reason"],
	[["record-outcome", "--candidate", V, "--decision", "No Good"], "--decision"],
	[["hold", "--reason", "x", "--hours", "0"], "--hours"],
	[["compat-pr"], "not built"],
	[["restart"], "unknown verb"],
	[[], "unknown verb"],
])("%j is refused", (argv, why) => {
	const request = parseApplyArgs(argv);
	expect(request.kind === "refused" && request.message).toContain(why);
});

test("a blocked candidate waits for the operator", async () => {
	const m = await machine();
	expect(
		await m.apply("block", "--candidate", V, "--reason", "tabs\tand\nlines"),
	).toBe(0);
	expect(awaitsOperator(readLastEval(m.files, S), V)).toBe(true);
	expect(m.decisions()).toEqual([[V, "block", "tabs and lines"]]);
});
