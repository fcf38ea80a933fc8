import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	liveOverride,
	normalizeRoster,
	parseDuration,
	parseWatchParams,
	readWatchParams,
	renderWatchParams,
	watchParamsPath,
	writeWatchParams,
} from "../../monitor/_state/fleet/watch-params.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { fakeDoors } from "../fakes/doors.ts";

const TEMPLATE = readFileSync(
	join(CODE_ROOT, "resources/watch_params.template.json"),
	"utf8",
);
const GOOD = {
	watcher: "night",
	role: "steward",
	parent: "coordinator",
	owner: "user:ana",
	roster: ["a"],
	model: "haiku",
	effort: "low",
	created_at: "2026-01-01T00:00:00Z",
	created_by: "coordinator",
};
const parsed = (changes: object) => {
	const p = parseWatchParams(
		renderWatchParams(TEMPLATE, { ...GOOD, ...changes }),
	);
	if (p.kind !== "ok") throw new Error(p.why);
	return p;
};

test("a roster is names and objects of three spellings; nameless entries go, of duplicates the first stays", () =>
	expect(
		normalizeRoster([
			"a",
			{ agent_id: "b", hostname: "h", tmux_session: "s" },
			{ name: "c" },
			{},
			7,
			"a",
			{ agent: "@d", runtime: "codex" },
		]),
	).toEqual([
		{ agentId: "a" },
		{ agentId: "b", hostname: "h", tmuxSession: "s" },
		{ agentId: "c" },
		{ agentId: "d", runtime: "codex" },
	]));

test("overrides of the daemon are looked up by the agent's name", () => {
	const { params } = parsed({ capture_daemon_overrides: { "@b": "d_1" } });
	expect(params.daemonOverrides.a).toBeUndefined();
	expect(params.daemonOverrides.b).toBe("d_1");
});

test("the template filled in has no problem, and every key of it survives", () => {
	expect(parsed({}).problems).toEqual([]);
	const text = renderWatchParams(TEMPLATE, { ...GOOD, note: "kept" });
	const keys = Object.keys(JSON.parse(text));
	expect(keys).toEqual([...Object.keys(JSON.parse(TEMPLATE)), "note"]);
});

test("a value with quotes and newlines does not break out of its field", () => {
	const model = 'x", "role": "king"\n';
	expect(parsed({ model }).params).toMatchObject({ model, role: "steward" });
});

describe("a strict reader is told", () => {
	test.each([
		["schema", "watch-params-v2"],
		["watcher", "Night Watch"],
		["role", "king"],
		["parent", "the boss"],
		["owner", "ana"],
		["roster", []],
		["roster", [{}]],
		["model", ""],
		["effort", 3],
		["runtime", ""],
		["cadence_idle", "10 min"],
		["cadence_active", 300],
		["restart_ctx_pct", 0],
		["restart_ctx_pct", 101],
		["restart_ctx_pct", 50.5],
		["rules", [{ note: "no when" }]],
		["override", { reason: "r", set_by: "s" }],
		["pin_override", { target: "t" }],
		["sleeping_roster", "a"],
		["use_jev", "true"],
		["capture_daemon_overrides", { a: 1 }],
		["created_at", "yesterday"],
	])("%s of %j", (key, value) => {
		const { problems } = parsed({ [key]: value });
		expect(problems).toHaveLength(1);
		expect(problems[0]).toStartWith(`${key}: expected `);
		expect(problems[0]).toEndWith(`got ${JSON.stringify(value)}`);
	});
});

test("a script needs only a roster that can be read", () => {
	const p = parseWatchParams('{"roster": ["a", {}]}');
	expect(p).toMatchObject({
		kind: "ok",
		params: {
			roster: [{ agentId: "a" }],
			runtime: "claude",
			cadenceIdle: "10m",
			restartCtxPct: 50,
			useJev: false,
		},
	});
	expect(parseWatchParams("[]")).toMatchObject({ kind: "bad" });
	expect(parseWatchParams('{"roster": "a"}')).toMatchObject({ kind: "bad" });
	expect(parseWatchParams("")).toMatchObject({ kind: "bad" });
});

test.each([
	["2026-01-01T00:00:01Z", true],
	["2026-01-01T00:00:00Z", false],
	["2025-12-31T23:59:59Z", false],
	["soon", false],
])("an override that expires %s is live at midnight: %p", (expires, lives) => {
	const override = { cadence_idle: "1h", reason: "r", set_by: "s", expires };
	const { params } = parsed({ override });
	const now = Date.parse("2026-01-01T00:00:00Z") / 1000;
	expect(liveOverride(params, now) !== null).toBe(lives);
});

test.each([
	["90s", 90],
	["5m", 300],
	["2h", 7200],
	["2d", 172_800],
	["5", null],
	["5m ", null],
	["1.5h", null],
	["-1m", null],
])("%s is a duration of %p seconds", (text, seconds) =>
	expect(parseDuration(text)).toBe(seconds),
);

test("what is written is private and read back; what is missing is said with its path", () => {
	const { files } = fakeDoors();
	const T = "/srv/app/.thrum";
	expect(readWatchParams(files, T, "night")).toEqual({
		kind: "bad",
		why: `${watchParamsPath(T, "night")} is not there`,
	});
	writeWatchParams(files, T, "night", renderWatchParams(TEMPLATE, GOOD));
	const found = files.stat(`${T}/agents/night/watch_params.json`);
	expect(found).toMatchObject({ kind: "ok", stat: { mode: 0o600 } });
	expect(readWatchParams(files, T, "night")).toMatchObject({
		kind: "ok",
		params: { watcher: "night", owner: "user:ana" },
	});
});
