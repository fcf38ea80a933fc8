/** The hand-off, against a stand-in GitHub (contract 05 §8.7). */
import { afterEach, describe, expect, test } from "bun:test";
import { OPERATOR, REPO } from "../github/rig.ts";
import { CWD, S } from "./hub-rig.ts";
import {
	closeRigs,
	NAME,
	REPORT,
	reportText,
	wrapUpRig,
} from "./wrap-up-rig.ts";

afterEach(closeRigs);

describe("a first wrap-up", () => {
	test("publishes, tells, closes the trigger and logs", async () => {
		const rig = wrapUpRig();
		const ran = await rig.ng(
			"wrap-up",
			"1",
			REPORT,
			"--trigger-comment",
			rig.trigger,
		);
		const url = `${rig.standIn.url}/acme/hub/blob/main/assets/1/${NAME}`;
		const [comment] = rig.said();
		const page = `${rig.standIn.url}/acme/hub/issues/1#issuecomment-${comment?.id}`;
		expect(ran).toEqual({
			rc: 0,
			out: [
				`uploaded: ${url}`,
				`posted comment: ${page}`,
				`rocketed comment ${rig.trigger}`,
				`logged action: wrap-up issue=1 report=${NAME}`,
			].join("\n"),
			err: "",
		});
		expect(comment?.body).toBe(
			`## The thing\n\nThe thing was built and measured.\n\nFull report: ${url}\n`,
		);
		expect(rig.triggerComment.reactions).toMatchObject([
			{ user: "hub-bot[bot]", content: "rocket" },
		]);
		expect(rig.events()).toMatchObject([
			{
				agent: "monitor",
				event: "wrap-up",
				issue: "1",
				report: NAME,
				"asset-url": url,
				"comment-url": page,
				"trigger-comment": rig.trigger,
				repo: REPO,
				upload: "ok",
				comment: "ok",
				rocket: "ok",
			},
		]);
		expect(rig.events()[0]).not.toContainKeys(["window", "trigger-repo"]);
		expect(rig.state("processed-comments.txt")).toBe(
			`comment:${rig.trigger}\nrocket:${rig.trigger}\n`,
		);
		const left = rig.doors.files.paths(`${S}/wrap-up-posting`);
		expect(left.filter((path) => !path.includes("/lock."))).toEqual([]);
	});

	for (const flags of [[], ["--trigger-comment", "0"]])
		test(`without a trigger nothing is rocketed: ${flags.join(" ")}`, async () => {
			const rig = wrapUpRig();
			const ran = await rig.ng("wrap-up", "1", REPORT, ...flags);
			expect(ran.rc).toBe(0);
			expect(ran.out).not.toContain("rocketed");
			expect(rig.writes().some((l) => l.includes("reactions"))).toBe(false);
		});

	test("thread and trigger may be in two repositories", async () => {
		const rig = wrapUpRig();
		const { acts } = rig.standIn;
		for (const name of ["acme/a", "acme/b"]) {
			acts.createRepo(name);
			acts.openIssue(name, { user: OPERATOR, title: "T" });
		}
		const there = acts.comment("acme/b", 1, OPERATOR, "do");
		const ran = await rig.ng(
			"wrap-up",
			"1",
			REPORT,
			"--repo",
			"acme/a",
			"--trigger-repo",
			"acme/b",
			"--trigger-comment",
			String(there.id),
		);
		expect(ran.rc).toBe(0);
		expect(rig.writes()).toContain("POST /repos/acme/a/issues/1/comments");
		expect(rig.writes()).toContain(
			`POST /repos/acme/b/issues/comments/${there.id}/reactions`,
		);
		expect(rig.wrapUps()).toMatchObject([
			{ repo: "acme/a", "trigger-repo": "acme/b" },
		]);
	});

	test("in tmux the window is the one of the pane's own row, whichever is active, and is retained", async () => {
		const rig = wrapUpRig();
		const mine = rig.doors.tmux.window("worker.1");
		rig.doors.tmux.window("orchestrator");
		Object.assign(rig.doors.proc.env, {
			TMUX: "/tmp/s,1,0",
			TMUX_PANE: mine.pane.id,
		});
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran.rc).toBe(0);
		const day = new Date(rig.doors.clock.nowMs()).toISOString().slice(0, 10);
		expect(ran.out).toEndWith(
			`retained window: worker.1 (reason=wrap-up-${day}; ttl=monitor.retain_ttl_seconds)`,
		);
		expect(rig.events().map((e) => [e.event, e.window, e.agent])).toEqual([
			["wrap-up", "worker.1", "monitor"],
			["window-retain", "worker.1", "monitor"],
		]);
		const why = await rig.ng("wrap-up", "1", REPORT, "--retain", "to be asked");
		expect(why.out).toContain("retained window: worker.1 (reason=to be asked;");
		expect(rig.events().at(-1)).toMatchObject({
			reason: "to be asked",
			issue: "1",
		});
		const { faults } = rig.doors.files;
		const ops = ["append", "write"] as const;
		let appends = 0;
		faults.before((op, path) => {
			if (op !== "append" || !path.endsWith("/action-log.jsonl")) return;
			if (++appends === 2)
				faults.fail({ path: /action-log/, ops, code: "ENOSPC" });
		});
		const failed = await rig.ng("wrap-up", "1", REPORT);
		expect(failed.rc).toBe(0);
		expect(failed.out).toEndWith("retained window: FAILED");
		expect(failed.err).toContain("window not retained: ");
	});

	test.each([
		["a pane that no row has", { TMUX: "x", TMUX_PANE: "%77" }],
		[
			"a background session",
			{ TMUX: "x", TMUX_PANE: "%1", CLAUDE_JOB_DIR: "/j" },
		],
	])("%s is as outside tmux", async (_, env) => {
		const rig = wrapUpRig();
		rig.doors.tmux.window("orchestrator");
		Object.assign(rig.doors.proc.env, env);
		await rig.ng("wrap-up", "1", REPORT);
		expect(rig.events().map((e) => [e.event, e.window])).toEqual([
			["wrap-up", undefined],
		]);
	});

	test("a window in which the operator works gets a note", async () => {
		const rig = wrapUpRig();
		const mine = rig.doors.tmux.window("w");
		Object.assign(rig.doors.proc.env, { TMUX: "x", TMUX_PANE: mine.pane.id });
		const now = rig.doors.clock.now();
		rig.doors.files.seed(
			`${S}/operator-engaged.tsv`,
			`w\t${now - 60}\t${now - 5}\t0\tprompt\t0\n`,
		);
		rig.doors.files.seed(`${S}/pane-change/w`, `abc\t${now - 10}\n`);
		expect((await rig.ng("wrap-up", "1", REPORT, "--no-retain")).out).toMatch(
			/\n\nnote: the operator is engaged in w.*ng engaged-done$/,
		);
		await rig.doors.clock.advance(2000);
		await rig.ng("engaged-done");
		expect(
			(await rig.ng("wrap-up", "1", REPORT, "--no-retain")).out,
		).not.toContain("note:");
	});
});

