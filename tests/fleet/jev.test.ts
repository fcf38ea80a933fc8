import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { boundState } from "../../monitor/_fleet/jev/bounds.ts";
import { DEFAULT_FILTER, filterRows } from "../../monitor/_fleet/jev/filter.ts";
import { findKeys } from "../../monitor/_fleet/jev/keys.ts";
import { redact, redactText } from "../../monitor/_fleet/jev/redact.ts";
import {
	CLASSES,
	routeDecision,
	validDistribution,
	type WatchClass,
} from "../../monitor/_fleet/jev/route.ts";
import { docJson, type PaneState } from "../../monitor/_fleet/jev/state.ts";
import { realNet } from "../../monitor/_sys/net.ts";
import { runFilter } from "../../resources/_jev-filter/run.ts";
import { fakeDoors } from "../fakes/doors.ts";

const ORDINARY = answer("ordinary", 0.85);
const state = (lines: readonly string[]): PaneState => ({
	agent: "a",
	runtime: "claude",
	lines,
	ghostLines: [],
	composerText: null,
});

function answer(choice: WatchClass, p: number, others = (1 - p) / 3) {
	const probabilities = Object.fromEntries(
		CLASSES.map((one) => [one, one === choice ? p : others]),
	);
	return { choice, confidence: p, probabilities };
}

describe("the route of an answer", () => {
	const route = (said: Parameters<typeof routeDecision>[1], meta = {}) => {
		const d = routeDecision({ agent: "a" }, said, { captureRc: 0, ...meta });
		return [d.status, d.route, d.reason];
	};
	const open = (reason: string) => ["fail_open", "notify_watcher", reason];

	test.each([
		[
			"sure and ordinary",
			ORDINARY,
			["ok", "archive_only", "confident_ordinary"],
		],
		[
			"0.80 is sure",
			answer("ordinary", 0.8),
			["ok", "archive_only", "confident_ordinary"],
		],
		["0.79 is not", answer("ordinary", 0.79), open("ordinary_low_confidence")],
		[
			"ordinary, but another class has more than 0.2",
			{
				choice: "ordinary",
				confidence: 0.8,
				probabilities: {
					ordinary: 0.8,
					active_permission_prompt: 0.21,
					blocking_user_question_tui: 0,
					failed_or_ambiguous_capture: 0,
				},
			},
			open("ordinary_low_confidence"),
		],
		[
			"a prompt, barely",
			answer("active_permission_prompt", 0.4),
			["ok", "notify_watcher", "active_permission_prompt"],
		],
		[
			"a question",
			answer("blocking_user_question_tui", 0.9),
			["ok", "notify_watcher", "blocking_user_question_tui"],
		],
		[
			"no readable pane",
			answer("failed_or_ambiguous_capture", 0.9),
			["ok", "notify_watcher", "failed_or_ambiguous_capture"],
		],
		["no answer", null, open("invalid_or_missing_class")],
		[
			"an unknown class",
			{ ...ORDINARY, choice: "fine" },
			open("invalid_or_missing_class"),
		],
		[
			"a class without a probability",
			{ ...ORDINARY, probabilities: { ordinary: 0.85 } },
			open("missing_class_probability"),
		],
		[
			"no probabilities",
			{ ...ORDINARY, probabilities: "high" },
			open("missing_class_probability"),
		],
		[
			"a confidence of its own",
			{ ...ORDINARY, confidence: 0.99 },
			open("invalid_probability_distribution"),
		],
		[
			"no confidence",
			{ ...ORDINARY, confidence: "0.85" },
			open("invalid_probability_distribution"),
		],
		[
			"a class that is not the largest",
			{
				...answer("active_permission_prompt", 0.6),
				choice: "ordinary",
				confidence: 0.13,
			},
			open("invalid_probability_distribution"),
		],
		[
			"more than all",
			answer("ordinary", 1, 0.1),
			open("invalid_probability_distribution"),
		],
	] as const)("%s", (_, said, expected) =>
		expect(route(said)).toEqual([...expected]),
	);

	test("a failed capture and a failed provider win over any answer", () => {
		expect(route(ORDINARY, { captureRc: 1 })).toEqual(
			open("capture_rc_nonzero"),
		);
		expect(route(ORDINARY, { error: "api_error" })).toEqual(open("api_error"));
	});

	test("whatever comes back, only a sure and ordinary answer keeps quiet", () =>
		fc.assert(
			fc.property(
				fc.record({
					choice: fc.oneof(fc.constantFrom<unknown>(...CLASSES), fc.anything()),
					confidence: fc.oneof(fc.double(), fc.anything()),
					probabilities: fc.oneof(
						fc.dictionary(fc.constantFrom(...CLASSES), fc.double()),
						fc.anything(),
					),
				}),
				(said) => {
					const d = routeDecision({ agent: "a" }, said, { captureRc: 0 });
					if (d.route !== "archive_only") return;
					expect(said.choice).toBe("ordinary");
					expect(d.confidence).toBeGreaterThanOrEqual(0.8);
				},
			),
		));

	test.each([
		[Number.NaN, false],
		[1.2, false],
		[-0.1, false],
		[0.9, true],
	])("a distribution of which one value is %p is valid: %p", (value, is) => {
		const { probabilities } = answer("ordinary", value, 0.03);
		expect(validDistribution("ordinary", 0.9, probabilities)).toBe(is);
	});
});

