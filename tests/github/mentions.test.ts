/** Comments of other repositories: who is meant, which are new, and which repositories count. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { lookAtMention } from "../../monitor/_github/mention-look.ts";
import {
	type Candidate,
	nextCursor,
} from "../../monitor/_github/mention-walk.ts";
import { QUERIES } from "../../monitor/_github/queries.ts";
import { asksToSkip, mentions } from "../../monitor/_state/emit-block-words.ts";
import {
	type CommentBlock,
	parseBlocks,
} from "../../monitor/_state/emit-blocks.ts";
import { parseMentionCursor } from "../../monitor/_state/mention-cursor.ts";
import { OPERATOR, REPO } from "./rig.ts";
import {
	GRAPHQL,
	OTHER,
	openSources,
	type SourceRig,
	type SourceRigOptions,
} from "./source-rig.ts";

const REPOS = "GET /installation/repositories";
const PUBLIC = "world/stage";
let rig: SourceRig;
const open = async (opts: SourceRigOptions = {}) => {
	await rig?.close();
	rig = openSources(opts);
	// The App is not installed there, but everybody can read it.
	rig.standIn.acts.createRepo(PUBLIC, { installed: false, isPrivate: false });
};
beforeEach(() => open());
afterEach(async () => {
	await rig.close();
	expect(rig.standIn.problems).toEqual([]);
});
const headersIn = (text: string) =>
	text.split("\n").filter((line) => /^\S/.test(line));
/** One search: what it staged, then what it queued. */
const poll = async (changed = rig.config) =>
	(await rig.search(undefined, changed)) + (await rig.drain());
const say = (repo: string, body: string, user = OPERATOR) => {
	const found = rig.standIn.place.state.repos.find((r) => r.fullName === repo);
	if (found?.issues.length === 0)
		rig.standIn.acts.openIssue(repo, { user: "somebody", title: "x" });
	return rig.standIn.acts.comment(repo, 1, user, body);
};

