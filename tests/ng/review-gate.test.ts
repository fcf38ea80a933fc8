/** Who reviews a hand-off, and when it may go on (contract 08 §6.5, §7; 05 §8.2 step 0b). */
import { afterEach, describe, expect, test } from "bun:test";
import type { ReviewArguments } from "../../monitor/_ng/wrap-up/review-arguments.ts";
import {
	decideReview,
	type ReviewFacts,
} from "../../monitor/_ng/wrap-up/review-gate.ts";
import { appendEvent } from "../../monitor/_state/action-log-append.ts";
import { renderProvenance } from "../../monitor/_state/window-provenance.ts";
import { OPERATOR, REPO } from "../github/rig.ts";
import { type HubRig, hubRig, S } from "./hub-rig.ts";

const NOTHING: ReviewArguments = {
	decision: null,
	rationale: "",
	waive: "",
	newRound: false,
	role: false,
	target: "",
	orig: "",
	verdict: null,
	depth: null,
	findings: null,
	contradicted: null,
};
const AUTO = {
	mode: "auto",
	depth: 0,
	role: false,
	target: "",
	orig: "",
} as const;
const REVIEWER = { ...AUTO, role: true, depth: 1, target: "w", orig: "w" };

function decide(
	asked: Partial<ReviewArguments>,
	over: Partial<ReviewFacts> = {},
) {
	return decideReview({
		asked: { ...NOTHING, ...asked },
		window: "me",
		record: AUTO,
		isRoundOpen: false,
		rounds: 0,
		enforceAuto: true,
		rewrapGuard: true,
		threshold: 1,
		maxDepth: 3,
		...over,
	});
}
const because = { rationale: "r" };