describe("bounds", () => {
	test("the last thirty lines stay, and suggestions keep their lines", () => {
		const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
		const bounded = boundState({ ...state(lines), ghostLines: [3, 12, 39] });
		expect(bounded.truncated).toBe(true);
		expect(bounded.state.lines).toEqual(lines.slice(10));
		expect(bounded.state.ghostLines).toEqual([2, 29]);
	});

	test.each([
		["x".repeat(140), false, 140],
		["x".repeat(141), true, 140],
		["漢".repeat(70), false, 70],
		["漢".repeat(71), true, 70],
		["e\u0301".repeat(140), false, 280],
		["e\u0301".repeat(141), true, 280],
	])("%s is clipped: %p", (line, truncated, length) => {
		const bounded = boundState(state([line]));
		expect(bounded.truncated).toBe(truncated);
		expect(bounded.state.lines[0]?.length).toBe(length);
	});

	test("the document on the disk holds the last lines that are not padding", () => {
		const lines = [...Array.from({ length: 40 }, (_, n) => `${n}`), "", " "];
		const doc = {
			agent: "a",
			ok: true,
			lines,
			lineCount: 42,
			footer: null,
			ghostLines: [11, 5],
		};
		expect(docJson(doc, 30)).toMatchObject({
			line_count: 30,
			lines: lines.slice(10, 40),
			ghost_lines: [1],
		});
	});
});

describe("redaction", () => {
	const KEY =
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----";
	test.each([
		[`before\n${KEY}\nafter`, "before\n[REDACTED_SECRET]\nafter", true],
		["x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE", "x\n[REDACTED_SECRET]", true],
		[
			"b3Bl\n-----END PRIVATE KEY-----\nafter",
			"[REDACTED_SECRET]\nafter",
			true,
		],
		["export GITHUB_TOKEN=ghp_1", "[REDACTED_SECRET]", true],
		["  password: hunter2hunter2", "[REDACTED_SECRET]", true],
		['"api_key": "abcdefghij"', "[REDACTED_SECRET]", true],
		[
			"↓ 2.1k tokens · esc to interrupt",
			"↓ 2.1k tokens · esc to interrupt",
			false,
		],
		[
			"Authorization: Bearer abcdefghijklmnop",
			"Authorization: [REDACTED_SECRET]",
			false,
		],
		[`key sk-${"a".repeat(20)} ok`, "key [REDACTED_SECRET] ok", false],
		[`tskey-${"b".repeat(16)}`, "[REDACTED_SECRET]", false],
		["AKIAABCDEFGHIJKLMNOP", "[REDACTED_SECRET]", false],
		["sk-short", "sk-short", false],
		["cat /home/ana/app/x.ts:3", "cat [REDACTED_LOCAL_PATH]", false],
		[
			"at /Users/ana/x, /private/tmp/y and /var/folders/z",
			"at [REDACTED_LOCAL_PATH], [REDACTED_LOCAL_PATH] and [REDACTED_LOCAL_PATH]",
			false,
		],
		["cd /srv/app/.worktrees/night/src", "cd [REDACTED_LOCAL_PATH]", false],
		["/srv/app/src/home/x", "/srv/app/src/home/x", false],
		["https://example.com/home", "https://example.com/home", false],
	])("%j", (text, expected, isSecret) =>
		expect(redactText(text)).toEqual({ text: expected, isSecret }),
	);

	test("what the program suggests is cleaned too", () => {
		const { state: clean, isSecret } = redact({
			...state(["ok"]),
			composerText: "echo TOKEN=abc",
		});
		expect(clean.composerText).toBe("[REDACTED_SECRET]");
		expect(isSecret).toBe(true);
	});
});

