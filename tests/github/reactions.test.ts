import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	isDecided,
	isEligible,
	type Mark,
	readMarks,
} from "../../monitor/_github/eligibility.ts";
import {
	reactionsPath,
	readReactions,
	targetState,
} from "../../monitor/_github/reactions.ts";
import type { Target } from "../../monitor/_state/emit-block-target.ts";
import { OPERATOR, openRig, REPO, type Rig } from "./rig.ts";
import type { Comment, ReactionContent } from "./stand-in/world.ts";

const mark = (content: string, user: string | null): Mark => ({
	content,
	user,
});

test.each([
	["nothing", [], true],
	["the operator's eyes", [mark("EYES", "op")], true],
	["the operator's eyes, spelled otherwise", [mark("EYES", "OP")], true],
	["the bot's eyes", [mark("EYES", "hub-bot")], false],
	["eyes of nobody", [mark("EYES", null)], false],
	["the operator's rocket", [mark("ROCKET", "op")], false],
	["a rocket of nobody", [mark("ROCKET", null)], false],
	["a thumb of another", [mark("THUMBS_UP", "other")], true],
	[
		"all that mean nothing",
		["THUMBS_UP", "THUMBS_DOWN", "LAUGH", "CONFUSED", "HEART", "HOORAY"].map(
			(c) => mark(c, null),
		),
		true,
	],
	[
		"the bot's eyes behind hearts",
		[mark("HEART", "a"), mark("EYES", "hub-bot[bot]")],
		false,
	],
	["marks that are unknown", null, false],
])("%s: eligible is %p", (_name, marks, eligible) => {
	expect(isEligible(marks, "op")).toBe(eligible);
});

test("without an operator all eyes are another's, and a rocket is a rocket", () => {
	expect(isEligible([mark("ROCKET", "x")], "")).toBe(false);
	expect(isEligible([mark("EYES", "x")], "")).toBe(false);
	expect(isEligible([mark("EYES", "")], "")).toBe(false);
});

test.each([
	[
		"REST's",
		[{ content: "eyes", user: { login: "op" } }],
		[mark("EYES", "op")],
	],
	["GraphQL's", [{ content: "ROCKET", user: null }], [mark("ROCKET", null)]],
	["nothing", [], []],
	["a list with a hole", [{ content: "eyes", user: null }, null], null],
	["a mark without content", [{ user: null }], null],
	["null", null, null],
	["an object", { nodes: [] }, null],
])("%s marks are read, and doubtful ones are unknown", (_name, raw, marks) => {
	expect(readMarks(raw)).toEqual(marks);
});

test.each<[Target, string, string | null]>([
	[
		{ kind: "comment", id: "5" },
		"acme/hub",
		"repos/acme/hub/issues/comments/5/reactions",
	],
	[
		{ kind: "review_comment", id: "5" },
		"acme/hub",
		"repos/acme/hub/pulls/comments/5/reactions",
	],
	[
		{ kind: "issue", number: "5" },
		"acme/hub",
		"repos/acme/hub/issues/5/reactions",
	],
	[{ kind: "none" }, "acme/hub", null],
	[{ kind: "comment", id: "5/../../x" }, "acme/hub", null],
	[{ kind: "comment", id: "" }, "acme/hub", null],
	[{ kind: "issue", number: "5" }, "acme/../app", null],
	[{ kind: "issue", number: "5" }, "../hub", null],
	[{ kind: "issue", number: "5" }, "acme/hub{?x}", null],
])("%o in %s is asked at %p", (target, repo, path) => {
	expect(reactionsPath(repo, target)).toBe(path);
});

