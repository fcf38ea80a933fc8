import { describe, expect, test } from "bun:test";
import { runContextUsage } from "../../monitor/_context-usage/run.ts";
import { lastMainChainUsage } from "../../monitor/_context-usage/usage.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const ID = "11111111-0000-4000-8000-000000000001";
const PATH = `/cc/projects/-a/${ID}.jsonl`;
const S = "/root/monitor/.state";

/** An answer whose prompt had so many tokens. */
function answer(tokens: number, more: object = {}): string {
	const usage = {
		input_tokens: Math.min(tokens, 10),
		cache_creation_input_tokens: 0,
		cache_read_input_tokens: Math.max(0, tokens - 10),
		output_tokens: 999,
	};
	return JSON.stringify({ type: "assistant", message: { usage }, ...more });
}
/** The contract's: main chain, sidechain, nothing. */
const VECTOR = [
	answer(241010),
	answer(20005, { isSidechain: true }),
	answer(0),
];

function machine(
	lines: readonly string[] = VECTOR,
	env: Readonly<Record<string, string>> = {},
): FakeDoors {
	const doors = fakeDoors({
		proc: {
			env: {
				NEXUS_ROOT: "/root",
				CLAUDE_CONFIG_DIR: "/cc",
				HOME: "/h",
				...env,
			},
		},
	});
	doors.files.seed(PATH, lines.map((line) => `${line}\n`).join(""));
	return doors;
}
async function context(doors: FakeDoors, ...argv: string[]) {
	const out: string[] = [];
	const err: string[] = [];
	const rc = await runContextUsage(argv, {
		doors,
		codeRoot: "/code",
		out: (line) => out.push(line),
		err: (line) => err.push(line),
	});
	return { rc, out: out.join("\n"), err: err.join("\n") };
}

describe("the last prompt of the main chain", () => {
	test.each([
		[VECTOR, 241010],
		[[answer(300), answer(100)], 100],
		[[answer(300), '{"type":"user"}', "torn {"], 300],
		[[answer(300), answer(100).slice(0, -4)], 300],
		[['{"type":"user","message":{"usage":{"input_tokens":5}}}'], null],
		[[answer(5, { isSidechain: true })], null],
		[['{"type":"assistant","message":{"usage":{"input_tokens":"7"}}}'], null],
		[[], null],
	])("of %j has %p tokens", (lines, tokens) => {
		expect(lastMainChainUsage(lines)).toBe(tokens);
	});

	test("is found beyond the lines that are looked at first, and beyond the first megabyte", async () => {
		const far = machine([answer(42), ...Array(500).fill('{"type":"user"}')]);
		expect((await context(far, "--session", ID)).out).toContain("tokens=42 ");
		const big = JSON.stringify({ type: "user", text: "x".repeat(3 << 20) });
		const farther = machine([answer(43), big]);
		expect((await context(farther, "--session", ID)).out).toContain(
			"tokens=43 ",
		);
	});
});

describe("thresholds", () => {
	test.each([
		[[], 0, "tokens=241010 limit=1000000 pct=24 threshold=250000 over=0"],
		[["--threshold", "200000"], 10, "threshold=200000 over=1"],
		[["--threshold", "241010"], 10, "over=1"],
		[["--threshold", "0"], 0, "threshold=0 over=0"],
		[["--limit", "500000"], 0, "limit=500000 pct=48"],
	] as const)("%j: exit %i, %s", async (more, rc, text) => {
		const ran = await context(machine(), "--session", ID, ...more);
		expect(ran.rc).toBe(rc);
		expect(ran.out).toContain(text);
		expect(ran.out).toEndWith(
			`session=${ID} window=unknown transcript=${PATH}`,
		);
	});

	test("come from the environment, too", async () => {
		const doors = machine(VECTOR, {
			MONITOR_CONTEXT_ROTATION_ORCHESTRATOR_TOKENS: "1000",
			MONITOR_CONTEXT_ROTATION_LIMIT_TOKENS: "2000000",
		});
		const ran = await context(doors, "--session", ID);
		expect(ran.rc).toBe(10);
		expect(ran.out).toContain("limit=2000000 pct=12 threshold=1000 over=1");
	});

	test("as JSON, or as nothing but the exit code", async () => {
		const json = await context(machine(), "--session", ID, "--format=json");
		expect(JSON.parse(json.out)).toEqual({
			ok: true,
			tokens: 241010,
			limit: 1000000,
			pct: 24,
			threshold: 250000,
			over: false,
			session: ID,
			window: "unknown",
			transcript: PATH,
		});
		const quiet = await context(
			machine(),
			"--session",
			ID,
			"--quiet",
			"--threshold",
			"1",
		);
		expect(quiet).toEqual({ rc: 10, out: "", err: "" });
	});
});