describe("the search for mentions of the bot", () => {
	test("finds comments and openings where it is installed, and nowhere else", async () => {
		const { acts } = rig.standIn;
		const c = say(OTHER, "@hub-bot please");
		acts.openPull(OTHER, {
			user: OPERATOR,
			title: "Two",
			body: "see @Hub-Bot, ok?",
			head: "work",
		});
		say(REPO, "@hub-bot at home");
		say(PUBLIC, "@hub-bot out there");
		say(OTHER, "@hub-botx is another");
		const told = headersIn(await poll()).filter((line) =>
			line.startsWith("mention="),
		);
		expect(told).toEqual([
			expect.stringMatching(
				/^mention=acme\/other kind=pr n=2 id=\d+ author=op src=body$/,
			),
			`mention=${OTHER} kind=issue n=1 id=${c.id} author=op`,
		]);
	});

	test("tells each once, by a cursor of its own for each table", async () => {
		const first = say(OTHER, "@hub-bot one");
		await poll();
		expect(rig.state("last-bot-mention-cursor.txt")).toBe(
			`comment=${first.id}\nissue=0\npull=0\n`,
		);
		const issue = rig.standIn.acts.openIssue(OTHER, {
			user: OPERATOR,
			title: "y",
			body: "@hub-bot two",
		});
		const told = headersIn(await poll());
		expect(told).toEqual([
			`mention=${OTHER} kind=issue n=2 id=${issue.id} author=op src=body`,
		]);
		expect(rig.state("last-bot-mention-cursor.txt")).toBe(
			`comment=${first.id}\nissue=${issue.id}\npull=0\n`,
		);
		expect(await poll()).toBe("");
		const pull = rig.standIn.acts.openPull(OTHER, {
			user: OPERATOR,
			title: "z",
			body: "@hub-bot three",
			head: "work",
		});
		expect(headersIn(await poll())).toHaveLength(1);
		expect(rig.state("last-bot-mention-cursor.txt")).toBe(
			`comment=${first.id}\nissue=${issue.id}\npull=${pull.id}\n`,
		);
		expect(await poll()).toBe("");
	});

	test("goes on behind the largest of a page, in whatever order it lists them", async () => {
		const older = say(OTHER, "@hub-bot older");
		rig.standIn.acts.openIssue(OTHER, { user: "somebody", title: "y" });
		const newer = rig.standIn.acts.comment(
			OTHER,
			2,
			OPERATOR,
			"@hub-bot newer",
		);
		const line = (n: number, id: number) =>
			`mention=${OTHER} kind=issue n=${n} id=${id} author=op`;
		expect(headersIn(await poll())).toEqual([
			line(2, newer.id),
			line(1, older.id),
		]);
		expect(rig.state("last-bot-mention-cursor.txt")).toContain(
			`comment=${newer.id}\n`,
		);
		expect(await poll()).toBe("");
	});

	test("leaves out what is answered, and its cursor where it is", async () => {
		const c = say(OTHER, "@hub-bot done");
		rig.standIn.acts.react(c, null, "eyes");
		expect(await poll()).toBe("");
		expect(rig.state("last-bot-mention-cursor.txt")).toBe("");
	});

	test("does not pass one whose reactions nobody could read", async () => {
		const c = say(OTHER, "@hub-bot crowded");
		for (let n = 0; n < 12; n++) rig.standIn.acts.react(c, `fan${n}`, "heart");
		const later = say(OTHER, "@hub-bot later");
		const cure = rig.standIn.faults.add({
			on: "GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
			fault: { kind: "server" },
		});
		const line = (id: number) =>
			`mention=${OTHER} kind=issue n=1 id=${id} author=op`;
		expect(headersIn(await poll())).toEqual([line(later.id)]);
		cure();
		// The later one again: rather twice than one never.
		expect(headersIn(await poll())).toEqual([line(c.id), line(later.id)]);
		expect(await poll()).toBe("");
	});

	test("names the bot in the whole text, wherever its preview ends", async () => {
		say(OTHER, `${"x".repeat(500)} @hub-bot`);
		expect(headersIn(await poll())[0]).toEndWith("author=op _addr=1");
	});

	test("without a bot is not made", async () => {
		await open({ config: { "github.bot_login": "" } });
		say(OTHER, "@hub-bot hello");
		rig.forget();
		await poll();
		expect(rig.asked(GRAPHQL)).toHaveLength(3);
	});

	test("without a known repository tells nothing", async () => {
		say(OTHER, "@hub-bot hello");
		rig.standIn.faults.add({ on: REPOS, fault: { kind: "server" } });
		expect(await poll()).toBe("");
	});

	test("that cannot queue what it found stages it, and finds it again", async () => {
		const c = say(OTHER, "@hub-bot hello");
		const line = `mention=${OTHER} kind=issue n=1 id=${c.id} author=op`;
		const path = "/s/deliveries-queue.lines";
		const heal = rig.doors.files.faults.fail({ path, code: "ENOSPC" });
		expect(headersIn(await rig.search())).toEqual([line]);
		expect(rig.state("last-bot-mention-cursor.txt")).toBe("");
		heal();
		expect(await rig.search()).toBe("");
		expect(headersIn(await rig.drain())).toEqual([line]);
	});

	test("that is not whole is made again from the same place", async () => {
		say(OTHER, "@hub-bot hello");
		rig.standIn.faults.add({
			on: /query BotMentions/,
			times: 1,
			fault: { kind: "graphql-partial" },
		});
		expect(await poll()).toBe("");
		expect(headersIn(await poll())).toHaveLength(1);
	});

	test("that meets a limit is muted like the others", async () => {
		rig.standIn.faults.add({
			on: /query BotMentions/,
			times: 1,
			fault: { kind: "graphql-errors", errors: [{ type: "RATE_LIMITED" }] },
		});
		expect(headersIn(await poll())[0]).toStartWith(
			"watcher_alert=rate-limit surface=bot_mentions ",
		);
		rig.forget();
		await poll();
		expect(rig.asked(GRAPHQL)).toHaveLength(3);
	});
});