test("a report that could not be uploaded is no comment's fault where none was wanted", async () => {
	const rig = wrapUpRig();
	rig.standIn.faults.add({ on: /git\/blobs$/, fault: { kind: "forbidden" } });
	const ran = await rig.ng("wrap-up", "1", REPORT, "--no-comment");
	expect(ran.rc).toBe(1);
	expect(ran.out).toStartWith(
		"uploaded: FAILED\nposted comment: SKIPPED (--no-comment)\n",
	);
});

test("--allow-stub lets a placeholder pass, and the configuration says how short a report may be", async () => {
	const rig = wrapUpRig();
	rig.rewrite("TODO: say what was built. It holds.");
	const refused = await rig.ng("wrap-up", "1", REPORT, "--no-comment");
	expect(refused.rc).toBe(1);
	expect(refused.err).toContain("  - placeholder text: ");
	const args = ["wrap-up", "1", REPORT, "--no-comment", "--allow-stub"];
	rig.doors.proc.env.MONITOR_REPORT_MIN_CHARS = "5000";
	expect((await rig.ng(...args)).err).toContain("5000");
	rig.doors.proc.env.MONITOR_REPORT_MIN_CHARS = "50";
	expect((await rig.ng(...args)).rc).toBe(0);
});

describe("refused, with nothing touched", () => {
	test.each([
		[
			"both of a pair",
			["1", REPORT, "--no-comment", "--comment-body-file", "/b"],
			"mutually exclusive",
		],
		[
			"both of the other",
			["1", REPORT, "--retain", "x", "--no-retain"],
			"mutually exclusive",
		],
		[
			"no such report",
			["1", "/none.md"],
			"wrap-up: report not found: /none.md",
		],
		[
			"no such text",
			["1", REPORT, "--comment-body-file", "/none"],
			"wrap-up: --comment-body-file not found: /none",
		],
		["no issue", [REPORT], "an issue number first"],
		["no report", ["1"], "wrap-up needs the path of a report"],
		["a third word", ["1", REPORT, "2"], "2"],
		[
			"a trigger that is no comment's id",
			["1", REPORT, "--trigger-comment", "x7"],
			"--trigger-comment wants the id of a comment, got 'x7'",
		],
		[
			"a review that is no decision",
			["1", REPORT, "--skeptic-decision", "perhaps"],
			"wrap-up: --skeptic-decision is yes or no",
		],
		[
			"a verdict that is none",
			["1", REPORT, "--skeptic-verdict", "maybe"],
			"wrap-up: --skeptic-verdict is one of confirmed, partial, refuted",
		],
		[
			"a count in words",
			["1", REPORT, "--skeptic-findings", "none"],
			"wrap-up: --skeptic-findings",
		],
		["a stub", ["1", "/n/reports/stub.md"], "--allow-stub"],
		["a stub, item by item", ["1", "/n/reports/stub.md"], "\n  - "],
		["a thread that is none", ["1", REPORT, "--repo", "hub"], "hub"],
		[
			"a trigger's repository that is none",
			["1", REPORT, "--trigger-repo", "hub"],
			"hub",
		],
		["a foreign shape", ["1", REPORT, "--shape", "round"], "--shape"],
		[
			"an unknown flag of a later part",
			["1", REPORT, "--skeptic-x", "y"],
			"unknown flag",
		],
	])("%s", async (_, args, says) => {
		const rig = wrapUpRig();
		rig.doors.files.seed("/n/reports/stub.md", "# no head\n");
		const ran = await rig.ng("wrap-up", ...args);
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain(says);
		expect(rig.asked()).toEqual([]);
		expect(rig.events()).toEqual([]);
	});

	test("an issue that is not there, with what --repo means", async () => {
		const rig = wrapUpRig();
		const ran = await rig.ng("wrap-up", "99", REPORT);
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain(
			"--repo selects the repository of the issue thread",
		);
		expect(rig.writes()).toEqual([]);
	});

	test("could not look is no finding", async () => {
		const rig = wrapUpRig();
		rig.standIn.faults.add({
			on: /^GET \/repos\/acme\/hub\/issues\/1$/,
			fault: { kind: "server" },
		});
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("WARNING: could not look");
	});

	test("a symlink in the report's place is not followed out of the tree", async () => {
		const rig = wrapUpRig();
		rig.doors.files.seed(
			"/keys/k.md",
			reportText("The secret key is here for all. See."),
		);
		rig.doors.files.seedLink("/keys/k.md", "/n/reports/link.md");
		const ran = await rig.ng("wrap-up", "1", "/n/reports/link.md");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("leads out of its folder");
		expect(rig.asked()).toEqual([]);
	});

	test("from a clone of another repository", async () => {
		const rig = wrapUpRig();
		rig.cloneOf("https://github.com/acme/public.git");
		expect((await rig.ng("wrap-up", "1", REPORT)).rc).toBe(1);
		expect(rig.asked()).toEqual([]);
	});

	test("--dry-run prints the comment", async () => {
		const rig = wrapUpRig();
		const ran = await rig.ng("wrap-up", "1", REPORT, "--dry-run");
		expect(ran.rc).toBe(0);
		expect(ran.out).toBe(
			"## The thing\n\nThe thing was built and measured.\n\nFull report: (its address)",
		);
		rig.rewrite("BLOCK.");
		const none = await rig.ng("wrap-up", "1", REPORT, "--dry-run");
		expect(none.rc).toBe(0);
		expect(none.out).toStartWith("(no comment: ");
		expect(rig.asked()).toEqual([]);
		expect(rig.events()).toEqual([]);
	});
});

