/** The classifiers over HTTP, on the loopback (contract 09 §13). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { filterRows } from "../../monitor/_fleet/jev/filter.ts";
import { CLASSES } from "../../monitor/_fleet/jev/route.ts";
import { realNet } from "../../monitor/_sys/net.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { ORDINARY } from "./jev-answers.ts";

describe("over HTTP", () => {
	const got: {
		path: string;
		auth: string | null;
		body: Record<string, unknown>;
	}[] = [];
	let next: (Response | "hang")[] = [];
	/** Limits that run; they strike when the server says so, whatever the machine's speed. */
	const limits = new Set<() => void>();
	const strike = () => {
		for (const limit of [...limits]) limit();
	};
	let server: ReturnType<typeof Bun.serve>;
	beforeAll(() => {
		server = Bun.serve({
			hostname: "127.0.0.1",
			port: 0,
			fetch: async (request) => {
				got.push({
					path: new URL(request.url).pathname,
					auth: request.headers.get("authorization"),
					body: (await request.json()) as Record<string, unknown>,
				});
				const reply = next.shift();
				if (reply === "hang") {
					setTimeout(strike);
					return new Promise<Response>(() => {});
				}
				return reply ?? new Response("", { status: 500 });
			},
		});
	});
	afterAll(() => server.stop(true));

	const said = (a: object) =>
		Response.json({ answers: { watcher_route_class: a } });
	const flooded = () => {
		const right = { answers: { watcher_route_class: ORDINARY } };
		return Response.json({ ...right, padding: "x".repeat(1_000_000) });
	};
	const ask = async (
		replies: (Response | "hang")[],
		env: Record<string, string> = {},
		keys: { typesafe: string | null; openrouter: string | null } = {
			typesafe: "k1",
			openrouter: "k2",
		},
	) => {
		got.length = 0;
		limits.clear();
		next = replies;
		const base = `http://127.0.0.1:${server.port}`;
		const doors = fakeDoors({
			auto: true,
			proc: {
				env: {
					ROSTER_JEV_TYPESAFE_URL: base,
					ROSTER_JEV_OPENROUTER_URL: `${base}/other/path`,
					...env,
				},
			},
		});
		doors.files.seed("/c/a.txt", "❯ \n");
		doors.files.seed(
			"/c/a.json",
			JSON.stringify({
				ok: true,
				lines: ["in /home/ana", "❯ "],
				ghost_lines: [1],
			}),
		);
		const clock = {
			...doors.clock,
			after: (_ms: number, fn: () => void) => {
				limits.add(fn);
				return () => limits.delete(fn);
			},
		};
		const asking = {
			doors: { ...doors, clock, net: realNet() },
			keys,
			timeoutMs: 8000,
			retries: 1,
		};
		const { results } = await filterRows(
			{ asking, files: doors.files, concurrency: 4, maxRequestBytes: 750_000 },
			[
				{
					agent: "a",
					rawFile: "/c/a.txt",
					captureRc: 0,
					documentFile: "/c/a.json",
				},
			],
		);
		return { decision: results[0], paths: got.map(({ path }) => path) };
	};

	test("the first provider is asked with its key, its model, the four classes and a cleaned screen", async () => {
		const { decision, paths } = await ask([said(ORDINARY)]);
		expect(decision).toMatchObject({
			route: "archive_only",
			provider: "typesafe",
		});
		expect(paths).toEqual(["/v1/systemone"]);
		expect(got[0]?.auth).toBe("Bearer k1");
		const body = got[0]?.body;
		expect(body).toMatchObject({
			model: "jev-1.13.0",
			state: {
				agent: "a",
				lines: ["in [REDACTED_LOCAL_PATH]", "❯ "],
				ghost_lines: [1],
			},
			questions: { watcher_route_class: { type: "choice" } },
		});
		const question = JSON.stringify(body?.questions);
		expect(question).toContain("untrusted data");
		for (const one of CLASSES) expect(question).toContain(one);
	});

	test.each([429, 529])(
		"HTTP %d is tried once more, then the other provider is asked",
		async (status) => {
			const busy = () => new Response("", { status });
			const { decision, paths } = await ask([busy(), busy(), said(ORDINARY)]);
			expect(paths).toEqual(["/v1/systemone", "/v1/systemone", "/other/path"]);
			expect(got[2]).toMatchObject({
				auth: "Bearer k2",
				body: { model: "typesafe/jev-1.13" },
			});
			expect(decision).toMatchObject({
				route: "archive_only",
				provider: "openrouter",
			});
		},
	);

	test.each([
		[401, "auth_error"],
		[403, "auth_error"],
		[400, "schema_error"],
		[422, "schema_error"],
		[500, "api_error"],
		[302, "api_error"],
	])(
		"HTTP %d ends it: %s, and the other is not asked",
		async (status, category) => {
			const headers = { location: "http://127.0.0.1:1/" };
			const { decision, paths } = await ask([
				new Response("", { status, headers }),
			]);
			expect(decision).toMatchObject({
				status: "fail_open",
				reason: "api_error",
				category,
			});
			expect(paths).toHaveLength(1);
		},
	);

	test.each([
		["HTML", () => new Response("<html>")],
		["a flood", () => new Response("x".repeat(100_000_000))],
		["a right answer in a flood", () => flooded()],
	])("%s is no answer", async (_, reply) => {
		const { decision } = await ask([reply()]);
		expect(decision).toMatchObject({
			reason: "api_error",
			category: "schema_error",
		});
	});

	test("one that never answers is left after its time", async () => {
		const { decision } = await ask(["hang", "hang", said(ORDINARY)]);
		expect(decision).toMatchObject({ provider: "openrouter" });
	});

	test("an answer that trickles is left after its time", async () => {
		const slow = () => {
			let pulls = 0;
			return new Response(
				new ReadableStream({
					pull: (out) => {
						pulls++;
						if (pulls === 1) out.enqueue("{".repeat(10));
						else setTimeout(strike);
					},
				}),
			);
		};
		const { decision } = await ask([slow(), slow(), said(ORDINARY)]);
		expect(decision).toMatchObject({ provider: "openrouter" });
	});

	test("without the first key the second provider is asked at once", async () => {
		const { paths } = await ask(
			[said(ORDINARY)],
			{},
			{ typesafe: null, openrouter: "k2" },
		);
		expect(paths).toEqual(["/other/path"]);
	});

	test("without any key nobody is asked", async () => {
		const { decision, paths } = await ask(
			[],
			{},
			{ typesafe: null, openrouter: null },
		);
		expect(decision).toMatchObject({
			reason: "api_error",
			category: "missing_key",
		});
		expect(paths).toEqual([]);
	});

	test.each([
		"http://example.net",
		"http://127.0.0.1.example.net",
		"ftp://127.0.0.1",
		"nonsense",
	])("a key never goes to %s", async (url) => {
		const { decision, paths } = await ask([], { ROSTER_JEV_TYPESAFE_URL: url });
		expect(decision).toMatchObject({
			reason: "api_error",
			category: "api_error",
		});
		expect(paths).toEqual([]);
	});
});