describe("the search for mentions of the operator", () => {
	const ON = { "monitor.mentions_enabled": true } as const;

	test("is off by default, and then finds what the bot cannot answer", async () => {
		const c = say(PUBLIC, "cc @op");
		say(OTHER, "cc @op where the bot is");
		expect(await poll()).toBe("");
		const changed = { ...rig.config, ...ON };
		expect(headersIn(await poll(changed))).toEqual([
			`cross_repo=${PUBLIC} kind=issue n=1 id=${c.id} author=op`,
		]);
		expect(rig.state("last-mention-cursor.txt")).toContain(`comment=${c.id}\n`);
	});

	test("takes every repository for one without the bot, when nobody knows which have it", async () => {
		await open({ config: ON });
		rig.standIn.faults.add({ on: REPOS, fault: { kind: "server" } });
		say(OTHER, "cc @op");
		expect(headersIn(await poll())).toHaveLength(1);
	});
});

describe("the list of installed repositories", () => {
	test("is asked for once a day, and kept when it cannot be had", async () => {
		await poll();
		await poll();
		expect(rig.asked(REPOS)).toHaveLength(1);
		expect(rig.state("bot-installed-repos.txt")).toBe(`${REPO}\n${OTHER}\n`);
		rig.standIn.faults.add({ on: REPOS, fault: { kind: "truncated" } });
		await rig.doors.clock.advance(86_401_000);
		const c = say(OTHER, "@hub-bot still found");
		expect(headersIn(await poll())[0]).toContain(`id=${c.id}`);
		expect(rig.asked(REPOS)).toHaveLength(2);
	});

	test("without the configured repository says so, once a day: it was renamed, or closed to the App", async () => {
		await rig.close();
		rig = openSources({ config: { "github.repo": "acme/old" } });
		expect(await rig.search()).toContain(
			"watcher_alert=home-not-installed repo=acme/old\n  body: GitHub does not name acme/old among",
		);
		expect(rig.alerts().join()).toContain(
			"ALERT home_not_installed repo=acme/old",
		);
		expect(await rig.search()).not.toContain("home-not-installed");
	});

	test("is read page by page", async () => {
		for (let n = 0; n < 120; n++) rig.standIn.acts.createRepo(`acme/r${n}`);
		await poll();
		expect(rig.asked(REPOS)).toHaveLength(2);
		expect(rig.state("bot-installed-repos.txt").split("\n")).toHaveLength(123);
	});
});

test("every query passes GitHub's schema and its limit of nodes at the largest page", async () => {
	await open({
		config: {
			"monitor.graphql.search_page_size": 100,
			"monitor.mentions_enabled": true,
		},
	});
	await poll();
	expect(rig.asked(GRAPHQL)).toHaveLength(Object.keys(QUERIES).length);
	expect(rig.alerts()).toEqual([]);
});

test.each([
	["@hub-bot, please", true],
	["(@Hub-Bot)", true],
	["`@hub-bot`", true],
	["@hub-bot[bot] go", true],
	["@hub-bot", true],
	["@hub-botx", false],
	["@hub-bot-2", false],
	["@hub-bot_x", false],
	["me@hub-bot.example", false],
	["_@hub-bot", false],
	["hub-bot", false],
	["", false],
])("%p names the bot: %p", (text, named) => {
	expect(mentions(text, "hub-bot")).toBe(named);
	expect(mentions(text, "Hub-Bot[bot]")).toBe(named);
	expect(mentions(text, "")).toBe(false);
});

test.each([
	["/skip", true],
	["/SKIP note", true],
	[" \t /nexus-skip x", true],
	["\n/skip\nlater", true],
	["a <!-- nexus:skip --> b", true],
	["/skipfoo", false],
	["/skip-x", false],
	["/skip: later", false],
	["text /skip", false],
	["<!--nexus:skip-->", false],
])("%p asks not to be heard: %p", (text, asks) => {
	expect(asksToSkip(text)).toBe(asks);
});

test("looking for words takes time in proportion to the text", () => {
	const nasty = ["@".repeat(200_000), " ".repeat(200_000), "/".repeat(200_000)];
	for (const text of [...nasty, `${"@hub-bo".repeat(40_000)}`]) {
		expect(mentions(text, "hub-bot")).toBe(false);
		expect(asksToSkip(text)).toBe(false);
	}
});