describe("a second run", () => {
	test("of the same changes nothing in the thread", async () => {
		const rig = wrapUpRig();
		await rig.ng("wrap-up", "1", REPORT);
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain("posted comment: unchanged http");
		expect(rig.posts()).toHaveLength(1);
	});

	test("of a corrected report edits the comment", async () => {
		const rig = wrapUpRig();
		await rig.ng("wrap-up", "1", REPORT);
		rig.rewrite("It does not hold after all, sadly. See below.");
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain("posted comment: EDITED http");
		expect(rig.said()).toHaveLength(1);
		expect(rig.said()[0]?.body).toContain("It does not hold after all, sadly.");
	});

	test("with a text by hand says it in a new comment, and both link the new report", async () => {
		const rig = wrapUpRig();
		await rig.ng("wrap-up", "1", REPORT, "--shape", "pin");
		rig.rewrite("The thing was built and measured. It holds twice.");
		rig.doors.files.seed("/b", "By hand: {{REPORT_URL}}");
		const ran = await rig.ng(
			"wrap-up",
			"1",
			REPORT,
			"--shape",
			"pin",
			"--comment-body-file",
			"/b",
		);
		expect(ran.out).toContain("posted comment: NEW http");
		const url = /uploaded: (\S+)/.exec(ran.out)?.[1] ?? "none";
		expect(rig.said().map((c) => c.body.includes(url))).toEqual([true, true]);
		expect(rig.said()[1]?.body).toBe(`By hand: ${url}`);
	});

	test("whose words are the same but whose link moved publishes nothing: exit 3, and the trigger stays open until somebody was told", async () => {
		const rig = wrapUpRig();
		await rig.ng("wrap-up", "1", REPORT, "--shape", "pin");
		rig.doors.files.seed(REPORT, `${reportText()}\nA correction at the end.\n`);
		const ran = await rig.ng(
			"wrap-up",
			"1",
			REPORT,
			"--shape",
			"pin",
			"--trigger-comment",
			rig.trigger,
		);
		expect(ran.rc).toBe(3);
		expect(ran.out).toContain("posted comment: NOTHING PUBLISHED");
		expect(ran.out).toContain(
			`rocketed comment ${rig.trigger}: SKIPPED (nothing was published — the trigger stays open)`,
		);
		expect(ran.err).toContain("--comment-body-file");
		expect(rig.said()[0]?.body).toContain(
			/uploaded: (\S+)/.exec(ran.out)?.[1] ?? "none",
		);
		expect(rig.wrapUps().at(-1)).toMatchObject({
			comment: "nothing-published",
			rocket: "skipped-nothing-published",
		});
	});

	test("of another report in the same thread is a comment of its own", async () => {
		const rig = wrapUpRig();
		await rig.ng("wrap-up", "1", REPORT);
		rig.doors.files.seed("/n/reports/other.md", reportText());
		await rig.ng("wrap-up", "1", "/n/reports/other.md");
		expect(rig.said()).toHaveLength(2);
	});

	test("after the comment was deleted, or cut off from the report, posts anew", async () => {
		const rig = wrapUpRig();
		await rig.ng("wrap-up", "1", REPORT);
		const repo = rig.standIn.place.state.repos[0];
		if (repo) repo.comments = repo.comments.filter((c) => c.user === OPERATOR);
		await rig.ng("wrap-up", "1", REPORT);
		const [comment] = rig.said();
		if (comment) comment.body = "superseded";
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran.rc).toBe(0);
		expect(rig.said().map((c) => c.body === "superseded")).toEqual([
			true,
			false,
		]);
	});

	test.each([
		["does not run over edits of somebody else's that go on", Infinity],
		["begins anew behind one edit of somebody else's", 1],
	])("%s", async (_, most) => {
		const rig = wrapUpRig();
		await rig.ng("wrap-up", "1", REPORT);
		rig.rewrite("It does not hold after all, sadly. See below.");
		const [comment] = rig.said();
		const { fetch } = rig.doors.net;
		let looks = 0;
		rig.doors.net.fetch = async (url, init) => {
			const answer = await fetch(url, init);
			if (
				url.endsWith(`/comments/${comment?.id}`) &&
				(init.method ?? "GET") === "GET" &&
				looks++ % 2 === 0 &&
				looks < 2 * most
			)
				rig.standIn.acts.editComment(
					REPO,
					comment?.id ?? 0,
					"hub-bot[bot]",
					`${comment?.body} edit`,
				);
			return answer;
		};
		const ran = await rig.ng("wrap-up", "1", REPORT);
		// A look and the look before the swap, twice.
		expect(looks).toBe(4);
		expect(ran.rc).toBe(most === 1 ? 0 : 1);
		expect(comment?.body.includes("sadly")).toBe(most === 1);
		if (most === 1) return;
		expect(ran.out).toContain("posted comment: FAILED");
		expect(ran.err).toContain("\n  comment: somebody else edits it, too");
		expect(comment?.body).toContain("edit");
	});
});