describe("reading to the deciding page", () => {
	const ROUTE =
		"GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";
	let rig: Rig;
	let comment: Comment;
	beforeEach(() => {
		rig = openRig();
		rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
		comment = rig.standIn.acts.comment(REPO, 1, OPERATOR, "hello");
	});
	afterEach(async () => {
		await rig.close();
		expect(rig.standIn.problems).toEqual([]);
	});
	/** Hearts of many people, with one other mark at `place` (1 first). */
	function many(
		count: number,
		place = 0,
		content: ReactionContent = "heart",
		user = "x",
	): void {
		for (let i = 1; i <= count; i++)
			rig.standIn.acts.react(
				comment,
				i === place ? user : `fan-${i}`,
				i === place ? content : "heart",
			);
	}
	const look = () =>
		readReactions(
			rig.gitHub,
			REPO,
			{ kind: "comment", id: String(comment.id) },
			(marks) => isDecided(marks, OPERATOR),
		);
	const calls = () =>
		rig.standIn.requests.filter((r) => r.route === ROUTE).length;

	test.each([
		["a rocket at place 120 of 130", 130, 120, "rocket", 2, false],
		["the bot's eyes at place 3 of 130", 130, 3, "eyes", 1, false],
		["130 hearts", 130, 0, "heart", 2, true],
		["nothing", 0, 0, "heart", 1, true],
	] as const)(
		"%s",
		async (_name, count, place, content, expected, eligible) => {
			many(count, place, content, "hub-bot[bot]");
			const got = await look();
			expect(calls()).toBe(expected);
			expect(got.kind === "marks" && isEligible(got.marks, OPERATOR)).toBe(
				eligible,
			);
		},
	);

	test("a page that fails is unknown, whatever was seen before", async () => {
		many(130);
		rig.standIn.faults.add({ on: ROUTE, fault: { kind: "server" }, after: 1 });
		expect(await look()).toMatchObject({
			kind: "unknown",
			failure: { kind: "server" },
		});
	});

	test("a token that is void in mid-list costs a new one and no page", async () => {
		many(130);
		rig.standIn.faults.add({
			on: ROUTE,
			fault: { kind: "unauthorized" },
			after: 1,
			times: 1,
		});
		const got = await look();
		expect(got.kind === "marks" && got.marks.length).toBe(130);
	});

	test("an eleventh page is unknown, never none", async () => {
		many(1001);
		expect((await look()).kind).toBe("unknown");
		expect(calls()).toBe(10);
	});

	test("a Link that leads to another host leads nowhere: its number is asked of our own", async () => {
		many(130, 120, "rocket");
		const seen: string[] = [];
		const thief = Bun.serve({
			hostname: "127.0.0.1",
			port: 0,
			fetch: (request) => {
				seen.push(request.url);
				return Response.json([]);
			},
		});
		const origin = `http://127.0.0.1:${thief.port}`;
		rig.standIn.faults.add({
			on: ROUTE,
			fault: { kind: "foreign-links", origin },
		});
		const got = await look();
		expect(got.kind === "marks" && isEligible(got.marks, OPERATOR)).toBe(false);
		expect([calls(), seen]).toEqual([2, []]);
		await thief.stop(true);
	});

	test.each(["page=1", "page=7", "page=2&page=9"])(
		"a Link that goes astray (%s) does not go round for ever",
		async (query) => {
			many(250);
			const link = `<${rig.standIn.url}/x?${query}>; rel="next"`;
			rig.standIn.faults.add({
				on: ROUTE,
				fault: { kind: "answer", status: 200, body: [], headers: { link } },
			});
			expect((await look()).kind).toBe("unknown");
			expect(calls()).toBeLessThanOrEqual(10);
		},
	);

	test("what has no reactions is not asked for them", async () => {
		const got = await readReactions(
			rig.gitHub,
			REPO,
			{ kind: "none" },
			() => false,
		);
		expect([got.kind, rig.standIn.requests.length]).toEqual(["unknown", 0]);
	});

	test("a thing that is gone is unknown, and says so", async () => {
		const target = { kind: "comment", id: "99" } as const;
		expect(
			await readReactions(rig.gitHub, REPO, target, () => false),
		).toMatchObject({ failure: { kind: "not_found" } });
	});

	test("an issue is open, closed or unknown", async () => {
		expect(await targetState(rig.gitHub, REPO, "1")).toBe("open");
		const issue = rig.standIn.place.state.repos[0]?.issues[0];
		if (issue !== undefined) rig.standIn.acts.setIssueState(issue, "closed");
		expect(await targetState(rig.gitHub, REPO, "1")).toBe("closed");
		expect(await targetState(rig.gitHub, REPO, "9")).toMatchObject({
			kind: "unknown",
		});
		expect(await targetState(rig.gitHub, REPO, "1/../..")).toMatchObject({
			kind: "unknown",
		});
	});
});
