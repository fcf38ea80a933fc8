/** The stand-in is held to what GitHub publishes, or the tests that stand on it prove nothing. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NOW, REPO, testApp } from "./rig.ts";
import { misfits, webhookPayload } from "./stand-in/openapi.ts";
import { type StandIn, startStandIn } from "./stand-in/server.ts";
import type { Issue } from "./stand-in/world.ts";

const TOKEN = "ghs_test";
const PERSON = "ghp_operator";
let standIn: StandIn;
let issue: Issue;
let ids: Readonly<Record<string, string>>;

beforeAll(() => {
	standIn = startStandIn({ app: testApp(), now: () => NOW });
	const { acts, place } = standIn;
	acts.createRepo(REPO);
	place.state.installationTokens.push({
		token: TOKEN,
		installation: 456,
		expiresAt: NOW + 3600,
	});
	place.state.userTokens[PERSON] = "op";
	const head = acts.commitFile(REPO, "README.md", "hello\n");
	acts.commitFile(REPO, "docs/a.md", "a\n", "topic");
	issue = acts.openIssue(REPO, { user: "op", title: "An issue", body: "text" });
	const pull = { user: "op", title: "A pull request", head: "topic" };
	acts.openPull(REPO, pull);
	const comment = acts.comment(REPO, 1, "op", "a comment");
	const inline = acts.reviewComment(REPO, 2, "op", {
		body: "inline",
		path: "docs/a.md",
	});
	const review = acts.submitReview(REPO, 2, "op", { body: "a review" });
	const { reaction } = acts.react(issue, "op", "heart");
	acts.react(comment, "op", "rocket");
	const commit = place.state.repos[0]?.git.commits[head];
	ids = {
		comment: String(comment.id),
		inline: String(inline.id),
		review: String(review.id),
		reaction: String(reaction.id),
		head,
		tree: commit?.tree ?? "",
		blob: "ce013625030ba8dba906f756967f9e9ca394464a",
	};
});
afterAll(() => standIn.stop());
afterEach(() => {
	standIn.faults.clear();
});

interface Asked {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	readonly json: unknown;
}

async function ask(
	line: string,
	body?: unknown,
	token = TOKEN,
): Promise<Asked> {
	const [method, path = ""] = line.split(" ");
	const filled = path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? name);
	const answer = await fetch(standIn.url + filled, {
		method: method ?? "GET",
		headers: { authorization: `Bearer ${token}`, "user-agent": "test" },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		redirect: "manual",
	});
	const text = await answer.text();
	const { status, headers } = answer;
	const isJson = headers.get("content-type")?.includes("json") && text !== "";
	return { status, headers, text, json: isJson ? JSON.parse(text) : null };
}

const R = `/repos/${REPO}`;
const ROWS: readonly (readonly [string, number, unknown?])[] = [
	["GET /rate_limit", 200],
	["GET /installation/repositories?per_page=100&page=1", 200],
	[`GET ${R}`, 200],
	[`GET ${R}/issues?state=all&labels=x`, 200],
	[`POST ${R}/issues`, 201, { title: "t", body: "b", labels: ["x"] }],
	[`GET ${R}/issues/1`, 200],
	[`GET ${R}/issues/99`, 404],
	[`PATCH ${R}/issues/1`, 200, { body: "new text" }],
	[`GET ${R}/issues/1/comments?per_page=1`, 200],
	[`POST ${R}/issues/1/comments`, 201, { body: "b" }],
	[`POST ${R}/issues/1/comments`, 422, { body: " " }],
	[`GET ${R}/issues/comments/{comment}`, 200],
	[`PATCH ${R}/issues/comments/{comment}`, 200, { body: "c" }],
	[`GET ${R}/issues/1/reactions`, 200],
	[`POST ${R}/issues/1/reactions`, 201, { content: "eyes" }],
	[`POST ${R}/issues/1/reactions`, 200, { content: "eyes" }],
	[`DELETE ${R}/issues/1/reactions/{reaction}`, 204],
	[`GET ${R}/issues/comments/{comment}/reactions`, 200],
	[`POST ${R}/issues/comments/{comment}/reactions`, 201, { content: "+1" }],
	[`GET ${R}/pulls/comments/{inline}/reactions`, 200],
	[`POST ${R}/pulls/comments/{inline}/reactions`, 201, { content: "eyes" }],
	[`GET ${R}/pulls`, 200],
	[`GET ${R}/pulls/2`, 200],
	[`GET ${R}/pulls/1`, 404],
	[`PATCH ${R}/pulls/2`, 200, { title: "new" }],
	[`GET ${R}/pulls/2/comments`, 200],
	[`GET ${R}/pulls/comments/{inline}`, 200],
	[`POST ${R}/pulls/2/comments/{inline}/replies`, 201, { body: "reply" }],
	[`GET ${R}/pulls/2/reviews`, 200],
	[`GET ${R}/pulls/2/reviews/{review}`, 200],
	[`POST ${R}/pulls/2/reviews`, 200, { body: "r", event: "COMMENT" }],
	[`POST ${R}/pulls/2/requested_reviewers`, 201, { reviewers: ["rev"] }],
	[`GET ${R}/git/ref/heads/main`, 200],
	[`GET ${R}/git/commits/{head}`, 200],
	[`GET ${R}/git/trees/{tree}`, 200],
	[`GET ${R}/git/trees/{tree}?recursive=1`, 200],
	[`GET ${R}/git/blobs/{blob}`, 200],
	[`POST ${R}/git/blobs`, 201, { content: "aGk=", encoding: "base64" }],
	[
		`POST ${R}/git/trees`,
		201,
		{
			tree: [
				{
					path: "x/y.md",
					mode: "100644",
					type: "blob",
					sha: "ce013625030ba8dba906f756967f9e9ca394464a",
				},
			],
		},
	],
	[`GET ${R}/contents/README.md?ref=main`, 200],
	[`PUT ${R}/contents/n.md`, 201, { message: "m", content: "aGk=" }],
	[`PUT ${R}/contents/n.md`, 422, { message: "m", content: "aGk=" }],
	[`GET ${R}/compare/{head}...main`, 200],
	[`PUT ${R}/pulls/2/merge`, 200, { merge_method: "squash" }],
	[`DELETE ${R}/git/refs/heads/topic`, 204],
	[`DELETE ${R}/issues/comments/{comment}`, 204],
];

test.each(ROWS.map(([line, status, body]) => [line, status, body] as const))(
	"%s answers %d as GitHub describes it",
	async (line, status, body) => {
		const before = standIn.problems.length;
		const got = await ask(line, body);
		expect([got.status, standIn.problems.slice(before)]).toEqual([status, []]);
		expect(got.headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
	},
);

test.each([
	"GET /app",
	"GET /app/installations/456",
	"GET /app/hook/deliveries",
])(
	"%s is the App's own, and a token of its installation is refused",
	async (line) => {
		expect((await ask(line)).status).toBe(401);
	},
);

test("a person is told who he is, an installation is nobody", async () => {
	const before = standIn.problems.length;
	const self = await ask("GET /user", undefined, PERSON);
	expect(self).toMatchObject({ status: 200, json: { login: "op" } });
	expect((await ask("GET /user")).status).toBe(403);
	expect(standIn.problems.slice(before)).toEqual([]);
});

test.each([
	["GET /nowhere", undefined, "no such route"],
	[`GET ${R}/issues/1?frobnicate=1`, undefined, "frobnicate"],
	[`GET ${R}/issues?state=odd`, undefined, "state"],
	[`POST ${R}/issues/1/comments`, { text: "b" }, "text is not described"],
	[`POST ${R}/issues/1/reactions`, { content: "thumbsup" }, "content"],
	[`PATCH ${R}/git/refs/heads/main`, { force: false }, "sha"],
])(
	"%s is not what GitHub describes, and is noted",
	async (line, body, names) => {
		const before = standIn.problems.length;
		const got = await ask(line, body);
		expect([404, 422]).toContain(got.status);
		expect(standIn.problems.slice(before).join()).toContain(names);
	},
);

test("every payload in the delivery log is one that GitHub describes", () => {
	const { deliveries } = standIn.place.state;
	const events = new Set(deliveries.map((d) => `${d.event} ${d.action}`));
	expect([...events].sort()).toEqual([
		"issue_comment created",
		"issues opened",
		"pull_request opened",
		"pull_request_review submitted",
		"pull_request_review_comment created",
	]);
	for (const { event, action, payload } of deliveries) {
		const name = `${event}-${action}`.replaceAll("_", "-");
		const schema = webhookPayload(name);
		expect([name, schema && misfits(payload, schema)]).toEqual([name, []]);
	}
});

test("a ref moves forward only, unless it is forced", async () => {
	const other = standIn.acts.commitFile(REPO, "b.md", "b", "elsewhere");
	const main = standIn.place.state.repos[0]?.git.refs["refs/heads/main"];
	const line = `PATCH ${R}/git/refs/heads/main`;
	const refused = await ask(line, { sha: other, force: false });
	expect([refused.status, refused.json]).toMatchObject([
		422,
		{ message: "Update is not a fast forward" },
	]);
	expect((await ask(line, { sha: other, force: true })).status).toBe(200);
	expect((await ask(line, { sha: main, force: true })).status).toBe(200);
});

test("an installation token expires, and one for a repository that it does not open finds nothing", async () => {
	standIn.acts.createRepo("other/secret", { installed: false });
	expect((await ask("GET /repos/other/secret")).status).toBe(404);
	expect((await ask("GET /repos/other/secret", undefined, PERSON)).status).toBe(
		200,
	);
	standIn.skewClock(3600);
	expect((await ask(`GET ${R}`)).status).toBe(401);
	standIn.skewClock(0);
	expect((await ask(`GET ${R}`)).status).toBe(200);
	expect((await ask(`GET ${R}`, undefined, "ghs_unknown")).status).toBe(401);
});

test("an attachment is open to a person, closed to an App, and lies on another host", async () => {
	const url = standIn.acts.attach("assets/1", "image/png", Buffer.from("PNG"));
	const path = url.replace(standIn.url, "");
	expect((await ask(`GET ${path}`)).status).toBe(404);
	const there = await ask(`GET ${path}`, undefined, PERSON);
	const location = there.headers.get("location") ?? "";
	expect([there.status, new URL(location).origin === standIn.url]).toEqual([
		302,
		false,
	]);
	expect(await (await fetch(location)).text()).toBe("PNG");
});

test("an empty bucket refuses, in the headers, in REST and in GraphQL", async () => {
	standIn.budgets.leave("core", 0, NOW + 60);
	const rest = await ask(`GET ${R}`);
	expect([rest.status, rest.headers.get("x-ratelimit-reset")]).toEqual([
		403,
		String(NOW + 60),
	]);
	standIn.budgets.leave("graphql", 0);
	const graphql = await ask("POST /graphql", { query: "{ viewer { login } }" });
	expect(graphql.json).toMatchObject({ errors: [{ type: "RATE_LIMITED" }] });
	standIn.budgets.leave("core", 5000);
	standIn.budgets.leave("graphql", 5000);
});

const SEARCH = `query($q: String!, $first: Int!, $after: String) {
	search(type: ISSUE, query: $q, first: $first, after: $after) {
		pageInfo { hasNextPage endCursor }
		nodes { ... on Issue { number } ... on PullRequest { number merged: closed } } } }`;

interface SearchPage {
	readonly pageInfo: {
		readonly hasNextPage: boolean;
		readonly endCursor: string;
	};
	readonly nodes: readonly { readonly number: number }[];
}

test("a search walks its pages by cursor, in the order of creation", async () => {
	standIn.acts.createRepo("acme/walk");
	for (const title of ["a", "b", "c"])
		standIn.acts.openIssue("acme/walk", { user: "op", title });
	const q = "repo:acme/walk is:issue is:open sort:created-asc";
	const found: number[] = [];
	let after: string | undefined;
	for (;;) {
		const variables = { q, first: 1, ...(after ? { after } : {}) };
		const { json } = await ask("POST /graphql", { query: SEARCH, variables });
		const { search: page } = (json as { data: { search: SearchPage } }).data;
		found.push(...page.nodes.map((n) => n.number));
		if (!page.pageInfo.hasNextPage) break;
		after = page.pageInfo.endCursor;
	}
	expect(found).toEqual([1, 2, 3]);
});

test.each([
	[
		'{ search(type: ISSUE, query: "x", first: 1) { nodes { ... on Issue { no } } } }',
		"Cannot query field",
	],
	[
		'{ search(type: ISSUE, query: "x") { issueCount } }',
		"must provide a `first` or `last`",
	],
	[
		'{ search(type: ISSUE, query: "x", first: 101) { issueCount } }',
		"exceeds the limit of 100",
	],
	[
		'{ search(type: ISSUE, query: "x", first: 100) { nodes { ... on Issue { comments(first: 100) { nodes { reactions(first: 100) { nodes { id } } } } } } } }',
		"maximum limit of 500,000",
	],
	[
		'{ search(type: ISSUE, query: "repo:acme/hub", first: 1) { nodes { ... on Issue { databaseId } } } }',
		"Int cannot represent",
	],
])("GraphQL: %s is refused", async (query, message) => {
	const { status, text } = await ask("POST /graphql", { query });
	expect(status).toBe(200);
	expect(text).toContain(message);
});

test("in GraphQL an App has no [bot], and its reactions are nobody's", async () => {
	const comment = standIn.acts.comment(REPO, 1, "hub-bot[bot]", "by the bot");
	standIn.acts.react(comment, "hub-bot[bot]", "eyes");
	const query = `{ repository(owner: "acme", name: "hub") { issue(number: 1) { comments(last: 1) { nodes {
		author { __typename login } reactions(first: 5) { nodes { content user { login } } } } } } } }`;
	const { json } = await ask("POST /graphql", { query });
	expect(json).toMatchObject({
		data: {
			repository: {
				issue: {
					comments: {
						nodes: [
							{
								author: { __typename: "Bot", login: "hub-bot" },
								reactions: { nodes: [{ content: "EYES", user: null }] },
							},
						],
					},
				},
			},
		},
	});
});

test("the world outlives the server in its file", async () => {
	const dir = mkdtempSync(join(tmpdir(), "stand-in-"));
	const file = join(dir, "world.json");
	const first = startStandIn({ app: testApp(), file });
	first.acts.createRepo(REPO);
	first.acts.openIssue(REPO, { user: "op", title: "kept" });
	await first.stop();
	const second = startStandIn({ app: testApp(), file });
	expect(second.place.state.repos[0]?.issues[0]?.title).toBe("kept");
	expect(second.acts.openIssue(REPO, { user: "op", title: "x" }).number).toBe(
		2,
	);
	await second.stop();
	rmSync(dir, { recursive: true });
});