describe("afterwards", () => {
	test("wrap-up-check finds it, in the month's folder, too", async () => {
		const rig = wrapUpRig();
		const mine = rig.doors.tmux.window("w");
		Object.assign(rig.doors.proc.env, { TMUX: "x", TMUX_PANE: mine.pane.id });
		expect(await rig.ng("wrap-up-check", "w")).toMatchObject({ rc: 1 });
		await rig.ng("wrap-up", "1", REPORT);
		const good = {
			rc: 0,
			out: "status=ok wrap_up=present report_check=ok rocket=ok comment=ok",
			err: "",
		};
		expect(await rig.ng("wrap-up-check", "w")).toEqual(good);
		rig.doors.files.seed(`/n/reports/2026-07/${NAME}`, reportText());
		rig.doors.files.remove(REPORT);
		expect(await rig.ng("wrap-up-check", "w")).toEqual(good);
		rig.doors.files.remove(`/n/reports/2026-07/${NAME}`);
		expect((await rig.ng("wrap-up-check", "w")).out).toContain(
			"report_check=missing",
		);
	});

	test("wrap-up-check looks into the caller's own reports last, and names what is wrong with the report", async () => {
		const rig = wrapUpRig();
		const { files } = rig.doors;
		const dated = "p_2026-07-01_by-hand.md";
		const event = { ts: "2026-07-01T00:00:00Z", event: "wrap-up", window: "w" };
		const log = JSON.stringify({ ...event, agent: "monitor", report: dated });
		files.seed(`${S}/action-log.jsonl`, `${log}\n`);
		const check = async () => (await rig.ng("wrap-up-check", "w")).out;
		expect(await check()).toContain("report_check=missing");
		files.seed(`${CWD}/reports/${dated}`, "short\n");
		expect(await check()).toBe(
			"status=incomplete wrap_up=present report_check=fail rocket=ok comment=ok",
		);
		// The archive goes by the date in the name, with or without a time.
		files.seed(`/n/reports/2026-07/${dated}`, reportText());
		expect(await check()).toContain("status=ok");
	});

	test.each([
		[[], 1, "needs a window"],
		[["w", "x"], 1, "positionals"],
	])("wrap-up-check %j: exit %i", async (args, rc, says) => {
		const ran = await wrapUpRig().ng("wrap-up-check", ...args);
		expect([ran.rc, ran.out]).toEqual([rc, ""]);
		expect(ran.err).toContain(says);
	});

	test("wrap-up-check without a log that can be read is no", async () => {
		const rig = wrapUpRig();
		rig.doors.files.seedDir(`${S}/action-log.jsonl`);
		const ran = await rig.ng("wrap-up-check", "w");
		expect([ran.rc, ran.out]).toEqual([1, ""]);
		expect(ran.err).toContain("the action log cannot be read");
	});

	test("wrap-up-check with a configuration that cannot be used is no", async () => {
		const rig = wrapUpRig({ over: { monitor: "[" } });
		const ran = await rig.ng("wrap-up-check", "w");
		expect([ran.rc, ran.out]).toEqual([1, ""]);
		expect(ran.err).toContain("nexus.yml");
	});

	test("engaged-done logs the window, or says how to name one", async () => {
		const rig = wrapUpRig();
		const none = await rig.ng("engaged-done");
		expect(none.rc).toBe(1);
		expect(none.err).toContain("--window");
		const ran = await rig.ng("engaged-done", "--window", "w");
		expect(ran.out).toBe("engaged-done: w released for normal cleanup");
		expect(rig.events()).toMatchObject([
			{ event: "engaged-done", window: "w" },
		]);
	});
});