describe("the gate", () => {
	test.each([
		["auto, nothing said", {}, {}, "refused"],
		["auto, nothing said, not enforced", {}, { enforceAuto: false }, "none"],
		["a window of the operator's", {}, { record: null }, "none"],
		["no, with a reason", { decision: "no", ...because }, {}, "declined"],
		[
			"no, without one",
			{ decision: "no" },
			{},
			"refused: --skeptic-decision needs a --skeptic-rationale",
		],
		["yes", { decision: "yes", ...because }, {}, "wanted"],
		["required", {}, { record: { ...AUTO, mode: "require" } }, "wanted"],
		[
			"required, and no",
			{ decision: "no", ...because },
			{ record: { ...AUTO, mode: "require" } },
			"refused: a review was ordered for this window; --skeptic-waive",
		],
		[
			"required, and waived",
			{ waive: "trivial" },
			{ record: { ...AUTO, mode: "require" } },
			"declined: waived: trivial",
		],
		["denied", {}, { record: { ...AUTO, mode: "deny" } }, "none"],
		[
			"denied, and yes",
			{ decision: "yes", ...because },
			{ record: { ...AUTO, mode: "deny" } },
			"refused: this window was started without a review (--skeptic deny)",
		],
		[
			"a round is open",
			{ decision: "yes", ...because },
			{ isRoundOpen: true },
			"refused",
		],
		[
			"a round is open, unguarded",
			{ decision: "yes", ...because },
			{ isRoundOpen: true, rewrapGuard: false },
			"none",
		],
		[
			"another round",
			{ decision: "yes", newRound: true, ...because },
			{ isRoundOpen: true },
			"wanted",
		],
		[
			"as deep as it goes",
			{ decision: "yes", ...because },
			{ record: { ...AUTO, depth: 3 } },
			"declined: there were 3 rounds already",
		],
		[
			"another round after the last",
			{ decision: "yes", newRound: true, ...because },
			{ isRoundOpen: true, rounds: 3 },
			"declined",
		],
		[
			"a verdict without the role",
			{ verdict: "refuted", findings: 1 },
			{},
			"refused: a verdict is a reviewer's: --skeptic-role is missing",
		],
		[
			"a reviewer without a verdict",
			{},
			{ record: REVIEWER },
			"refused: a reviewer's hand-off needs --skeptic-verdict",
		],
		[
			"a reviewer whom nobody told of whom",
			{ role: true, verdict: "confirmed", findings: 0 },
			{},
			"refused: --skeptic-target is missing",
		],
		[
			"a reviewer's verdict",
			{ verdict: "confirmed", findings: 0 },
			{ record: REVIEWER },
			"verdict",
		],
		[
			"more contradictions than findings",
			{ verdict: "refuted", findings: 1, contradicted: 2 },
			{ record: REVIEWER },
			"refused: --skeptic-contradicted counts some of the findings",
		],
		[
			"a reviewed worker's verdict on itself",
			{ role: true, target: "me", verdict: "confirmed", findings: 0 },
			{},
			"refused: a verdict on one's own work is none",
		],
		[
			"a verdict on the work that one's own came from",
			{ verdict: "confirmed", findings: 0 },
			{ record: { ...REVIEWER, orig: "me" } },
			"refused",
		],
		[
			"a reviewer who decides",
			{ decision: "no", ...because },
			{ record: REVIEWER },
			"refused: a reviewer gives a verdict, not a --skeptic-decision",
		],
	] as [string, Partial<ReviewArguments>, Partial<ReviewFacts>, string][])(
		"%s",
		(_name, asked, over, says) => {
			const plan = decide(asked, over);
			const why =
				"why" in plan ? plan.why : "reason" in plan ? plan.reason : "";
			expect(`${plan.kind}: ${why}`).toStartWith(says);
		},
	);

	test("each round of one worker is deeper than the one before", () => {
		const again = { decision: "yes", newRound: true, ...because } as const;
		const depths = [0, 1, 2].map((rounds) =>
			decide(again, { rounds, isRoundOpen: rounds > 0 }),
		);
		expect(depths).toMatchObject([{ depth: 1 }, { depth: 2 }, { depth: 3 }]);
	});

	test("the last round ends with its verdict, although the reviewer was started without its depth", () => {
		const verdict = { verdict: "partial", findings: 2 } as const;
		const record = { ...REVIEWER, depth: 0 };
		expect(decide(verdict, { record, rounds: 3 })).toMatchObject({
			closes: true,
		});
	});

	test.each([
		[0, 1, true],
		[1, 1, false],
		[1, 3, true],
	])("%i findings at depth %i: over %p", (findings, depth, closes) => {
		const plan = decide(
			{ verdict: "partial", findings },
			{ record: { ...REVIEWER, depth } },
		);
		expect(plan).toMatchObject({ closes });
	});
});