describe("the filter", () => {
	const CALM = { ok: true, lines: ["● done", "❯ "], ghost_lines: [] };
	const MOCK = { ROSTER_JEV_FILTER_MOCK_JSON: '{"a": "ordinary"}' };
	const run = async (
		doc: unknown,
		row: { captureRc?: number; raw?: string } = {},
		env: Record<string, string> = MOCK,
		part = {},
	) => {
		const doors = fakeDoors({ auto: true, proc: { env } });
		doors.files.seed("/c/a.txt", row.raw ?? "❯ \n");
		if (doc !== null)
			doors.files.seed(
				"/c/a.json",
				typeof doc === "string" ? doc : JSON.stringify(doc),
			);
		const keys = { typesafe: "k1", openrouter: "k2" };
		const asking = { doors, keys, ...DEFAULT_FILTER };
		const summary = await filterRows(
			{ asking, files: doors.files, ...DEFAULT_FILTER, ...part },
			[
				{
					agent: "a",
					rawFile: "/c/a.txt",
					captureRc: row.captureRc ?? 0,
					documentFile: doc === null ? null : "/c/a.json",
				},
			],
		);
		return { summary, first: summary.results[0], net: doors.net };
	};

	test("keeps quiet about a calm pane", async () => {
		const { summary } = await run(CALM);
		expect(summary).toMatchObject({
			total: 1,
			archive_only: 1,
			attention: 0,
			attention_agents: [],
		});
	});

	test.each([
		[
			"a long pane",
			{ ...CALM, lines: Array(31).fill("x") },
			{},
			"capture_truncated",
			null,
		],
		["no document", null, {}, "provider_input_unavailable", null],
		["a torn document", "{", {}, "provider_input_unavailable", null],
		[
			"a failed document",
			{ ...CALM, ok: false },
			{},
			"provider_input_unavailable",
			null,
		],
		[
			"lines that are no texts",
			{ ...CALM, lines: [1] },
			{},
			"provider_input_unavailable",
			null,
		],
		[
			"half an index",
			{ ...CALM, ghost_lines: [0.5] },
			{},
			"provider_input_unavailable",
			null,
		],
		[
			"a blank capture, also a failed one",
			CALM,
			{ raw: " \n", captureRc: 1 },
			"missing_class_probability",
			null,
		],
		["a failed capture", CALM, { captureRc: 2 }, "capture_rc_nonzero", null],
		[
			"a secret",
			{ ...CALM, lines: ["TOKEN=abc"] },
			{},
			"api_error",
			"redaction_guard",
		],
	] as const)(
		"notifies of %s without asking anybody",
		async (_, doc, row, reason, category) => {
			const { summary, first, net } = await run(doc, row, {});
			expect(first).toMatchObject({
				status: "fail_open",
				route: "notify_watcher",
				reason,
				category,
			});
			expect(summary.attention_agents).toEqual(["a"]);
			expect(net.requests).toEqual([]);
		},
	);

	test("notifies of a request that is too large", async () => {
		const { first } = await run(CALM, {}, {}, { maxRequestBytes: 100 });
		expect(first?.reason).toBe("input_too_large");
	});

	test.each([
		["retryable_error", "ordinary", "confident_ordinary", null],
		["retryable_error", "retryable_error", "api_error", "retryable_error"],
		["auth_error", "ordinary", "api_error", "auth_error"],
		["schema_error", "ordinary", "api_error", "schema_error"],
		["api_error", "ordinary", "api_error", "api_error"],
	])(
		"with %s of the first and %s of the second: %s",
		async (first, second, reason, category) => {
			const env = {
				ROSTER_JEV_FILTER_MOCK_TYPESAFE_JSON: JSON.stringify({ a: first }),
				ROSTER_JEV_FILTER_MOCK_OPENROUTER_JSON: JSON.stringify({ a: second }),
			};
			const { first: decision } = await run(CALM, {}, env);
			expect(decision).toMatchObject({ reason, category });
		},
	);

	test("of several members judges each by itself", async () => {
		const env = {
			ROSTER_JEV_FILTER_MOCK_JSON:
				'{"a": {"class": "ordinary", "confidence": 0.79}}',
		};
		expect((await run(CALM, {}, env)).first?.reason).toBe(
			"ordinary_low_confidence",
		);
		expect(
			(await run(CALM, {}, { ROSTER_JEV_FILTER_MOCK_JSON: "{}" })).first
				?.category,
		).toBe("schema_error");
	});
});

/** Long enough for an answer over the loopback on a busy machine. */
const PATIENCE_MS = 400;

