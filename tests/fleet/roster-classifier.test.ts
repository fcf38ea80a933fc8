/** A pass with a classifier (contract 09 §12, §13). */
import { describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import type { CaptureDoc } from "../../monitor/_fleet/fleet.ts";
import { judgeSummary } from "../../resources/_roster-watch/jev-gate.ts";
import {
	AT,
	FILE,
	GONE,
	OUT,
	PLAIN,
	READY,
	type Setting,
	STAMP,
	WORKTREE,
	world,
} from "./roster-world.ts";

describe("with the classifier", () => {
	const KEY = { THRUM_TYPESAFE_KEY: "k" };
	const mock = (classes: object) => ({
		...KEY,
		ROSTER_JEV_FILTER_MOCK_JSON: JSON.stringify(classes),
	});
	const doc = (agent: string, lines = ["● calm", "❯ "]): CaptureDoc => ({
		agent,
		ok: true,
		lines,
		lineCount: lines.length,
		footer: null,
		ghostLines: [],
	});
	const jev = (env: Record<string, string>, part: Setting = {}) =>
		world({
			params: { roster: ["a", "b"], use_jev: true },
			fleet: { captureDoc: async (agent) => doc(agent) },
			env,
			...part,
		});

	test("a calm roster wakes nobody: the quiet marker is the last line", async () => {
		const { doors, run } = jev(mock({ a: "ordinary", b: "ordinary" }));
		const { out } = await run();
		expect(out).toEqual([
			`roster capture archived, jev filter found no watcher-needed panes: ${FILE} (${AT})`,
			"THRUM_ROSTER_JEV_ARCHIVE_ONLY_V1",
		]);
		const dir = `${OUT}/decisions/${STAMP}`;
		expect(doors.files.paths(dir)).toEqual([
			`${dir}/decisions.jsonl`,
			`${dir}/manifest.jsonl`,
			`${dir}/summary.json`,
		]);
	});

	test.each([
		["well", null],
		["badly", /archive\/(?:raw|sources)\//],
	])(
		"all that a pass leaves is for its owner alone, when it is archived %s",
		async (_, broken) => {
			const { doors, run } = jev(mock({ a: "ordinary" }), {
				pictures: { b: [GONE] },
				fleet: {
					captureDoc: async (agent) =>
						agent === "a"
							? doc(agent)
							: { ...doc(agent), ok: false, lines: [] },
				},
			});
			if (broken !== null)
				doors.files.faults.fail({ path: broken, code: "ENOSPC" });
			const { out } = await run();
			expect(out.join("\n").includes("ARCHIVE-DEGRADED")).toBe(broken !== null);
			const files = doors.files.paths(OUT);
			const modeOf = (path: string) => {
				const found = doors.files.stat(path);
				return found.kind === "ok" ? found.stat.mode & 0o777 : null;
			};
			expect(files.filter((path) => modeOf(path) !== 0o600)).toEqual([]);
			const folders = new Set(files.map(dirname));
			expect([...folders].filter((dir) => modeOf(dir) !== 0o700)).toEqual([]);
			expect(
				files.map((path) => path.slice(OUT.length + 1)).join("\n"),
			).toMatch(
				broken === null ? /^archive\/records\//m : /^archive\/health\//m,
			);
		},
	);

	test("a prompt wakes", async () => {
		const { run } = jev(mock({ a: "ordinary", b: "active_permission_prompt" }));
		expect((await run()).out).toEqual([
			`${READY} — active permission prompt or blocking user choice (1 agent(s)); decisions archived`,
		]);
	});

	test.each([
		["nobody answers for one", { a: "ordinary" }],
		[
			"one is not sure",
			{ a: "ordinary", b: { class: "ordinary", confidence: 0.7 } },
		],
		[
			"one is no readable pane",
			{ a: "ordinary", b: "failed_or_ambiguous_capture" },
		],
		["the provider fails", { a: "ordinary", b: "api_error" }],
	])("%s: the plain wake, with a warning", async (_, classes) => {
		const { out, err } = await jev(mock(classes)).run();
		expect(out).toEqual([PLAIN]);
		expect(err[0]).toStartWith("JEV filter not used: ");
	});

	test("a member that is only a picture, without a document, is not kept quiet", async () => {
		const { run } = jev(mock({ a: "ordinary", b: "ordinary" }), {
			pictures: { b: ["b\n"] },
			fleet: {
				captureDoc: async (agent) =>
					agent === "a" ? doc(agent) : { ...doc(agent), ok: false, lines: [] },
			},
		});
		expect((await run()).out).toEqual([PLAIN]);
	});

	test.each([
		["no key", {}, true],
		["an empty key", { OPENROUTER_API_KEY: "" }, true],
	])(
		"%s: said on stderr, nobody is asked, nothing is written",
		async (_, env, use_jev) => {
			const { doors, run } = world({
				params: { roster: ["a"], use_jev },
				pictures: { a: ["a\n"] },
				env,
			});
			expect(await run()).toEqual({
				exitCode: 0,
				out: [PLAIN],
				err: ["JEV requested but no key found — skipped"],
			});
			expect(doors.net.requests).toEqual([]);
			expect(doors.files.paths(`${OUT}/decisions`)).toEqual([]);
		},
	);

	test("only a literal true asks for it", async () => {
		const { run } = world({
			params: { roster: ["a"], use_jev: "true" },
			pictures: { a: ["a\n"] },
			env: mock({ a: "ordinary" }),
		});
		expect(await run()).toEqual({ exitCode: 0, out: [PLAIN], err: [] });
	});

	test("a key in the worktree's .env is read, never run", async () => {
		const env = {
			ROSTER_JEV_FILTER_MOCK_JSON: '{"a":"ordinary","b":"ordinary"}',
		};
		const { doors, run } = jev(env);
		doors.files.seed(`${WORKTREE}/.env`, "OPENROUTER_API_KEY=k\n");
		expect((await run()).out).toContain("THRUM_ROSTER_JEV_ARCHIVE_ONLY_V1");
	});

	test("its summary must cover exactly the roster", () => {
		const row = (agent: string) =>
			({
				agent,
				class: "ordinary",
				status: "ok",
				route: "archive_only",
				reason: "confident_ordinary",
				confidence: 0.9,
				category: null,
				provider: null,
			}) as const;
		expect(
			judgeSummary({ results: [row("b"), row("a")] }, ["a", "b"]).kind,
		).toBe("ok");
		expect(judgeSummary({ results: [row("a")] }, ["a", "b"]).kind).toBe(
			"not-ok",
		);
		expect(
			judgeSummary({ results: [row("a"), row("b"), row("c")] }, ["a", "b"])
				.kind,
		).toBe("not-ok");
	});
});