describe("whose context", () => {
	test("a window's: the orchestrator's by the pin, a worker's by its provenance", async () => {
		const doors = machine();
		doors.files.seed(`${S}/orchestrator-session-id`, `${ID}\n`);
		const target = await context(doors, "--window", "orchestrator");
		expect(target.out).toContain(`session=${ID} window=orchestrator`);
		doors.files.seed(`${S}/windows/w%2E1.json`, `{"session_id":"${ID}"}`);
		expect((await context(doors, "--window", "w.1")).rc).toBe(0);
	});

	test("the caller's: by its environment, else by the project's note", async () => {
		const own = machine(VECTOR, { CLAUDE_CODE_SESSION_ID: ID });
		expect((await context(own)).rc).toBe(0);
		const noted = machine(VECTOR, { CLAUDE_PROJECT_DIR: "/p" });
		noted.files.seed("/p/sessions/current_session_id", `${ID}\n`);
		expect((await context(noted)).rc).toBe(0);
	});

	test("a transcript's, by its path", async () => {
		const doors = machine();
		doors.files.seed("/x/mine.jsonl", `${answer(7)}\n`);
		const ran = await context(doors, "--transcript", "/x/mine.jsonl");
		expect(ran.out).toContain("session=unknown");
		expect(ran.out).toContain("tokens=7 ");
	});

	test("of a session that was resumed elsewhere the newest transcript counts", async () => {
		const doors = machine();
		const now = doors.clock.now();
		doors.files.seed(PATH, `${answer(1)}\n`, { mtime: now - 10 });
		doors.files.seed(`/cc/projects/-b/${ID}.jsonl`, `${answer(2)}\n`, {
			mtime: now,
		});
		doors.files.seed(`/cc/projects/-c/${ID}.jsonl`, `${answer(3)}\n`, {
			mtime: now - 5,
		});
		expect((await context(doors, "--session", ID)).out).toContain("tokens=2 ");
	});

	test("without transcripts in the configured home the default one is asked", async () => {
		const doors = machine(VECTOR, { CLAUDE_CONFIG_DIR: "/empty" });
		doors.files.seed(`/h/.claude/projects/-a/${ID}.jsonl`, `${answer(9)}\n`);
		expect((await context(doors, "--session", ID)).out).toContain("tokens=9 ");
	});

	test.each([
		[[], "no-session-id"],
		[["--window", "ghost"], "no-session-for-window:ghost"],
		[
			["--session", "22222222-0000-4000-8000-000000000002"],
			"no-transcript:22222222-0000-4000-8000-000000000002",
		],
		[["--session", "../../x"], "no-transcript:../../x"],
		[["--transcript", "/nowhere.jsonl"], "transcript-missing"],
		[["--transcript", "/cc"], "transcript-missing"],
	] as const)("%j cannot be told: %s", async (argv, error) => {
		expect(await context(machine(), ...argv)).toMatchObject({
			rc: 1,
			out: `error=${error}`,
		});
		const json = await context(machine(), ...argv, "--format", "json");
		expect(JSON.parse(json.out)).toEqual({ ok: false, error });
	});

	test("a transcript in which nobody answered has no usage", async () => {
		const ran = await context(machine(["{}"]), "--session", ID);
		expect(ran).toMatchObject({ rc: 1, out: "error=no-usage-record" });
	});
});

test.each([
	[["--threshold", "many"]],
	[["--limit", "0"]],
	[["--format", "xml"]],
	[["--session", ID, "--window", "w"]],
	[["--bogus"]],
	[["stray"]],
])("%j is no call: exit 2", async (argv) => {
	expect(await context(machine(), ...argv)).toMatchObject({ rc: 2, out: "" });
});
