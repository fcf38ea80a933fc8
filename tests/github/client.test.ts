/** Our client and a GitHub that misbehaves in every way it has been seen to. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { GhClass, GhFailure } from "../../monitor/_github/errors.ts";
import type { GitHub } from "../../monitor/_github/github.ts";
import type { Answer } from "../../monitor/_github/send.ts";
import { NOW, OPERATOR, openRig, REPO, type Rig } from "./rig.ts";
import type { Fault } from "./stand-in/faults.ts";

const HUB = { owner: "acme", repo: "hub" };
const ISSUE = "GET /repos/{owner}/{repo}/issues/{issue_number}";
const COMMENT = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
const DEADLINE = 15_000;
let rig: Rig;

beforeEach(() => {
	rig = openRig();
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
});
afterEach(async () => {
	await rig.close();
	expect(rig.standIn.problems).toEqual([]);
});

const read = (data: unknown): string | null => {
	const title: unknown = Reflect.get(Object(data), "title");
	return typeof title === "string" ? title : null;
};
function issue(gitHub: GitHub = rig.gitHub, signal?: AbortSignal) {
	const params = { ...HUB, issue_number: 1 };
	return gitHub.rest(ISSUE, params, { deadlineMs: DEADLINE, read, signal });
}
function post(gitHub: GitHub = rig.gitHub) {
	const params = { ...HUB, issue_number: 1, body: "hello" };
	const call = { deadlineMs: DEADLINE, read: () => "posted" };
	return gitHub.rest(COMMENT, params, call);
}
function search(gitHub: GitHub = rig.gitHub) {
	const query =
		"query($q: String!) { search(type: ISSUE, query: $q, first: 1) { nodes { ... on Issue { number } } } }";
	const call = {
		deadlineMs: DEADLINE,
		read: (data: unknown) =>
			Reflect.get(Object(data), "search") ? "found" : null,
	};
	return gitHub.graphql(query, { q: `repo:${REPO} is:issue` }, call);
}
function failureOf(answer: Answer<unknown>): GhFailure {
	if (answer.kind === "ok") throw new Error("it succeeded");
	return answer.failure;
}
function sent(route: string): number {
	return rig.standIn.requests.filter((r) => r.route === route).length;
}

describe("a call that goes well", () => {
	test("answers what its shape check made of it", async () => {
		expect(await issue()).toMatchObject({
			kind: "ok",
			value: "One",
			status: 200,
		});
		expect(await search()).toMatchObject({ kind: "ok", value: "found" });
	});

	test("says who we are, and in which version of the API it speaks", async () => {
		await issue();
		const { headers } = rig.standIn.requests.at(-1) ?? {
			headers: new Headers(),
		};
		expect(headers.get("user-agent")).toStartWith("nexus-watcher");
		expect(headers.get("x-github-api-version")).toBe("2022-11-28");
		expect(headers.get("authorization")).toMatch(/^token ghs_/);
	});

	test("keeps every digit of a long id", async () => {
		const ids = await rig.gitHub.app(
			"GET /app/hook/deliveries",
			{ per_page: 1 },
			{
				deadlineMs: DEADLINE,
				read: (data) =>
					Array.isArray(data)
						? data.map((row) => String(Reflect.get(row, "id")))
						: null,
			},
		);
		expect(ids).toMatchObject({
			value: [rig.standIn.place.state.deliveries[0]?.id],
		});
	});

	test("works below a path, with GraphQL beside it, as at an Enterprise Server", async () => {
		const ghes = openRig({ standIn: { prefix: "/api/v3" } });
		ghes.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
		expect((await issue(ghes.gitHub)).kind).toBe("ok");
		expect((await search(ghes.gitHub)).kind).toBe("ok");
		await ghes.close();
	});
});

type Row = readonly [string, Fault, GhClass];
const NULLED: Fault = { kind: "answer", status: 200, body: null };
const REST: readonly Row[] = [
	["403 with nothing left", { kind: "primary" }, "rate_primary"],
	["429 with nothing left", { kind: "primary", status: 429 }, "rate_primary"],
	[
		"a secondary limit that says for how long",
		{ kind: "secondary", retryAfter: 60 },
		"rate_secondary",
	],
	["one that does not", { kind: "secondary" }, "rate_secondary"],
	["an abuse page", { kind: "abuse-page" }, "rate_secondary"],
	["a refusal", { kind: "forbidden" }, "forbidden"],
	["a broken server", { kind: "server" }, "server"],
	["half an answer", { kind: "truncated" }, "malformed"],
	["no answer's worth", { kind: "empty" }, "malformed"],
	["null", NULLED, "malformed"],
	["a list", { kind: "answer", status: 200, body: [] }, "malformed"],
	[
		"gone",
		{ kind: "answer", status: 410, body: { message: "Gone" } },
		"not_found",
	],
];

test.each(REST)("REST: %s", async (_name, fault, kind) => {
	rig.standIn.faults.add({ on: ISSUE, fault });
	expect(failureOf(await issue()).kind).toBe(kind);
	rig.standIn.faults.clear();
});

const GRAPHQL: readonly Row[] = [
	[
		"200 with RATE_LIMITED",
		{
			kind: "graphql-errors",
			errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }],
		},
		"rate_primary",
	],
	[
		"200 with a secondary limit",
		{
			kind: "graphql-errors",
			errors: [{ message: "You have exceeded a secondary rate limit" }],
		},
		"rate_secondary",
	],
	["403 secondary", { kind: "secondary", retryAfter: 7 }, "rate_secondary"],
	[
		"200 with other errors",
		{ kind: "graphql-errors", errors: [{ message: "Something went wrong" }] },
		"graphql_error",
	],
	[
		"data with nulls and errors",
		{ kind: "graphql-partial" },
		"graphql_partial",
	],
	["half an answer", { kind: "truncated" }, "malformed"],
	["no answer's worth", { kind: "empty" }, "malformed"],
	["null", NULLED, "malformed"],
	["a broken server", { kind: "server" }, "server"],
];

test.each(GRAPHQL)("GraphQL: %s", async (_name, fault, kind) => {
	rig.standIn.faults.add({ on: "POST /graphql", fault });
	expect(failureOf(await search()).kind).toBe(kind);
	rig.standIn.faults.clear();
});

describe("time", () => {
	test.each<Row>([
		["no head", { kind: "no-answer" }, "timeout"],
		["half a body, and silence", { kind: "stalled-body" }, "timeout"],
	])(
		"%s: the call ends at its deadline, in REST and in GraphQL",
		async (_name, fault, kind) => {
			await rig.gitHub.tokens.installationToken();
			rig.standIn.faults.add({ on: ISSUE, fault });
			rig.standIn.faults.add({ on: "POST /graphql", fault });
			for (const call of [issue, search]) {
				const before = rig.doors.clock.nowMs();
				expect(failureOf(await rig.inTime(call())).kind).toBe(kind);
				expect(rig.doors.clock.nowMs() - before).toBe(DEADLINE);
			}
		},
	);

	test("an ended run ends its call, and one that was ended before sends nothing", async () => {
		await rig.gitHub.tokens.installationToken();
		rig.standIn.faults.add({ on: ISSUE, fault: { kind: "no-answer" } });
		const run = new AbortController();
		const call = issue(rig.gitHub, run.signal);
		while (sent(ISSUE) === 0) await Bun.sleep(1);
		run.abort();
		expect(failureOf(await call)).toMatchObject({
			kind: "timeout",
			message: "the run was ended",
		});
		expect(failureOf(await issue(rig.gitHub, run.signal)).kind).toBe("timeout");
		expect(sent(ISSUE)).toBe(1);
	});

	test("nobody listens: network", async () => {
		await rig.gitHub.tokens.installationToken();
		await rig.standIn.stop();
		expect(failureOf(await issue()).kind).toBe("network");
	});

	test.each([900, -120])(
		"with GitHub's clock %d s away the App's calls are asked once more by its time",
		async (seconds) => {
			// By the machine's clock the library measures the difference.
			const real = openRig({
				standIn: { now: () => Math.floor(Date.now() / 1000) + seconds },
			});
			real.doors.clock.stepWall(Date.now() - real.doors.clock.nowMs());
			real.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
			expect(await issue(real.gitHub)).toMatchObject({ kind: "ok" });
			const lines = real.standIn.requests.map((r) => `${r.actor} ${r.status}`);
			expect(lines).toEqual(["nobody 401", "app 201", "installation 200"]);
			await real.close();
		},
	);
});

describe("a 401 in mid-run", () => {
	test("costs one new token and nothing else", async () => {
		await issue();
		rig.standIn.revokeTokens();
		expect((await issue()).kind).toBe("ok");
		expect((await search()).kind).toBe("ok");
		expect(
			sent("POST /app/installations/{installation_id}/access_tokens"),
		).toBe(2);
	});

	test("a write that was refused for its token is sent again, and done once", async () => {
		await issue();
		rig.standIn.revokeTokens();
		expect((await post()).kind).toBe("ok");
		expect(rig.standIn.place.state.repos[0]?.comments).toHaveLength(1);
	});

	test("that goes on is a failure after the one new token", async () => {
		rig.standIn.faults.add({ on: ISSUE, fault: { kind: "unauthorized" } });
		expect(failureOf(await issue()).kind).toBe("auth");
		expect(sent(ISSUE)).toBe(2);
	});

	test("without a new token the call has failed, and nobody else's name is used", async () => {
		await issue();
		rig.standIn.revokeTokens();
		rig.doors.files.remove(rig.app.keyPath);
		const failed = failureOf(await issue());
		expect(failed).toMatchObject({ kind: "no_token", sent: false });
		expect(failed.message).toContain("private key not found");
	});
});

describe("the pause", () => {
	const CORE = "github-pause-core";
	const seconds = () => rig.state(CORE).match(/until=(\d+)/)?.[1];

	test("that one process met holds all others back, until one call after its end succeeds", async () => {
		const watcher = rig.gitHub;
		const ng = rig.another();
		rig.standIn.faults.add({
			on: ISSUE,
			fault: { kind: "secondary" },
			times: 1,
		});
		expect(failureOf(await issue(ng))).toMatchObject({
			kind: "rate_secondary",
			until: NOW + 60,
			sent: true,
		});
		expect(failureOf(await issue(watcher))).toMatchObject({
			kind: "rate_secondary",
			until: NOW + 60,
			sent: false,
		});
		expect(sent(ISSUE)).toBe(1);
		rig.doors.clock.stall(60_000);
		expect((await issue(watcher)).kind).toBe("ok");
		expect(rig.state(CORE)).toBe("");
	});

	test("doubles with each limit that is met after its end", async () => {
		rig.standIn.faults.add({ on: ISSUE, fault: { kind: "secondary" } });
		const waits: number[] = [];
		for (let i = 0; i < 5; i++) {
			const { until } = failureOf(await issue());
			waits.push((until ?? 0) - rig.doors.clock.now());
			rig.doors.clock.stall(900_000);
		}
		expect(waits).toEqual([60, 120, 240, 480, 900]);
	});

	test("of GraphQL's secondary limit is everybody's, with the same end", async () => {
		rig.standIn.faults.add({
			on: "POST /graphql",
			fault: { kind: "secondary", retryAfter: 33 },
			times: 1,
		});
		expect(failureOf(await search()).until).toBe(NOW + 33);
		expect(seconds()).toBe(String(NOW + 33));
		expect(failureOf(await issue()).kind).toBe("rate_secondary");
	});

	test("is not armed by GraphQL's primary limit, which is the surface's own", async () => {
		rig.standIn.budgets.leave("graphql", 0);
		expect(failureOf(await search())).toMatchObject({
			kind: "rate_primary",
			resetAt: NOW + 3600,
			until: null,
		});
		expect(rig.state(CORE)).toBe("");
	});

	test("of the App does not hold the installation back, and the reverse", async () => {
		await issue();
		const list = () =>
			rig.gitHub.app(
				"GET /app/hook/deliveries",
				{},
				{ deadlineMs: DEADLINE, read: () => "rows" },
			);
		rig.standIn.faults.add({
			on: "GET /app/hook/deliveries",
			fault: { kind: "primary", resetAt: NOW + 30 },
			times: 1,
		});
		expect(failureOf(await list()).until).toBe(NOW + 30);
		expect(failureOf(await list()).sent).toBe(false);
		expect((await issue()).kind).toBe("ok");
		expect(rig.state("github-pause-app")).toContain("kind=primary");
	});

	test("of the App holds back the mint as well", async () => {
		rig.standIn.faults.add({
			on: /access_tokens/,
			fault: { kind: "primary", resetAt: NOW + 30 },
			times: 1,
		});
		expect(failureOf(await issue()).kind).toBe("no_token");
		expect(failureOf(await issue()).message).toContain("github-pause-app");
		expect(
			sent("POST /app/installations/{installation_id}/access_tokens"),
		).toBe(1);
	});

	test("does not hold back what costs nothing", async () => {
		rig.standIn.faults.add({
			on: ISSUE,
			fault: { kind: "secondary" },
			times: 1,
		});
		await issue();
		const call = { deadlineMs: DEADLINE, read: () => "limits", free: true };
		expect((await rig.gitHub.rest("GET /rate_limit", {}, call)).kind).toBe(
			"ok",
		);
		expect(rig.state(CORE)).not.toBe("");
	});

	test("that ends soon is waited out by whoever says so, and a longer one is not", async () => {
		const said: string[] = [];
		const patient = rig.another({
			waitOut: { seconds: 60, say: (line) => said.push(line) },
		});
		rig.standIn.faults.add({
			on: ISSUE,
			fault: { kind: "secondary", retryAfter: 20 },
			times: 1,
		});
		await issue();
		const waited = issue(patient);
		await rig.doors.clock.settle();
		await rig.doors.clock.advance(20_000);
		expect((await waited).kind).toBe("ok");
		expect(said).toEqual(["GitHub asked for a pause (core): waiting 20s"]);
		rig.standIn.faults.add({
			on: ISSUE,
			fault: { kind: "secondary", retryAfter: 61 },
			times: 1,
		});
		await issue();
		expect(failureOf(await issue(patient))).toMatchObject({
			sent: false,
			until: NOW + 81,
		});
	});
});

describe("retries", () => {
	const ng = () => rig.another({ pacing: { kind: "command", retryMs: 1000 } });

	test("the watcher's client has none: its scheduler is the retry loop", async () => {
		rig.standIn.faults.add({ on: ISSUE, fault: { kind: "server" } });
		expect(failureOf(await issue()).kind).toBe("server");
		expect(sent(ISSUE)).toBe(1);
	});

	test("ng's asks a GET up to twice again when a server breaks", async () => {
		rig.standIn.faults.add({ on: ISSUE, fault: { kind: "server" }, times: 2 });
		expect((await rig.inTime(issue(ng()))).kind).toBe("ok");
		rig.standIn.faults.add({ on: ISSUE, fault: { kind: "server" } });
		const from = rig.doors.clock.monoMs();
		const ended = await rig.inTime(issue(ng()));
		expect(failureOf(ended).kind).toBe("server");
		expect(rig.doors.clock.monoMs() - from).toBeGreaterThanOrEqual(3000);
		expect(sent(ISSUE)).toBe(6);
	});

	test("a write is never sent twice: its answer may be all that was lost", async () => {
		rig.standIn.faults.add({
			on: COMMENT,
			fault: { kind: "server" },
			executed: true,
		});
		expect(failureOf(await post(ng())).kind).toBe("server");
		expect(rig.standIn.place.state.repos[0]?.comments).toHaveLength(1);
	});

	test.each<Fault>([
		{ kind: "secondary", retryAfter: 1 },
		{ kind: "primary", status: 429 },
		{
			kind: "answer",
			status: 409,
			body: { message: "Git Repository is empty." },
		},
	])("a refusal (%o) is an answer and is not asked again", async (fault) => {
		rig.standIn.faults.add({ on: ISSUE, fault });
		expect((await issue(ng())).kind).toBe("failed");
		expect(sent(ISSUE)).toBe(1);
	});
});
