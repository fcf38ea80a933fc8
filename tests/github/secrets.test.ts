/** Where a token or key must never show, and where it must never be sent. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { guardDoors } from "../../monitor/_sys/guarded-doors.ts";
import { NOW, OPERATOR, openRig, PRIVATE_KEYS, REPO, type Rig } from "./rig.ts";
import type { Fault } from "./stand-in/faults.ts";

const HUB = { owner: "acme", repo: "hub", issue_number: 1 };
const ISSUE = "GET /repos/{owner}/{repo}/issues/{issue_number}";
const CALL = { deadlineMs: 1000, read: (data: unknown) => data };
/** Every place of this process that prints. */
const PRINTERS = ["debug", "error", "info", "log", "warn", "trace"] as const;
let rig: Rig;
let printed: string[];
let thief: { server: Bun.Server<unknown>; seen: Headers[] };

beforeEach(() => {
	rig = openRig();
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
	printed = [];
	for (const name of PRINTERS)
		spyOn(console, name).mockImplementation((...words) => {
			printed.push(words.map(String).join(" "));
		});
	const seen: Headers[] = [];
	const server = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		fetch: (request) => {
			seen.push(request.headers);
			return Response.json({ title: "stolen" });
		},
	});
	thief = { server, seen };
});
afterEach(async () => {
	for (const name of PRINTERS) spyOn(console, name).mockRestore();
	await rig.close();
	await thief.server.stop(true);
});

function issue() {
	return rig.gitHub.rest(ISSUE, HUB, CALL);
}

describe("whatever GitHub, or what stands in between, quotes", () => {
	const quoting: readonly (readonly [string, (words: string) => Fault])[] = [
		[
			"as its message",
			(words) => ({
				kind: "answer",
				status: 422,
				body: { message: `no: ${words}` },
			}),
		],
		[
			"as a page",
			(words) => ({ kind: "answer", status: 500, body: `<h1>${words}</h1>` }),
		],
		[
			"in a list of errors",
			(words) => ({
				kind: "answer",
				status: 422,
				body: { message: "no", errors: [{ message: words }] },
			}),
		],
		[
			"as a limit",
			(words) => ({
				kind: "answer",
				status: 403,
				body: { message: `secondary rate limit: ${words}` },
			}),
		],
	];
	test.each(quoting)(
		"%s, no credential comes back out",
		async (_name, fault) => {
			const got = await rig.gitHub.tokens.installationToken();
			const token = got.kind === "ok" ? got.token : "none";
			rig.standIn.faults.add({ on: ISSUE, fault: fault(`token ${token}`) });
			const answer = await issue();
			const jwt = rig.standIn.requests[0]?.headers.get("authorization") ?? "";
			const out = [
				JSON.stringify(answer),
				...printed,
				...rig.doors.log.messages(),
				...rig.doors.files
					.paths("/s")
					.map((path) => rig.doors.files.text(path)),
				...Object.values(process.env),
				...process.argv,
			].join("\n");
			expect(answer.kind).toBe("failed");
			expect(jwt).toStartWith("bearer eyJ");
			for (const secret of [
				token,
				jwt.slice(7),
				PRIVATE_KEYS.pkcs8.slice(40, 90),
			])
				expect(out).not.toContain(secret);
			expect(printed).toEqual([]);
		},
	);

	test("of the exchange, no JWT comes back out", async () => {
		rig.standIn.faults.add({
			on: /access_tokens/,
			fault: {
				kind: "answer",
				status: 401,
				body: { message: "bad eyJhbGciOi.eyJpYXQi.c2lnbmF0dXJl" },
			},
		});
		expect(JSON.stringify(await issue())).not.toContain("eyJ");
	});
});

describe("a credential goes to the configured API and to nobody else", () => {
	const url = () => `http://127.0.0.1:${thief.server.port}`;

	test.each([301, 302, 307, 308])(
		"a redirect (%d) to another host is refused",
		async (status) => {
			const fault: Fault = { kind: "redirect", to: `${url()}/x`, status };
			rig.standIn.faults.add({ on: ISSUE, fault });
			const answer = await issue();
			expect(answer).toMatchObject({ failure: { kind: "client" } });
			expect(JSON.stringify(answer)).toContain("redirect refused");
			expect(thief.seen).toEqual([]);
		},
	);

	test("so is one of the exchange, of GraphQL and of a write", async () => {
		await rig.gitHub.tokens.installationToken();
		const fault: Fault = { kind: "redirect", to: url(), status: 307 };
		rig.standIn.faults.add({ on: /./, fault });
		const calls = [
			rig.gitHub.app("GET /app/hook/deliveries", {}, CALL),
			rig.gitHub.graphql("{ rateLimit { cost } }", {}, CALL),
			rig.gitHub.rest(
				"POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
				{ ...HUB, body: "b" },
				CALL,
			),
		];
		for (const answer of await Promise.all(calls))
			expect(answer.kind).toBe("failed");
		expect(thief.seen).toEqual([]);
	});

	test("a repository that was renamed is found where its own host points to", async () => {
		const to = `${rig.standIn.url}/repos/${REPO}/issues/1`;
		rig.standIn.faults.add({
			on: ISSUE,
			fault: { kind: "redirect", to, status: 301 },
			times: 1,
		});
		expect(await issue()).toMatchObject({ value: { title: "One" } });
	});

	test("a redirect of a write is repeated only when GitHub says that it is to be sent as it is", async () => {
		const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
		const to = `${rig.standIn.url}/repos/${REPO}/issues/1/comments`;
		const post = () => rig.gitHub.rest(route, { ...HUB, body: "b" }, CALL);
		rig.standIn.faults.add({
			on: route,
			fault: { kind: "redirect", to, status: 302 },
			times: 1,
		});
		expect((await post()).kind).toBe("failed");
		rig.standIn.faults.add({
			on: route,
			fault: { kind: "redirect", to, status: 307 },
			times: 1,
		});
		expect((await post()).kind).toBe("ok");
		expect(rig.standIn.place.state.repos[0]?.comments).toHaveLength(1);
	});

	test("a circle of redirects ends", async () => {
		const to = `${rig.standIn.url}/repos/${REPO}/issues/1`;
		rig.standIn.faults.add({ on: ISSUE, fault: { kind: "redirect", to } });
		expect(await issue()).toMatchObject({ failure: { kind: "client" } });
	});
});

test("an abandoned run cannot send anything", async () => {
	const { doors, revoke } = guardDoors(rig.doors);
	const gitHub = rig.another({ doors });
	await gitHub.tokens.installationToken();
	const before = rig.standIn.requests.length;
	revoke("abandoned");
	expect((await gitHub.rest(ISSUE, HUB, CALL)).kind).toBe("failed");
	expect(rig.standIn.requests.length).toBe(before);
});

test("an empty token is no token: nothing is sent without a credential of the App's", async () => {
	rig.standIn.faults.add({
		on: /access_tokens/,
		fault: {
			kind: "answer",
			status: 201,
			body: {
				token: "",
				expires_at: new Date(NOW * 1000 + 3.6e6).toISOString(),
			},
		},
	});
	expect(await issue()).toMatchObject({
		failure: { kind: "no_token", sent: false },
	});
	expect(rig.standIn.requests).toHaveLength(1);
});