test.each([
	["comment=3\nissue=2\npull=1\n", { comment: 3n, issue: 2n, pull: 1n }],
	["42\n", { comment: 42n, issue: 0n, pull: 0n }],
	["comment=3\n", { comment: 3n, issue: 0n, pull: 0n }],
	["comment=x\n", null],
	["hello\n", null],
	["", null],
])("a cursor %p", (text, cursor) => {
	expect(parseMentionCursor(text)).toEqual(cursor);
});

test.each([
	["the largest told, not the last", [7n, 9n, 8n], [], 9n],
	["never back", [3n], [], 5n],
	["not past one that nobody could judge", [7n, 9n], [8n], 7n],
	["not up to one that nobody could judge either", [7n], [9n], 7n],
	["before the first of several of those", [9n], [8n, 6n], 5n],
])("the next cursor: %s", (_name, told, unknown, comment) => {
	const at = (ids: readonly bigint[]) =>
		ids.map((id) => ({ table: "comment", id }) as Candidate);
	const cursor = { comment: 5n, issue: 1n, pull: 2n };
	expect(nextCursor(cursor, at(told), at(unknown))).toEqual({
		...cursor,
		comment,
	});
});

describe("a look at a comment in the registry", () => {
	const block = (header: string) =>
		parseBlocks(`${header}\n  body: x`)[0] as CommentBlock;
	const look = (header: string, closedEnds = true) =>
		lookAtMention(
			{
				gitHub: rig.gitHub,
				operator: OPERATOR,
				closedEnds,
				signal: new AbortController().signal,
			},
			block(header),
		);
	const on = (id: number) =>
		`mention=${OTHER} kind=issue n=1 id=${id} author=op`;

	test("sees a rocket behind a hundred hearts, and behind eyes", async () => {
		const c = say(OTHER, "x");
		rig.standIn.acts.react(c, "hub-bot[bot]", "eyes");
		for (let n = 0; n < 120; n++) rig.standIn.acts.react(c, `fan${n}`, "heart");
		expect(await look(on(c.id))).toEqual({ kind: "eyes" });
		rig.standIn.acts.react(c, "hub-bot[bot]", "rocket");
		expect(await look(on(c.id))).toEqual({ kind: "rocket" });
	});

	test("does not count the operator's own reactions", async () => {
		const c = say(OTHER, "x");
		rig.standIn.acts.react(c, OPERATOR, "eyes");
		rig.standIn.acts.react(c, OPERATOR, "rocket");
		expect(await look(on(c.id))).toEqual({ kind: "none" });
	});

	test("asks about a closed issue only when eyes on it end it", async () => {
		const c = say(OTHER, "x");
		rig.standIn.acts.react(c, "hub-bot[bot]", "eyes");
		const issue = rig.standIn.place.state.repos.find(
			(r) => r.fullName === OTHER,
		)?.issues[0];
		if (issue === undefined) throw new Error("no issue");
		rig.standIn.acts.setIssueState(issue, "closed");
		expect(await look(on(c.id), false)).toEqual({ kind: "eyes" });
		expect(await look(on(c.id))).toEqual({ kind: "eyes-closed" });
	});

	test("looks at the issue for its opening", async () => {
		const issue = rig.standIn.acts.openIssue(OTHER, {
			user: OPERATOR,
			title: "x",
		});
		rig.standIn.acts.react(issue, "hub-bot[bot]", "rocket");
		const header = `mention=${OTHER} kind=issue_new n=1 id=1 author=op src=body`;
		expect(await look(header)).toEqual({ kind: "rocket" });
	});

	test("tells what is lost from what could not be seen", async () => {
		say(OTHER, "x");
		expect(await look(on(77))).toEqual({ kind: "lost", target: "comment:77" });
		expect(
			await look(`mention=${OTHER} kind=pr_review n=1 id=5 author=op path=?`),
		).toEqual({ kind: "lost", target: "none" });
		rig.standIn.faults.add({ on: /reactions/, fault: { kind: "server" } });
		expect(await look(on(77))).toEqual({ kind: "unknown" });
	});
});