describe("over HTTP", () => {
	const got: {
		path: string;
		auth: string | null;
		body: Record<string, unknown>;
	}[] = [];
	let next: (Response | "hang")[] = [];
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
				if (reply === "hang") return new Promise<Response>(() => {});
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
		timeoutMs = 8000,
	) => {
		got.length = 0;
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
		const clock =
			timeoutMs < 8000
				? {
						...doors.clock,
						after: (ms: number, fn: () => void) => {
							const t = setTimeout(fn, ms);
							return () => clearTimeout(t);
						},
					}
				: { ...doors.clock, after: () => () => {} };
		const asking = {
			doors: { ...doors, clock, net: realNet() },
			keys,
			timeoutMs,
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
		const { decision } = await ask(
			["hang", "hang", said(ORDINARY)],
			{},
			undefined,
			PATIENCE_MS,
		);
		expect(decision).toMatchObject({ provider: "openrouter" });
	});

	test("an answer that trickles is left after its time", async () => {
		const slow = () =>
			new Response(
				new ReadableStream({ start: (out) => out.enqueue("{".repeat(10)) }),
			);
		const { decision } = await ask(
			[slow(), slow(), said(ORDINARY)],
			{},
			undefined,
			PATIENCE_MS,
		);
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

test("keys come from the environment, else from a file that is read and never run", () => {
	const { files } = fakeDoors();
	files.seed(
		"/x/.env",
		"# c\nexport THRUM_TYPESAFE_KEY='from file' \nOPENROUTER_API_KEY=$(touch /x/ran) # why\n",
	);
	expect(findKeys(files, {}, "/x/.env")).toEqual({
		typesafe: "from file",
		openrouter: "$(touch /x/ran)",
	});
	expect(
		findKeys(files, { THRUM_TYPESAFE_KEY: "env" }, "/x/.env")?.typesafe,
	).toBe("env");
	expect(findKeys(files, {}, "/x/none")).toBeNull();
	files.seed("/x/open", "OPENROUTER_API_KEY=planted", { mode: 0o666 });
	expect(findKeys(files, {}, "/x/open")).toBeNull();
	expect(findKeys(files, { OPENROUTER_API_KEY: "" }, null)).toBeNull();
});

describe("the program", () => {
	const MANIFEST = `${JSON.stringify({ agent: "a", raw_file: "/c/a.txt", capture_rc: 0, capture_json_file: "/c/a.json" })}\n`;
	const world = () => {
		const doors = fakeDoors({
			proc: {
				env: {
					ROSTER_JEV_FILTER_MOCK_JSON: '{"a":"active_permission_prompt"}',
				},
			},
		});
		doors.files.seed("/c/a.txt", "❯ \n");
		doors.files.seed("/c/a.json", '{"ok":true,"lines":["❯ "]}');
		doors.files.seed("/c/m.jsonl", MANIFEST);
		return doors;
	};

	test("writes its decisions privately and says in a line what came of it", async () => {
		const doors = world();
		const words = ["--manifest", "/c/m.jsonl", "--out-dir", "/c/out"];
		const end = await runFilter(doors, words);
		expect(end).toEqual({
			exitCode: 0,
			out: '{"archive_only":0,"attention":1,"out_dir":"/c/out"}',
		});
		expect(JSON.parse(doors.files.text("/c/out/summary.json"))).toMatchObject({
			schema_version: "watcher-filter-summary-v1",
			attention_agents: ["a"],
		});
		expect(doors.files.text("/c/out/decisions.jsonl").split("\n")).toHaveLength(
			2,
		);
		expect(doors.files.stat("/c/out/summary.json")).toMatchObject({
			stat: { mode: 0o600 },
		});
	});

	test("a manifest with a torn line is judged by nobody", async () => {
		const doors = world();
		doors.files.seed("/c/m.jsonl", `${MANIFEST}{"agent": "b"`);
		const words = ["--manifest", "/c/m.jsonl", "--out-dir", "/c/out"];
		expect((await runFilter(doors, words)).exitCode).toBe(1);
		expect(doors.files.has("/c/out/summary.json")).toBe(false);
	});

	test.each([
		[[]],
		[["--manifest", "/c/m.jsonl"]],
		[["--manifest", "/c/m.jsonl", "--out-dir", "/o", "--concurrency", "5"]],
		[["--manifest", "/c/m.jsonl", "--out-dir", "/o", "--timeout", "soon"]],
		[["--manifest", "/c/m.jsonl", "--out-dir", "/o", "--approve"]],
	])("usage: %j", async (argv) =>
		expect((await runFilter(world(), argv)).exitCode).toBe(2),
	);
});