describe("wrap-up", () => {
	const open: HubRig[] = [];
	afterEach(async () => {
		for (const rig of open.splice(0)) await rig.close();
	});
	const REPORT = "/n/reports/hub_2026-07-25_100000_x.md";
	const text = `---\nproject: hub\ndate: 2026-07-25\nsession-id: 1\nstatus: completed\n---\n\n# X\n\n${["Summary", "What Was Done", "Current State", "What Remains", "How to Resume"].map((h) => `## ${h}\n\n${"It was done so. ".repeat(15)}\n`).join("\n")}`;

	function workerRig(
		record: Parameters<typeof renderProvenance>[0]["skeptic"],
	) {
		const rig = hubRig();
		open.push(rig);
		const { acts } = rig.standIn;
		acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
		acts.commitFile(REPO, "README.md", "hi");
		const { files, proc, tmux } = rig.doors;
		files.seed(REPORT, text);
		Object.assign(proc.env, {
			TMUX: "/t,1,0",
			TMUX_PANE: tmux.window("w").pane.id,
		});
		files.seed(
			`${S}/windows/w.json`,
			renderProvenance({
				window: "w",
				sessionId: "sid",
				kind: "task",
				workdir: "/w",
				promptFile: "/p.md",
				topic: "t",
				spawnedAt: "",
				lastActivityRef: "",
				skeptic: record,
			}),
		);
		return {
			...rig,
			wrap: (...more: string[]) => rig.ng("wrap-up", "1", REPORT, ...more),
			textOf: (path: string) => {
				const found = files.read(path);
				return found.kind === "ok" ? found.text : null;
			},
			requests: () =>
				files.paths(`${S}/requests`).filter((p) => p.endsWith(".new.md")),
		};
	}

	test("of an undecided worker is refused before anything happens, and says what to add", async () => {
		const rig = workerRig(AUTO);
		const ran = await rig.wrap();
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("--skeptic-decision no --skeptic-rationale");
		expect(rig.writes()).toEqual([]);
		expect(rig.events()).toEqual([]);
	});

	test("with yes files one request, marks the window, and a second one is refused", async () => {
		const rig = workerRig(AUTO);
		const yes = ["--skeptic-decision", "yes", "--skeptic-rationale", "sums"];
		const ran = await rig.wrap(...yes);
		expect(ran).toMatchObject({ rc: 0 });
		expect(ran.out).toMatch(/\nreview: asked for \(request \S+-w-review\)/);
		const [path = ""] = rig.requests();
		const request = rig.textOf(path) ?? "";
		expect(request).toContain("\norigin: w\nkind: spawn-skeptic\n");
		expect(request).toContain("\npriority: normal\n");
		const body = request.split("Review the work of window w.\n\n").at(-1) ?? "";
		const url = (line: string) => line.replace(/: https?:\S+$/, ": <url>");
		expect(body.trimEnd().split("\n").map(url)).toEqual([
			`issue: ${REPO}#1`,
			"trigger-comment: none",
			`report: ${REPORT}`,
			"report-url: <url>",
			"comment-url: <url>",
			"worker-prompt: /p.md",
			"window: w",
			"session: sid",
			"depth: 1",
			"orig: w",
			"mode: auto",
			"deliberate: true",
			"rationale: sums",
		]);
		expect(rig.events()[0]).toMatchObject({
			skeptic: "asked",
			"skeptic-depth": "1",
			"skeptic-rationale": "sums",
		});
		expect(rig.textOf(`${S}/skeptic/pending/w`)).toBe("1\n");
		const again = await rig.wrap(...yes);
		expect(again).toMatchObject({ rc: 1 });
		expect(again.err).toContain("--skeptic-new-round");
		expect(rig.requests()).toHaveLength(1);
	});

	test.each([
		["resume", 1],
		["", 0],
	])("after a start of mode %p in its window: exit %i", async (mode, rc) => {
		const rig = workerRig(AUTO);
		const yes = ["--skeptic-decision", "yes", "--skeptic-rationale", "sums"];
		expect(await rig.wrap(...yes)).toMatchObject({ rc: 0 });
		await rig.doors.clock.advance(1000);
		appendEvent(rig.doors, S, {
			agent: "monitor",
			event: "spawn",
			extras: [["window", "w"], ...(mode ? [["mode", mode] as const] : [])],
		});
		expect(await rig.wrap(...yes)).toMatchObject({ rc });
	});

	test("with no is a hand-off whose reason goes on record", async () => {
		const rig = workerRig(AUTO);
		const no = ["--skeptic-decision", "no", "--skeptic-rationale", "trivial"];
		const ran = await rig.wrap(...no);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain("\nreview: declined (trivial)");
		expect(rig.events()[0]).toMatchObject({
			skeptic: "declined",
			"skeptic-rationale": "trivial",
		});
		expect(rig.requests()).toEqual([]);
	});

	test("that was ordered may be waived, with a reason that goes on record", async () => {
		const rig = workerRig({ ...AUTO, mode: "require" });
		expect((await rig.wrap("--skeptic-waive", " trivial ")).rc).toBe(0);
		expect(rig.events()[0]).toMatchObject({
			skeptic: "declined",
			"skeptic-rationale": "waived: trivial",
		});
	});

	const REVIEW = [
		...["--skeptic-role", "--skeptic-target", " t ", "--skeptic-orig", "o"],
		...["--skeptic-verdict", "confirmed", "--skeptic-depth", "2"],
		...["--skeptic-contradicted", "1", "--skeptic-findings"],
	];
	test.each([
		["2", "another round: the reviewed worker answers, and wraps up with"],
		["1", "another round: "],
	])("of a reviewer who says all of it, %s findings", async (findings, end) => {
		const rig = workerRig(AUTO);
		const ran = await rig.wrap(...REVIEW, findings);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain(
			`\nreview: confirmed, ${findings} finding(s) on t; ${end}`,
		);
		expect(rig.events()[0]).toMatchObject({
			skeptic: "verdict",
			"skeptic-target": "t",
			"skeptic-orig": "o",
			"skeptic-verdict": "confirmed",
			"skeptic-depth": "2",
			"skeptic-findings": findings,
			"skeptic-contradicted": "1",
		});
		const path = `${S}/skeptic/t/req-001-verdict-2.open.md`;
		expect(rig.textOf(path)).toBe(
			[
				`The verdict of round 2: confirmed, ${findings} finding(s), 1 of them against your report.`,
				"",
				`The findings are in ${REPORT}.`,
				"",
				"Mend what is right of it, answer this question with what you did, and wrap up again with --skeptic-new-round.",
				"",
			].join("\n"),
		);
	});

	test.each([
		["the end of it", "0", /DONE/],
		["the call for another round", "2", /verdict-1/],
	])(
		"%s that cannot be written is a failure of the review",
		async (_, findings, path) => {
			const rig = workerRig({ ...REVIEWER, target: "t", orig: "t" });
			rig.doors.files.seed(`${S}/skeptic/pending/t`, "1\n");
			const ops = ["write", "rename"] as const;
			rig.doors.files.faults.fail({ path, ops, code: "EROFS" });
			const verdict = ["--skeptic-verdict", "partial"];
			const ran = await rig.wrap(...verdict, "--skeptic-findings", findings);
			expect(ran.rc).toBe(1);
			expect(ran.err).toMatch(/\n {2}review: t: .*EROFS/);
		},
	);

	test.each([
		["whose report is not up", /git\/blobs$/],
		["of which the thread was not told", /^POST .*issues\/1\/comments$/],
		["whose trigger is still open", /reactions$/],
	])("%s asks for no review yet; the repeated one does", async (_, on) => {
		const rig = workerRig(AUTO);
		const trigger = rig.standIn.acts.comment(REPO, 1, OPERATOR, "Do it.");
		const yes = ["--skeptic-decision", "yes", "--skeptic-rationale", "sums"];
		const args = [...yes, "--trigger-comment", String(trigger.id)];
		const heal = rig.standIn.faults.add({ on, fault: { kind: "forbidden" } });
		expect((await rig.wrap(...args)).rc).toBe(1);
		expect(rig.requests()).toEqual([]);
		heal();
		expect((await rig.wrap(...args)).rc).toBe(0);
		const [path = ""] = rig.requests();
		expect(rig.textOf(path)).toContain(`\ntrigger-comment: ${trigger.id}\n`);
	});

	test("with yes outside tmux has nobody who could be asked", async () => {
		const rig = workerRig(AUTO);
		rig.doors.proc.env.TMUX_PANE = "";
		const yes = ["--skeptic-decision", "yes", "--skeptic-rationale", "sums"];
		const ran = await rig.wrap(...yes);
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain(
			"\n  review: a review needs a tmux window to ask in",
		);
		expect(rig.requests()).toEqual([]);
	});

	test("counts the rounds of its own window, up to as many as are configured", async () => {
		const rig = workerRig(AUTO);
		rig.doors.proc.env.MONITOR_SKEPTIC_MAX_DEPTH = "2";
		const asked = (window: string, skeptic = "asked") =>
			appendEvent(rig.doors, S, {
				agent: "monitor",
				event: "wrap-up",
				extras: [
					["window", window],
					["skeptic", skeptic],
				],
			});
		for (const window of ["v", "v", "v"]) asked(window);
		asked("w", "declined");
		asked("w");
		const yes = ["--skeptic-decision", "yes", "--skeptic-rationale", "sums"];
		const second = await rig.wrap(...yes, "--skeptic-new-round");
		expect(second.out).toContain("\nreview: asked for ");
		expect(rig.events().at(-2)).toMatchObject({ "skeptic-depth": "2" });
		const third = await rig.wrap(...yes, "--skeptic-new-round");
		expect(third.out).toContain(
			"review: declined (there were 2 rounds already)",
		);
	});

	test("whose window cannot be marked asks nobody", async () => {
		const rig = workerRig(AUTO);
		const fault = { path: /skeptic\/pending/, ops: ["write"] as const };
		rig.doors.files.faults.fail({ ...fault, code: "EROFS" });
		const yes = ["--skeptic-decision", "yes", "--skeptic-rationale", "sums"];
		const ran = await rig.wrap(...yes);
		expect(ran.rc).toBe(1);
		expect(ran.err).toMatch(/\n {2}review: .*EROFS/);
		expect(rig.requests()).toEqual([]);
	});

	test("that was asked for and never logged is not asked for twice", async () => {
		const rig = workerRig(AUTO);
		const yes = ["--skeptic-decision", "yes", "--skeptic-rationale", "sums"];
		const { faults } = rig.doors.files;
		const cure = faults.fail({
			path: /action-log/,
			ops: ["append", "write"],
			code: "EIO",
		});
		expect(await rig.wrap(...yes)).toMatchObject({ rc: 1 });
		cure();
		expect(await rig.wrap(...yes)).toMatchObject({ rc: 0 });
		expect(rig.requests()).toHaveLength(1);
	});

	test("whose request cannot be filed fails, and leaves no mark; the repeated one asks", async () => {
		const rig = workerRig(AUTO);
		const yes = ["--skeptic-decision", "yes", "--skeptic-rationale", "sums"];
		const cure = rig.doors.files.faults.fail({
			path: /requests/,
			ops: ["write", "mkdir"],
			code: "EROFS",
		});
		const failed = await rig.wrap(...yes);
		expect(failed).toMatchObject({ rc: 1 });
		expect(failed.err).toContain("\n  review: ");
		expect(rig.textOf(`${S}/skeptic/pending/w`)).toBeNull();
		cure();
		expect(await rig.wrap(...yes)).toMatchObject({ rc: 0 });
		expect(rig.requests()).toHaveLength(1);
	});

	test("of a reviewer who calls for another round tells the one who waits for it, once", async () => {
		const rig = workerRig({ ...REVIEWER, target: "t", orig: "t" });
		rig.doors.files.seed(`${S}/skeptic/pending/t`, "1\n");
		const verdict = ["--skeptic-verdict", "refuted", "--skeptic-findings", "2"];
		for (let n = 0; n < 2; n++)
			expect(await rig.wrap(...verdict)).toMatchObject({ rc: 0 });
		const questions = rig.doors.files
			.paths(`${S}/skeptic/t`)
			.filter((path) => path.endsWith(".md"));
		expect(questions).toEqual([`${S}/skeptic/t/req-001-verdict-1.open.md`]);
		const text = rig.textOf(questions[0] ?? "") ?? "";
		expect(text).toStartWith("The verdict of round 1: refuted, 2 finding(s)");
		expect(text).toContain(REPORT);
	});

	test.each([
		["0", true],
		["2", false],
	])(
		"of a reviewer with %s findings: the review is over %p",
		async (findings, isOver) => {
			const rig = workerRig({ ...REVIEWER, target: "t", orig: "o" });
			for (const window of ["t", "o"])
				rig.doors.files.seed(`${S}/skeptic/pending/${window}`, "1\n");
			const ran = await rig.wrap(
				"--skeptic-verdict",
				"partial",
				"--skeptic-findings",
				findings,
			);
			expect(ran).toMatchObject({ rc: 0 });
			for (const window of ["t", "o"]) {
				const marker = rig.textOf(`${S}/skeptic/pending/${window}`);
				expect(marker).toBe(isOver ? null : "1\n");
			}
			expect(rig.events()[0]).toMatchObject({
				skeptic: "verdict",
				"skeptic-findings": findings,
				"skeptic-verdict": "partial",
			});
		},
	);
});
