/** Which members of a roster need their watcher: the filter, its keys, its program (contract 09 §13). */
import { describe, expect, test } from "bun:test";
import { DEFAULT_FILTER, filterRows } from "../../monitor/_fleet/jev/filter.ts";
import { findKeys } from "../../monitor/_fleet/jev/keys.ts";
import { runFilter } from "../../resources/_jev-filter/run.ts";
import { fakeDoors } from "../fakes/doors.ts";

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
			"a long pane before a blank and failed capture",
			{ ...CALM, lines: Array(31).fill("x") },
			{ raw: " ", captureRc: 2 },
			"capture_truncated",
			null,
		],
		[
			"no document before a blank and failed capture",
			null,
			{ raw: " ", captureRc: 2 },
			"provider_input_unavailable",
			null,
		],
		[
			"a failed capture before its secret",
			{ ...CALM, lines: ["TOKEN=abc"] },
			{ captureRc: 2 },
			"capture_rc_nonzero",
			null,
		],
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

	test("notifies of a request that is too large, unless it holds a secret", async () => {
		const { first } = await run(CALM, {}, {}, { maxRequestBytes: 100 });
		expect(first?.reason).toBe("input_too_large");
		const secret = { ...CALM, lines: ["TOKEN=abc"] };
		const other = await run(secret, {}, {}, { maxRequestBytes: 100 });
		expect(other.first).toMatchObject({
			reason: "api_error",
			category: "redaction_guard",
		});
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

	test.each([
		["eight seconds", [], 8000],
		["what was asked for", ["--timeout", "3"], 3000],
	])("gives a provider up after %s, and notifies", async (_name, more, ms) => {
		const env = {
			THRUM_TYPESAFE_KEY: "k",
			ROSTER_JEV_TYPESAFE_URL: "http://127.0.0.1:9",
		};
		const doors = fakeDoors({ proc: { env } });
		for (const [path, text] of [
			["/c/a.txt", "❯ \n"],
			["/c/a.json", '{"ok":true,"lines":["❯ "]}'],
			["/c/m.jsonl", MANIFEST],
		] as const)
			doors.files.seed(path, text);
		const net = { fetch: () => new Promise<Response>(() => {}) };
		const words = ["--manifest", "/c/m.jsonl", "--out-dir", "/c/out"];
		let isOver = false;
		const running = runFilter({ ...doors, net }, [
			...words,
			"--retries",
			"0",
			...more,
		]).finally(() => {
			isOver = true;
		});
		await doors.clock.advance(ms - 1);
		expect(isOver).toBe(false);
		await doors.clock.advance(1);
		expect((await running).out).toContain('"attention":1');
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
