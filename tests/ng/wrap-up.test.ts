/** The hand-off, against a stand-in GitHub (contract 05 §8.7). */
import { afterEach, describe, expect, test } from "bun:test";
import { OPERATOR, REPO } from "../github/rig.ts";
import type { FaultRow } from "../github/stand-in/faults.ts";
import { type HubRig, hubRig, S } from "./hub-rig.ts";

const NAME = "hub_2026-07-25_100000_thing.md";
const REPORT = `/n/reports/${NAME}`;
const SUMMARY = "The thing was built and measured. It holds.";

function reportText(summary = SUMMARY): string {
	return `---
project: hub
date: 2026-07-25
session-id: 123
status: completed
---

# The thing

## Summary

${summary}

## What Was Done

${"Much was done. ".repeat(40)}

## Current State

Good.

## What Remains

Nothing.

## How to Resume

Read this.
`;
}

const open: HubRig[] = [];
function rigOf(...args: Parameters<typeof hubRig>) {
	const rig = hubRig(...args);
	open.push(rig);
	const { acts } = rig.standIn;
	acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	acts.commitFile(REPO, "README.md", "hi");
	rig.doors.files.seed(REPORT, reportText());
	const trigger = acts.comment(REPO, 1, OPERATOR, "Build the thing.");
	return {
		...rig,
		trigger: String(trigger.id),
		triggerComment: trigger,
		/** The bot's comments on the issue. */
		said: () =>
			(rig.standIn.place.state.repos[0]?.comments ?? []).filter((c) =>
				c.user.endsWith("[bot]"),
			),
		wrapUps: () => rig.events().filter((e) => e.event === "wrap-up"),
		posts: () =>
			rig.writes().filter((l) => l === `POST /repos/${REPO}/issues/1/comments`),
		rewrite: (summary: string) =>
			rig.doors.files.seed(REPORT, reportText(summary)),
	};
}
afterEach(async () => {
	for (const rig of open.splice(0)) {
		expect(rig.standIn.problems).toEqual([]);
		await rig.close();
	}
});

describe("a first wrap-up", () => {
	test("publishes, tells, closes the trigger and logs", async () => {
		const rig = rigOf();
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
			const rig = rigOf();
			const ran = await rig.ng("wrap-up", "1", REPORT, ...flags);
			expect(ran.rc).toBe(0);
			expect(ran.out).not.toContain("rocketed");
			expect(rig.writes().some((l) => l.includes("reactions"))).toBe(false);
		});

	test("thread and trigger may be in two repositories", async () => {
		const rig = rigOf();
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
		const rig = rigOf();
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
		expect(rig.events().map((e) => [e.event, e.window])).toEqual([
			["wrap-up", "worker.1"],
			["window-retain", "worker.1"],
		]);
	});

	test.each([
		["a pane that no row has", { TMUX: "x", TMUX_PANE: "%77" }],
		[
			"a background session",
			{ TMUX: "x", TMUX_PANE: "%1", CLAUDE_JOB_DIR: "/j" },
		],
	])("%s is as outside tmux", async (_, env) => {
		const rig = rigOf();
		rig.doors.tmux.window("orchestrator");
		Object.assign(rig.doors.proc.env, env);
		await rig.ng("wrap-up", "1", REPORT);
		expect(rig.events().map((e) => [e.event, e.window])).toEqual([
			["wrap-up", undefined],
		]);
	});

	test("a window in which the operator works gets a note", async () => {
		const rig = rigOf();
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
		["a stub", ["1", "/n/reports/stub.md"], "--allow-stub"],
		["a foreign shape", ["1", REPORT, "--shape", "round"], "--shape"],
		[
			"an unknown flag of a later part",
			["1", REPORT, "--skeptic-x", "y"],
			"unknown flag",
		],
	])("%s", async (_, args, says) => {
		const rig = rigOf();
		rig.doors.files.seed("/n/reports/stub.md", "# no head\n");
		const ran = await rig.ng("wrap-up", ...args);
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain(says);
		expect(rig.asked()).toEqual([]);
		expect(rig.events()).toEqual([]);
	});

	test("an issue that is not there, with what --repo means", async () => {
		const rig = rigOf();
		const ran = await rig.ng("wrap-up", "99", REPORT);
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain(
			"--repo selects the repository of the issue thread",
		);
		expect(rig.writes()).toEqual([]);
	});

	test("could not look is no finding", async () => {
		const rig = rigOf();
		rig.standIn.faults.add({
			on: /^GET \/repos\/acme\/hub\/issues\/1$/,
			fault: { kind: "server" },
		});
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("WARNING: could not look");
	});

	test("a symlink in the report's place is not followed out of the tree", async () => {
		const rig = rigOf();
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
		const rig = rigOf();
		rig.cloneOf("https://github.com/acme/public.git");
		expect((await rig.ng("wrap-up", "1", REPORT)).rc).toBe(1);
		expect(rig.asked()).toEqual([]);
	});

	test("--dry-run prints the comment", async () => {
		const rig = rigOf();
		const ran = await rig.ng("wrap-up", "1", REPORT, "--dry-run");
		expect(ran.out).toStartWith(
			"## The thing\n\nThe thing was built and measured.\n",
		);
		expect(rig.asked()).toEqual([]);
		expect(rig.events()).toEqual([]);
	});
});

