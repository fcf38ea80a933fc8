/** The searches over HTTP: what is open, what a page that is not whole costs, and what is said of it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { OPERATOR, REPO } from "./rig.ts";
import {
	GRAPHQL,
	openSources,
	type SourceRig,
	type SourceRigOptions,
} from "./source-rig.ts";
import type { Fault } from "./stand-in/faults.ts";
import type { Comment } from "./stand-in/world.ts";

const RATE = "GET /rate_limit";
let rig: SourceRig;
const open = async (opts: SourceRigOptions = {}) => {
	await rig?.close();
	rig = openSources({
		config: { "monitor.bot_mentions_enabled": false, ...opts.config },
	});
};
beforeEach(() => open());
afterEach(async () => {
	await rig.close();
	expect(rig.standIn.problems).toEqual([]);
});

const issue = (body = "", user = OPERATOR) =>
	rig.standIn.acts.openIssue(REPO, { user, title: "x", body });
const say = (body: string, user = OPERATOR, number = 1): Comment =>
	rig.standIn.acts.comment(REPO, number, user, body);
const headersIn = (text: string) =>
	text.split("\n").filter((line) => /^\S/.test(line));
const queries = () => rig.asked(GRAPHQL).length;
const rows = () => rig.alerts().map((line) => line.replace(/^\[[^\]]*\] /, ""));

describe("a fire", () => {
	test("asks for the points first, then each search once, with one token", async () => {
		await rig.search();
		expect(rig.asked()).toEqual([
			"POST /app/installations/456/access_tokens",
			"GET /rate_limit",
			...["POST /graphql", "POST /graphql", "POST /graphql"],
		]);
	});

	test("finds what is open, in the shapes of the delivery log", async () => {
		const { acts } = rig.standIn;
		const one = issue("please look");
		acts.openPull(REPO, { user: OPERATOR, title: "Two", head: "work" });
		const c1 = say("on the issue");
		const c2 = say("on the pull request", OPERATOR, 2);
		const c3 = acts.reviewComment(REPO, 2, OPERATOR, {
			body: "inline",
			path: "src/a.ts",
		});
		expect(headersIn(await rig.search())).toEqual([
			`issue=1 id=${c1.id} author=op`,
			`pr=2 id=${c2.id} author=op`,
			`pr_review=2 id=${c3.id} author=op path=src/a.ts`,
			`issue_new=${one.number} id=1 author=op`,
		]);
	});

	test("writes an App's login as the delivery log does", async () => {
		issue("", "stranger");
		const c = say("done", "hub-bot[bot]");
		expect(headersIn(await rig.search())).toEqual([
			`issue=1 id=${c.id} author=hub-bot[bot]`,
		]);
	});

	test("leaves out what is answered, closed, or in the list of handled ones", async () => {
		const { acts } = rig.standIn;
		const one = issue("", "stranger");
		acts.react(say("eyes of the bot"), null, "eyes");
		acts.react(say("a rocket"), OPERATOR, "rocket");
		const own = say("my own eyes");
		acts.react(own, OPERATOR, "eyes");
		const done = say("handled");
		rig.seed(
			"processed-comments.txt",
			`# list\n comment:${done.id} \nissue:1\n`,
		);
		const two = issue("in the list too");
		rig.seed(
			"processed-comments.txt",
			`comment:${done.id}\nissue:${two.number}\n`,
		);
		expect(headersIn(await rig.search())).toEqual([
			`issue=1 id=${own.id} author=op`,
		]);
		acts.setIssueState(one, "closed");
		expect(await rig.search()).toBe("");
	});

	test("walks many pages", async () => {
		for (let n = 0; n < 23; n++) issue(`i${n}`);
		const text = await rig.search();
		expect(headersIn(text)).toHaveLength(23);
		// 3 pages of 10 for the issues' comments, 1 for pull requests, 3 for new issues.
		expect(queries()).toBe(7);
	});

	test("that is ended in the middle answers with what was whole by then, and judges nothing", async () => {
		issue("hello");
		const c = say("hi");
		rig.standIn.faults.add({ on: /PrComments/, fault: { kind: "no-answer" } });
		const end = new AbortController();
		const polling = rig.search(end.signal);
		while (queries() < 2) await Bun.sleep(1);
		end.abort();
		expect(headersIn(await polling)).toEqual([`issue=1 id=${c.id} author=op`]);
		expect(rig.state("graphql-degraded-pr_comments")).toBe("");
		expect(rig.alerts()).toEqual([]);
	});
});

describe("reactions behind the first page", () => {
	async function crowded(hearts: number, mark: "rocket" | "heart") {
		issue("", "stranger");
		const c = say("crowded");
		for (let n = 0; n < hearts; n++)
			rig.standIn.acts.react(c, `fan${n}`, "heart");
		rig.standIn.acts.react(c, "somebody", mark);
		return c;
	}
	const REACTIONS =
		"GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";

	test("decide", async () => {
		await crowded(60, "rocket");
		expect(await rig.search()).toBe("");
		expect(rig.asked(REACTIONS)).toHaveLength(1);
	});

	test("are read to the end before nothing decides", async () => {
		const c = await crowded(130, "heart");
		expect(headersIn(await rig.search())).toEqual([
			`issue=1 id=${c.id} author=op`,
		]);
		expect(rig.asked(REACTIONS)).toHaveLength(2);
	});

	test("are not read for a stranger's comment, which is not told", async () => {
		issue("", "stranger");
		const c = say("crowded", "mallory");
		for (let n = 0; n < 60; n++) rig.standIn.acts.react(c, `fan${n}`, "heart");
		expect(await rig.search()).toBe("");
		expect(rig.asked(REACTIONS)).toEqual([]);
		expect(rig.state("graphql-degraded-issue_comments")).toBe("");
	});

	test("that cannot be read leave that comment out, and the search counts as partial", async () => {
		const c = await crowded(60, "heart");
		const other = say("not crowded");
		rig.standIn.faults.add({ on: REACTIONS, fault: { kind: "server" } });
		expect(headersIn(await rig.search())).toEqual([
			`issue=1 id=${other.id} author=op`,
		]);
		expect(rig.state("graphql-degraded-issue_comments")).toContain("count=1");
		expect(c.id).not.toBe(other.id);
	});

	test("are read for twenty calls a fire, and no more", async () => {
		issue("", "stranger");
		for (let i = 0; i < 25; i++) {
			const c = say(`c${i}`);
			for (let n = 0; n < 51; n++)
				rig.standIn.acts.react(c, `fan${n}`, "heart");
		}
		expect(headersIn(await rig.search())).toHaveLength(20);
		expect(rig.asked(REACTIONS)).toHaveLength(20);
		expect(rig.state("graphql-degraded-issue_comments")).toContain("count=1");
	});
});

describe("a page that is not whole", () => {
	test("is dropped, never salvaged: nulled reactions would make every answered comment look new", async () => {
		for (let n = 0; n < 12; n++) {
			issue("", "stranger");
			const c = say(`c${n}`, OPERATOR, n + 1);
			rig.standIn.acts.react(c, null, "eyes");
		}
		const late = say("late", OPERATOR, 12);
		rig.standIn.faults.add({
			on: /IssueComments/,
			times: 1,
			fault: { kind: "graphql-partial" },
		});
		expect(headersIn(await rig.search())).toEqual([
			`issue=12 id=${late.id} author=op`,
		]);
		expect(rows()[0]).toMatch(
			/^WARN issue_comments graphql_partial_walk reason=partial_resolution page 1 dropped, walk CONTINUES; lower monitor\.graphql\.search_page_size$/,
		);
		expect(rig.state("graphql-degraded-issue_comments")).toContain("count=1");
		await rig.search();
		expect(rig.state("graphql-degraded-issue_comments")).toBe("");
	});

	test.each<[string, Fault, string]>([
		["half an answer", { kind: "truncated" }, "malformed_page"],
		["no answer at all", { kind: "empty" }, "malformed_page"],
		["a server error", { kind: "server" }, "graphql_failure"],
		["a refusal", { kind: "forbidden" }, "graphql_failure"],
		["401, twice", { kind: "unauthorized" }, "graphql_failure"],
		[
			"errors and nothing else",
			{ kind: "graphql-errors", errors: [{ message: "boom" }] },
			"graphql_failure",
		],
	])(
		"%s: a row once in ten minutes, and the other searches go on",
		async (_name, fault, row) => {
			issue("hello");
			rig.standIn.faults.add({ on: /query IssueComments/, fault });
			for (let i = 0; i < 2; i++)
				expect(headersIn(await rig.search())).toEqual([
					"issue_new=1 id=1 author=op",
				]);
			expect(rows().filter((line) => line.includes(row))).toHaveLength(1);
			expect(rig.state("graphql-degraded-issue_comments")).toContain("count=2");
			expect(rig.state("graphql-degraded-new_issues")).toBe("");
		},
	);

	test("a server that does not answer in time", async () => {
		rig.standIn.faults.add({
			on: /query IssueComments/,
			fault: { kind: "stalled-body" },
		});
		await rig.inTime(rig.search());
		expect(rows()[0]).toStartWith(
			"WARN issue_comments graphql_failure graphql_timeout",
		);
	});

	test("a token that is refused in mid-walk is replaced once", async () => {
		for (let n = 0; n < 12; n++) issue(`i${n}`);
		rig.standIn.faults.add({
			on: GRAPHQL,
			after: 1,
			times: 1,
			fault: { kind: "unauthorized" },
		});
		expect(headersIn(await rig.search())).toHaveLength(12);
		expect(
			rig.asked("POST /app/installations/{installation_id}/access_tokens"),
		).toHaveLength(2);
	});
});

describe("a rate limit", () => {
	const limit = (errors: readonly unknown[]): Fault => ({
		kind: "graphql-errors",
		errors,
	});

	test("with status 200 mutes its surface alone, and is told once for its reset", async () => {
		issue("hello");
		rig.standIn.faults.add({
			on: /query IssueComments/,
			times: 1,
			fault: limit([{ type: "RATE_LIMITED", message: "slow down" }]),
		});
		const until = rig.doors.clock.now() + 900;
		expect(headersIn(await rig.search())).toEqual([
			`watcher_alert=rate-limit surface=issue_comments reset=${until}`,
			"issue_new=1 id=1 author=op",
		]);
		rig.forget();
		expect(headersIn(await rig.search())).toEqual([
			"issue_new=1 id=1 author=op",
		]);
		expect(queries()).toBe(2);
		// Neither a failure nor a success is noted while it is muted.
		expect(rig.state("graphql-degraded-issue_comments")).toContain("count=1");
		await rig.doors.clock.advance(901_000);
		rig.forget();
		await rig.search();
		expect(queries()).toBe(3);
		expect(rig.state("graphql-degraded-issue_comments")).toBe("");
	});

	test("of the secondary kind pauses REST as well, until the same moment", async () => {
		rig.standIn.faults.add({
			on: /query PrComments/,
			times: 1,
			fault: limit([{ message: "You have exceeded a secondary rate limit." }]),
		});
		await rig.search();
		const until = rig.doors.clock.now() + 60;
		expect(rig.state("graphql-backoff-pr_comments")).toStartWith(`${until}\n`);
		expect(rig.state("github-pause-core")).toContain(`until=${until}\n`);
	});
});

describe("the gate", () => {
	const gateRows = () =>
		rows().filter((row) => /graphql_gate|mint-token/.test(row));

	test.each([
		[4500, true],
		[200, true],
		[199, false],
		[150, false],
	])("with %p points left: %p", async (remaining, runs) => {
		rig.standIn.budgets.leave("graphql", remaining);
		await rig.search();
		expect(queries() > 0).toBe(runs);
		expect(gateRows()).toEqual(
			runs
				? []
				: [
						`WARN graphql_gate below_floor graphql.remaining=${remaining} threshold=200`,
					],
		);
	});

	test.each<[string, Fault, string]>([
		[
			"an answer without the figure",
			{ kind: "answer", status: 200, body: { resources: { core: {} } } },
			"probe_malformed",
		],
		["a server error", { kind: "server", status: 502 }, "probe_failed"],
		["401, twice", { kind: "unauthorized" }, "probe_failed"],
		["a limit", { kind: "primary" }, "probe_failed"],
	])("skips a fire at %s", async (_name, fault, kind) => {
		rig.standIn.faults.add({ on: RATE, fault });
		expect(await rig.search()).toBe("");
		expect(queries()).toBe(0);
		expect(gateRows()[0]).toStartWith(`WARN graphql_gate ${kind} `);
	});

	test("says so once in ten minutes for each kind", async () => {
		for (const seconds of [0, 300, 400]) {
			await rig.doors.clock.advance(seconds * 1000);
			rig.standIn.budgets.leave("graphql", 10);
			await rig.search();
		}
		expect(gateRows()).toHaveLength(2);
	});

	test("without a token says what that means, and after half an hour tells the operator", async () => {
		rig.standIn.faults.add({
			on: "POST /app/installations/{installation_id}/access_tokens",
			fault: { kind: "server" },
		});
		expect(await rig.search()).toBe("");
		expect(gateRows()[0]).toMatch(
			/^WARN mint-token .*HTTP 50\d.*eligible comments will not surface until minting recovers$/,
		);
		await rig.doors.clock.advance(1_801_000);
		expect(headersIn(await rig.search())).toEqual(
			["issue_comments", "pr_comments", "new_issues"].map(
				(surface) =>
					`watcher_alert=ingest-degraded surface=${surface} kind=total held_s=1801 failures=2`,
			),
		);
	});
});
