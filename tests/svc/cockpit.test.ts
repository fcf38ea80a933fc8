/** The cockpit's decisions: what fits, what a key does, where it may run. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readSettings } from "../../monitor/_state/settings.ts";
import type { CoreFacts } from "../../monitor/_svc/cockpit/facts.ts";
import type { FleetFacts } from "../../monitor/_svc/cockpit/fleet-facts.ts";
import { gatherFleet } from "../../monitor/_svc/cockpit/fleet-facts.ts";
import {
	fleetSummary,
	workerLines,
} from "../../monitor/_svc/cockpit/fleet-lines.ts";
import {
	drawn,
	type Model,
	renderFrame,
} from "../../monitor/_svc/cockpit/frame.ts";
import {
	costOf,
	geometryOf,
	lineCost,
} from "../../monitor/_svc/cockpit/geometry.ts";
import { judgePlace } from "../../monitor/_svc/cockpit/guard.ts";
import {
	type Key,
	type KeyState,
	keysIn,
	onKey,
} from "../../monitor/_svc/cockpit/keys.ts";
import { leaveClean } from "../../monitor/_svc/cockpit/leave-clean.ts";
import { type Block, pageOf } from "../../monitor/_svc/cockpit/paging.ts";
import type { ServiceLook } from "../../monitor/_svc/cockpit/services.ts";
import type {
	ProcessEvents,
	QuitSignal,
} from "../../monitor/_sys/process-events.ts";
import { fakeDoors } from "../fakes/doors.ts";

describe("what a line costs", () => {
	test.each([
		["a".repeat(113), 100, 2],
		["", 80, 1],
		["a".repeat(80), 80, 1],
		["a".repeat(81), 80, 2],
		["\u001b[31mred\u001b[0m", 3, 1],
		["漢字漢字", 4, 2],
	])("%j at some columns", (line, cols, cost) => {
		expect(lineCost(line, cols)).toBe(cost);
	});
});

describe("how large the screen is", () => {
	const none = { rows: null, cols: null };
	test.each([
		[none, { rows: 40, cols: 120 }, { rows: 40, cols: 120 }],
		[none, null, { rows: 24, cols: 80 }],
		[none, { rows: 4, cols: 120 }, { rows: 24, cols: 120 }],
		[none, { rows: 40, cols: 19 }, { rows: 40, cols: 80 }],
		[
			{ rows: 10, cols: 50 },
			{ rows: 40, cols: 120 },
			{ rows: 10, cols: 50 },
		],
		[
			{ rows: 3, cols: null },
			{ rows: 40, cols: 120 },
			{ rows: 40, cols: 120 },
		],
	])("wished %j, terminal %j", (wished, terminal, size) => {
		expect(geometryOf(wished, terminal)).toEqual(size);
	});
});

const up = (name: string): Block => ({ lines: [name], wantsAttention: false });
const down = (name: string): Block => ({ lines: [name], wantsAttention: true });
const namesOn = (blocks: readonly Block[], budget: number, page: number) => {
	const made = pageOf(blocks, budget, 80, page);
	return [made.blocks.map((b) => b.lines[0]).join(""), made.indicator];
};

describe("which rows a page shows", () => {
	const six = ["a", "b", "c", "d", "e", "f"].map(up);

	test("all of them while they fit", () => {
		expect(namesOn(six, 6, 1)).toEqual(["abcdef", null]);
	});

	test("greedily, one line kept for the indicator, clamped to the last page", () => {
		expect(namesOn(six, 5, 1)).toEqual([
			"abcd",
			"+2 more UP — page 1/2 (n next, p prev)",
		]);
		expect(namesOn(six, 5, 9)).toEqual([
			"ef",
			"+4 more UP — page 2/2 (n next, p prev)",
		]);
	});

	test("who wants attention stands on every page", () => {
		const mixed = [up("a"), down("X"), up("b"), up("c"), up("d")];
		expect(namesOn(mixed, 4, 1)[0]).toBe("Xab");
		expect(namesOn(mixed, 4, 2)[0]).toBe("Xcd");
	});

	test("when they alone fill the screen everything turns, they first, and what is hidden is said", () => {
		const bad = [up("a"), down("X"), down("Y"), down("Z")];
		expect(namesOn(bad, 3, 1)).toEqual([
			"XY",
			"! 1 unhealthy + 1 healthy hidden — page 1/2 (n next, p prev)",
		]);
		expect(namesOn(bad, 3, 2)[0]).toBe("Za");
		expect(pageOf(bad, 3, 80, 1).isAlarming).toBe(true);
	});

	test("every row is on some page, whatever the budget", () => {
		const some = fc.array(
			fc.record({
				lines: fc.array(fc.string({ maxLength: 200 }), {
					minLength: 1,
					maxLength: 3,
				}),
				wantsAttention: fc.boolean(),
			}),
		);
		fc.assert(
			fc.property(some, fc.integer({ min: -5, max: 40 }), (blocks, budget) => {
				const { pages } = pageOf(blocks, budget, 40, 1);
				const seen = new Set<Block>();
				for (let page = 1; page <= pages; page++)
					for (const b of pageOf(blocks, budget, 40, page).blocks) seen.add(b);
				return seen.size === new Set(blocks).size;
			}),
		);
	});
});

describe("what a key does", () => {
	const state = (over: Partial<KeyState> = {}): KeyState => ({
		services: 3,
		page: 1,
		pages: 1,
		digit: null,
		notice: "old",
		...over,
	});
	const pressed = (before: KeyState, ...keys: readonly Key[]) => {
		let at = before;
		const effects = keys.flatMap((key) => {
			const [next, done] = onKey(at, key);
			at = next;
			return done.map((e) =>
				"position" in e ? `${e.kind} ${e.position}` : e.kind,
			);
		});
		return { at, effects };
	};

	test.each<[string, Partial<KeyState>, readonly Key[], readonly string[]]>([
		["a service's number follows its log", {}, ["2"], ["follow 2"]],
		["0 follows the watcher's", {}, ["0"], ["follow-watcher"]],
		["x closes the log", {}, ["x"], ["close-log"]],
		["r and Enter look again", {}, ["r", "\r"], ["refresh", "refresh"]],
		["q quits", {}, ["q"], ["quit"]],
		["Ctrl-C quits", {}, ["\u0003"], ["quit"]],
		["other keys do nothing", {}, ["k", " ", "Q"], []],
		[
			"two digits make a number",
			{ services: 12 },
			["1", "2"],
			["await-digit", "follow 12"],
		],
		["10 is one", { services: 12 }, ["1", "0"], ["await-digit", "follow 10"]],
		[
			"one digit, and a second passes",
			{ services: 12 },
			["1", { kind: "waited" }],
			["await-digit", "follow 1"],
		],
		[
			"one digit, and Enter",
			{ services: 12 },
			["1", "\r"],
			["await-digit", "follow 1"],
		],
		[
			"one digit, and another key counts, too",
			{ services: 12 },
			["1", "x"],
			["await-digit", "follow 1", "close-log"],
		],
	])("%s", (_name, over, keys, effects) => {
		expect(pressed(state(over), ...keys).effects).toEqual([...effects]);
	});

	test("a number that is none is said", () => {
		expect(pressed(state(), "9").at.notice).toBe("no service #9");
		const twelve = state({ services: 12 });
		expect(pressed(twelve, "2", "5").at.notice).toBe("no service #25");
	});

	test("pages turn in a circle, and only when there are several", () => {
		const three = state({ pages: 3 });
		expect(pressed(three, "n", "n").at.page).toBe(3);
		expect(pressed(three, "n", "n", "n").at.page).toBe(1);
		expect(pressed(three, "p").at.page).toBe(3);
		expect(pressed(state(), "n").at.page).toBe(1);
	});

	test("an arrow is no key, and neither is a paste", () => {
		expect(keysIn("\u001b[A")).toEqual([]);
		expect(keysIn("please quit, quietly")).toEqual([]);
		expect(keysIn("12")).toEqual(["1", "2"]);
	});

	test("no key ever acts on a service", () => {
		const kinds = new Set<string>();
		for (let code = 0; code < 256; code++)
			for (const digit of [null, "1"])
				for (const effect of onKey(
					state({ services: 20, digit }),
					String.fromCharCode(code),
				)[1])
					kinds.add(effect.kind);
		expect([...kinds].sort()).toEqual([
			"await-digit",
			"close-log",
			"follow",
			"follow-watcher",
			"quit",
			"refresh",
		]);
	});
});

const NOW = 1_800_000_000;
const FLEET: FleetFacts = {
	now: NOW,
	orchestrator: { window: "orchestrator", state: "idle", ageSeconds: 90 },
	workers: [
		{ window: "build", state: "busy", ageSeconds: 12 },
		{ window: "ask", state: "blocked permission", ageSeconds: 240 },
		{ window: "docs", state: "idle", ageSeconds: null },
	],
	reports: [
		{ at: NOW - 30, reason: "poll-requests" },
		{ at: NOW - 4320, reason: "poll" },
	],
	delivery: { lastAt: NOW - 30, failures: 0 },
	decisions: [{ window: "ask", ageSeconds: 240 }],
	gitHub: { kind: "paused", until: NOW + 600 },
	limits: [{ window: "docs", resetAt: NOW + 7200 }],
};

test("the agents' lines, word for word", () => {
	expect(fleetSummary(FLEET).map(({ text }) => text)).toEqual([
		" orchestrator: idle 90s   workers: 3 (1 busy, 1 blocked, 1 idle)",
		" reports: poll-requests 30s ago, poll 1h12m ago; delivered 30s ago",
		" decisions waiting: 1 (ask 4m)",
		" github: paused for 10m   usage limits: docs; next reset in 2h00m",
	]);
	expect(workerLines(FLEET, 9).map(({ text }) => text)).toEqual([
		"   ask          blocked permission 4m",
		"   build        busy               12s",
		"   docs         idle               ?",
	]);
	expect(workerLines(FLEET, 2).map(({ text }) => text)).toEqual([
		"   ask          blocked permission 4m",
		"   +2 more",
	]);
	expect(workerLines(FLEET, 0)).toEqual([]);
});

test("what could not be looked at is never shown as nothing", () => {
	const blind = { ...FLEET, workers: null, limits: null };
	const text = fleetSummary(blind).map((l) => l.text);
	expect(text[0]).toBe(" agents: tmux does not answer");
	expect(text[3]).toContain("usage limits: cannot be read");
});

const CORE: CoreFacts = {
	now: NOW,
	stateDir: "/s",
	registry: "/r",
	fs: { kind: "ok" },
	verdict: {
		state: "UP",
		rc: 0,
		bucket: 0,
		pid: 7,
		heartbeatAge: 5,
		progressAge: 3,
		cycleAge: 9,
		periodSeconds: 61,
		wedgeCutoff: 900,
		reason: "",
	},
	pidLives: true,
	stopped: false,
	groups: [],
	supervisorBeatAt: null,
	supervisorStaleSeconds: 90,
	target: "orchestrator",
	targetPresence: "up",
	turnEndAt: null,
	diesAtStart: false,
};

function service(name: string, position: number, isUp = true): ServiceLook {
	return {
		row: {
			name,
			workdir: "/w",
			launch: "x",
			healthcheck: "true",
			logfile: "/w/l",
			policy: "auto-restart",
		},
		position,
		stopped: null,
		endpoint: "-",
		verdict: isUp ? { kind: "up" } : { kind: "down", rc: 1, detail: "" },
		supervisor: { kind: "absent" },
	};
}

function model(services: number, over: Partial<Model> = {}): Model {
	return {
		iso: "2027-01-15T08:00:00+00:00",
		core: CORE,
		fleet: FLEET,
		services: {
			kind: "rows",
			warnings: [],
			unlisted: [],
			looks: Array.from({ length: services }, (_, i) =>
				service(`svc-${i + 1}`, i + 1, i !== 3),
			),
		},
		registry: "/r",
		problems: [],
		page: 1,
		following: null,
		notice: null,
		digit: null,
		colour: false,
		...over,
	};
}

describe("a picture", () => {
	test.each([
		[24, 80],
		[12, 40],
		[5, 20],
		[50, 200],
	])("of %d by %d never takes more than the screen", (rows, cols) => {
		for (const services of [0, 1, 9, 30])
			for (let page = 1; page < 5; page++) {
				const { lines } = renderFrame(model(services, { page }), {
					rows,
					cols,
				});
				expect(costOf(lines, cols)).toBeLessThanOrEqual(rows);
			}
	});

	test("of 80 by 24 holds head, core, three services, agents and prompt", () => {
		const { lines } = renderFrame(model(3), { rows: 24, cols: 80 });
		expect(lines).toEqual([
			"nexus service cockpit  2027-01-15 08:00:00",
			"registry: /r",
			"",
			" #  SERVICE      STATUS   SUPERVISOR DETAIL",
			"    fs           OK                  /s",
			" 0  watcher      UP       pid:7      heartbeat 5s ago, loop 61s, target orchestrator",
			" -  watcher-sup  UNARMED  -          never armed",
			" -  orchestrator UP       watcher    no turn-end heartbeat",
			" 1  svc-1        UP       -          -",
			" 2  svc-2        UP       -          -",
			" 3  svc-3        UP       -          -",
			...fleetSummary(FLEET).map(({ text }) => text),
			...workerLines(FLEET, 9).map(({ text }) => text),
			"",
			"1-9 log  0 watcher's log  x close log  n/p page  r refresh  q quit",
		]);
	});

	test("that cannot hold all services turns pages, the sick one on each", () => {
		const at = (page: number) =>
			renderFrame(model(12, { page }), { rows: 24, cols: 80 });
		expect(at(1).pages).toBe(2);
		for (const page of [1, 2])
			expect(at(page).lines.join("\n")).toContain("svc-4        DOWN");
	});

	test("of a small screen gives up the agents' summary and then its titles before the services", () => {
		const at = (rows: number, cols = 80) => {
			const { lines } = renderFrame(model(12), { rows, cols });
			return lines.join("\n");
		};
		expect(at(24)).toContain("decisions waiting");
		for (const rows of [14, 10, 8, 6]) {
			expect([rows, at(rows)]).toEqual([
				rows,
				expect.stringContaining("svc-4        DOWN"),
			]);
			expect(at(rows)).toMatch(/hidden — page|more UP — page/);
			expect(at(rows)).not.toContain("decisions waiting");
		}
		expect(at(14)).toContain("registry: /r");
		expect(at(10)).not.toContain("registry: /r");
	});

	test.each([
		[["a"], ["registry: a"]],
		[
			["a", "b"],
			["registry: a", "registry: b"],
		],
		[
			["a", "b", "c", "d"],
			["registry: a", "registry: 3 more like it: monitor/svc.ts list"],
		],
	])(
		"of the registry's warnings %j shows %j, and keeps its titles",
		(warnings, shown) => {
			const m = model(3);
			const services = { ...m.services, warnings } as Model["services"];
			const { lines } = renderFrame({ ...m, services }, { rows: 24, cols: 80 });
			expect(lines.filter((line) => line.startsWith("registry: "))).toEqual([
				"registry: /r",
				...shown,
			]);
		},
	);

	test("hides no sick service for what is told of agents and registry", () => {
		const m = model(14);
		if (m.services.kind !== "rows") throw new Error("no rows");
		const looks = m.services.looks.map((look, i) =>
			i < 5 ? service(look.row.name, i + 1, false) : look,
		);
		const services = { ...m.services, looks, warnings: ["a", "b", "c"] };
		for (const rows of [22, 18, 16]) {
			const { lines } = renderFrame({ ...m, services }, { rows, cols: 80 });
			expect(lines.filter((line) => line.includes(" DOWN "))).toHaveLength(5);
			expect(lines.join("\n")).toContain("more UP — page");
		}
	});

	test("marks the row whose log is open, and shows a notice in the prompt's place", () => {
		const { lines } = renderFrame(
			model(1, { following: "svc-1", notice: "no service #9" }),
			{ rows: 24, cols: 80 },
		);
		expect(lines).toContain(">1  svc-1        UP       -          -");
		expect(lines.at(-1)).toBe("no service #9");
	});

	test("is drawn before anything was looked at", () => {
		const { lines } = renderFrame(model(1, { core: null, fleet: null }), {
			rows: 24,
			cols: 80,
		});
		expect(lines).toContain(" agents: looking…");
	});

	test("without colours holds no escape sequence, with them red for what alarms", () => {
		const size = { rows: 24, cols: 80 };
		expect(renderFrame(model(5), size).lines.join("")).not.toContain("\u001b");
		const red = renderFrame(model(5, { colour: true }), size).lines;
		expect(red.filter((line) => line.startsWith("\u001b[31m"))).toHaveLength(4);
	});

	test("is one write: home, each line wiped behind, everything below wiped", () => {
		const frame = { lines: ["ab", "x".repeat(10)], page: 1, pages: 1 };
		expect(drawn(frame, { rows: 5, cols: 10 }, false)).toBe(
			`\u001b[Hab\u001b[K\r\n${"x".repeat(10)}\u001b[J`,
		);
		expect(drawn(frame, { rows: 5, cols: 10 }, true)).toStartWith(
			"\u001b[2J\u001b[H",
		);
	});
});

describe("where it may run", () => {
	const facts = {
		own: { windowId: "@3", name: "services" },
		isShared: false,
		target: "orchestrator",
		servicesWindow: "services",
		other: null,
	};
	const target = { windowId: "@1", name: "orchestrator" };

	test("in a window of its own", () => {
		expect(judgePlace(facts)).toEqual({ kind: "go" });
	});

	test("not in the orchestrator's, which is renamed so that its absence shows", () => {
		expect(judgePlace({ ...facts, own: target })).toMatchObject({
			kind: "refuse",
			rename: { windowId: "@1", name: "services-misplaced" },
		});
	});

	test("a live orchestrator beside it keeps its window's name", () => {
		expect(judgePlace({ ...facts, own: target, isShared: true })).toMatchObject(
			{ kind: "refuse", rename: null },
		);
	});

	test("not twice", () => {
		const other = { pid: 77, window: "desk" };
		expect(judgePlace({ ...facts, other })).toMatchObject({
			kind: "refuse",
			lines: [
				"a cockpit runs already: pid 77, window 'desk'; once: monitor/svc.ts status",
			],
		});
	});

	test("when nobody can tell, an operator may look", () => {
		expect(judgePlace({ ...facts, own: null })).toEqual({ kind: "go" });
	});
});

describe("every way out restores the terminal", () => {
	function ways(isAway = false) {
		const trace: string[] = [];
		const handlers = new Map<string, (arg?: unknown) => void>();
		const events: ProcessEvents = {
			onSignal: (signal: QuitSignal, handler) => handlers.set(signal, handler),
			onExit: (handler) => handlers.set("exit", handler),
			onStrayRejection: (handler) => handlers.set("rejection", handler),
			onUncaught: (handler) => handlers.set("uncaught", handler),
			keepAlive: () => {},
			exportEnv: () => {},
			exit: (code) => {
				trace.push(`exit ${code}`);
				return undefined as never;
			},
		};
		const terminal = {
			size: () => null,
			write: () => {},
			enter: () => {},
			leave: () => trace.push("leave"),
			onKeys: () => {},
			onResize: () => {},
		};
		leaveClean(terminal, events, {
			end: (exit) => trace.push(`end ${exit}`),
			isAway: () => isAway,
			warn: (line) => trace.push(line),
		});
		return {
			trace,
			happens: (what: string) => handlers.get(what)?.(new Error("x")),
		};
	}

	test.each([
		["SIGINT", ["end 130"]],
		["SIGTERM", ["end 130"]],
		["SIGHUP", ["end 130"]],
		["exit", ["leave"]],
		["uncaught", ["leave", "the cockpit failed: Error: x", "exit 1"]],
		["rejection", ["leave", "the cockpit failed: Error: x", "exit 1"]],
	])("%s", (what, trace) => {
		const w = ways();
		w.happens(what);
		expect(w.trace).toEqual(trace);
	});

	test("Ctrl-C ends a log that has the screen, and not the cockpit", () => {
		const w = ways(true);
		w.happens("SIGINT");
		expect(w.trace).toEqual([]);
		w.happens("SIGTERM");
		expect(w.trace).toEqual(["end 130"]);
	});
});

test("the agents' facts come from disk and tmux, and nothing is written", async () => {
	const doors = fakeDoors({
		now: NOW,
		auto: true,
		proc: { env: { HOME: "/h", NEXUS_ROOT: "/n" } },
	});
	const { files } = doors;
	const S = "/n/monitor/.state";
	files.seed(`${S}/diffs/2027-01-15_07-59-30_ab12_poll-requests.md`, "x");
	files.seed(`${S}/diffs/2027-01-15_07-00-00_ab13.md`, "x");
	files.seed(`${S}/decisions/ask.0123456789ab.json`, "{}", { mtime: NOW - 60 });
	files.seed(`${S}/decisions/old.0123456789ab.json`, "{}");
	files.seed(`${S}/decisions/old.0123456789ab.handled.json`, "{}");
	files.seed(`${S}/over-limit-state.tsv`, "torn\n");
	doors.tmux.window("shell");
	for (const [at, name] of ["orchestrator", "build", "services"].entries()) {
		const { pane } = doors.tmux.window(name);
		pane.pid = 700 + at;
		doors.proc.add({ pid: 700 + at, comm: "claude", exe: "/opt/claude" });
	}
	const before = files.paths();
	const settings = await readSettings(doors, "/code", false);
	expect(await gatherFleet(doors, settings, new Set(["services"]))).toEqual({
		now: NOW,
		orchestrator: { window: "orchestrator", state: "unknown", ageSeconds: 0 },
		// A shell is none, and neither is what a service runs.
		workers: [{ window: "build", state: "unknown", ageSeconds: 0 }],
		reports: [
			{ at: NOW - 30, reason: "poll-requests" },
			{ at: NOW - 3600, reason: "poll" },
		],
		delivery: { lastAt: null, failures: 0 },
		decisions: [{ window: "ask", ageSeconds: 60 }],
		gitHub: { kind: "off" },
		limits: [],
	});
	expect(files.paths()).toEqual(before);
});