describe("a second run", () => {
	test("of the same changes nothing in the thread", async () => {
		const rig = rigOf();
		await rig.ng("wrap-up", "1", REPORT);
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain("posted comment: unchanged http");
		expect(rig.posts()).toHaveLength(1);
	});

	test("of a corrected report edits the comment", async () => {
		const rig = rigOf();
		await rig.ng("wrap-up", "1", REPORT);
		rig.rewrite("It does not hold after all, sadly. See below.");
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain("posted comment: EDITED http");
		expect(rig.said()).toHaveLength(1);
		expect(rig.said()[0]?.body).toContain("It does not hold after all, sadly.");
	});

	test("with a text by hand says it in a new comment, and both link the new report", async () => {
		const rig = rigOf();
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
		const rig = rigOf();
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
		const rig = rigOf();
		await rig.ng("wrap-up", "1", REPORT);
		rig.doors.files.seed("/n/reports/other.md", reportText());
		await rig.ng("wrap-up", "1", "/n/reports/other.md");
		expect(rig.said()).toHaveLength(2);
	});

	test("after the comment was deleted, or cut off from the report, posts anew", async () => {
		const rig = rigOf();
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

	test("does not run over an edit of somebody else's", async () => {
		const rig = rigOf();
		await rig.ng("wrap-up", "1", REPORT);
		rig.rewrite("It does not hold after all, sadly. See below.");
		const [comment] = rig.said();
		const { fetch } = rig.doors.net;
		let edits = 0;
		rig.doors.net.fetch = async (url, init) => {
			const answer = await fetch(url, init);
			if (
				url.endsWith(`/comments/${comment?.id}`) &&
				(init.method ?? "GET") === "GET" &&
				edits++ % 2 === 0
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
		expect(ran.rc).toBe(1);
		expect(ran.out).toContain("posted comment: FAILED");
		expect(comment?.body).toContain("edit");
		expect(comment?.body).not.toContain("sadly");
	});
});

describe("a failure of one step leaves the others, and a repetition never doubles the comment", () => {
	const faults: readonly (readonly [string, FaultRow, string])[] = [
		[
			"the blob",
			{ on: /git\/blobs$/, fault: { kind: "forbidden" } },
			"uploaded: FAILED\nposted comment: SKIPPED (upload failed)",
		],
		[
			"the comment is refused",
			{ on: /^POST .*issues\/1\/comments$/, fault: { kind: "forbidden" } },
			"posted comment: FAILED",
		],
		[
			"the comment's answer is lost",
			{
				on: /^POST .*issues\/1\/comments$/,
				fault: { kind: "server" },
				executed: true,
			},
			"posted comment: FAILED",
		],
		[
			"the comment's answer is torn",
			{
				on: /^POST .*issues\/1\/comments$/,
				fault: { kind: "truncated" },
			},
			"posted comment: FAILED",
		],
		[
			"the comment never arrives",
			{ on: /^POST .*issues\/1\/comments$/, fault: { kind: "server" } },
			"posted comment: FAILED",
		],
		["the rocket", { on: /reactions$/, fault: { kind: "server" } }, ": FAILED"],
	];
	for (const [name, row, says] of faults)
		test(name, async () => {
			const rig = rigOf();
			const args = ["wrap-up", "1", REPORT, "--trigger-comment", rig.trigger];
			const heal = rig.standIn.faults.add(row);
			const first = await rig.ng(...args);
			expect(first.rc).toBe(1);
			expect(first.out).toContain(says);
			expect(first.err).toContain(
				"ng wrap-up: partial failure — retry the failed steps:\n  ",
			);
			expect(rig.wrapUps()).toHaveLength(1);
			if (name !== "the rocket")
				expect(first.out).toContain(`\nrocketed comment ${rig.trigger}\n`);
			heal();
			const second = await rig.ng(...args);
			expect(second.rc).toBe(0);
			expect(rig.said()).toHaveLength(1);
			const third = await rig.ng(...args);
			expect(third.out).toContain("posted comment: unchanged");
			expect(rig.said()).toHaveLength(1);
			expect(
				rig.triggerComment.reactions.filter((r) => r.content === "rocket"),
			).toHaveLength(1);
		});

	test("the process dies at any change of the disk", async () => {
		for (let at = 0; at < 12; at++) {
			const rig = rigOf();
			const args = ["wrap-up", "1", REPORT, "--trigger-comment", rig.trigger];
			rig.doors.files.faults.crashAt(at);
			await rig.ng(...args).catch(() => {});
			rig.doors.files.reboot();
			const again = await rig.ng(...args);
			expect([at, again.rc, rig.said().length]).toEqual([at, 0, 1]);
		}
	});

	test("a comment whose answer was lost is found though the lists lag, or our clock was an hour ahead", async () => {
		for (const trouble of ["lag", "clock"]) {
			const rig = rigOf();
			rig.standIn.faults.add({
				on: /^POST .*issues\/1\/comments$/,
				executed: true,
				times: 1,
				fault: { kind: "server" },
			});
			expect((await rig.ng("wrap-up", "1", REPORT)).rc).toBe(1);
			const { clock, files } = rig.doors;
			if (trouble === "lag")
				rig.standIn.faults.add({
					on: /^GET .*issues\/1\/comments\?/,
					times: 1,
					fault: { kind: "answer", status: 200, body: [] },
				});
			else
				for (const path of files.paths(`${S}/wrap-up-posting`)) {
					const note = files.text(path);
					const at = `at=${clock.now() + 3600}`;
					files.seed(path, note.replace(/^at=\d+/, at));
				}
			expect(await rig.ng("wrap-up", "1", REPORT)).toMatchObject({ rc: 0 });
			expect(rig.said()).toHaveLength(1);
		}
	});

	test("two that run at once: the second waits for the first, and finds all of it done", async () => {
		const rig = rigOf();
		const args = ["wrap-up", "1", REPORT, "--trigger-comment", rig.trigger];
		const both = await Promise.all([rig.ng(...args), rig.ng(...args)]);
		expect(both.map(({ rc }) => rc)).toEqual([0, 0]);
		expect(rig.said()).toHaveLength(1);
		expect(both.map(({ out }) => out).join()).toContain("unchanged");
	});

	test("one that never ends: the next one gives up, with nothing touched", async () => {
		const rig = rigOf();
		const dir = `${S}/wrap-up-posting`;
		for (const digit of "0123456789abcdef")
			rig.doors.locks.takenElsewhere(`${dir}/lock.${digit}`);
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran).toMatchObject({ rc: 1, out: "" });
		expect(ran.err).toContain("another one of this report is still at it");
		expect(rig.standIn.requests).toEqual([]);
	});

	test("a text by hand whose answer was lost is not posted twice beside the first", async () => {
		const rig = rigOf();
		await rig.ng("wrap-up", "1", REPORT);
		rig.doors.files.seed("/b", "By hand.");
		const heal = rig.standIn.faults.add({
			on: /^POST .*issues\/1\/comments$/,
			fault: { kind: "server" },
			executed: true,
		});
		const args = ["wrap-up", "1", REPORT, "--comment-body-file", "/b"];
		expect((await rig.ng(...args)).rc).toBe(1);
		heal();
		expect((await rig.ng(...args)).rc).toBe(0);
		expect(rig.said()).toHaveLength(2);
	});

	test("a run that fails before the comment does not forget one that was lost before", async () => {
		const rig = rigOf();
		const lost = rig.standIn.faults.add({
			on: /^POST .*issues\/1\/comments$/,
			fault: { kind: "server" },
			executed: true,
		});
		await rig.ng("wrap-up", "1", REPORT);
		lost();
		rig.rewrite("The thing was built and measured. It holds again.");
		const down = rig.standIn.faults.add({
			on: /git\/blobs$/,
			fault: { kind: "forbidden" },
		});
		await rig.ng("wrap-up", "1", REPORT);
		down();
		await rig.ng("wrap-up", "1", REPORT);
		expect(rig.said()).toHaveLength(1);
	});

	test("an action log that cannot be read: nothing is posted, since nobody knows what was", async () => {
		const rig = rigOf();
		rig.doors.files.seedDir(`${S}/action-log.jsonl`);
		const ran = await rig.ng(
			"wrap-up",
			"1",
			REPORT,
			"--trigger-comment",
			rig.trigger,
		);
		expect(ran.rc).toBe(1);
		expect(ran.out).toContain("uploaded: http");
		expect(ran.out).toContain("posted comment: FAILED");
		expect(ran.out).toContain(`rocketed comment ${rig.trigger}\n`);
		expect(ran.out).toContain("logged action: FAILED");
		expect(rig.posts()).toEqual([]);
	});

	test("a summary that says nothing: exit 3, nothing told, nothing rocketed", async () => {
		const rig = rigOf();
		rig.rewrite("BLOCK.");
		const ran = await rig.ng(
			"wrap-up",
			"1",
			REPORT,
			"--trigger-comment",
			rig.trigger,
		);
		expect(ran.rc).toBe(3);
		expect(rig.posts()).toEqual([]);
		expect(rig.triggerComment.reactions).toEqual([]);
		expect(rig.wrapUps()).toMatchObject([
			{ comment: "degenerate-teaser", rocket: "skipped-nothing-published" },
		]);
	});

	test("--no-comment: the thread is not even looked at", async () => {
		const rig = rigOf();
		const ran = await rig.ng("wrap-up", "1", REPORT, "--no-comment");
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain("posted comment: SKIPPED (--no-comment)");
		expect(rig.asked().some((l) => l.includes("/issues/"))).toBe(false);
	});
});

describe("afterwards", () => {
	test("wrap-up-check finds it, in the month's folder, too", async () => {
		const rig = rigOf();
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

	test("engaged-done logs the window, or says how to name one", async () => {
		const rig = rigOf();
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
