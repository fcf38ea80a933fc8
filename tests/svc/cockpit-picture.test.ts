/** What the cockpit shows (contract 06 §7). */
import { describe, expect, test } from "bun:test";
import type { CoreFacts } from "../../monitor/_svc/cockpit/facts.ts";
import type { FleetFacts } from "../../monitor/_svc/cockpit/fleet-facts.ts";
import {
	fleetSummary,
	workerLines,
} from "../../monitor/_svc/cockpit/fleet-lines.ts";
import {
	drawn,
	type Model,
	renderFrame,
} from "../../monitor/_svc/cockpit/frame.ts";
import { costOf } from "../../monitor/_svc/cockpit/geometry.ts";
import type { ServiceLook } from "../../monitor/_svc/cockpit/services.ts";

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

	/** Which parts a screen of that many rows shows, in their order. */
	function partsAt(rows: number, m: Model): string {
		const { lines } = renderFrame(m, { rows, cols: 80 });
		const text = lines.join("\n");
		const parts = [
			["problem", "nexus.yml: no such key"],
			["title", "nexus service cockpit"],
			["columns", " #  SERVICE"],
			["fs", "    fs "],
			["watcher", " 0  watcher "],
			["sup", " -  watcher-sup"],
			["target", " -  orchestrator "],
			["sick", "svc-4        DOWN"],
			["told", "registry: row 3"],
			["agents", "decisions waiting"],
			["pages", " — page 1/"],
		] as const;
		const there = parts.filter(([, mark]) => text.includes(mark));
		return there.map(([name]) => name).join(" ");
	}

	test.each([
		[30, "problem title columns fs watcher sup target sick told agents"],
		[24, "problem title columns fs watcher sup target sick told agents pages"],
		[16, "problem title columns fs watcher sup target sick told pages"],
		[13, "problem columns fs watcher sup target sick told pages"],
		[10, "fs watcher sup target sick pages"],
		[9, "fs watcher sick pages"],
		[8, "fs watcher sick pages"],
		[7, "sick pages"],
		[6, "sick pages"],
		[5, "sick pages"],
	])("of %d rows leaves out in this order: %s are left", (rows, left) => {
		const m = model(12, { problems: ["nexus.yml: no such key"] });
		if (m.services.kind !== "rows") throw new Error("no rows");
		const services = { ...m.services, warnings: ["row 3 is none"] };
		expect(partsAt(rows, { ...m, services })).toBe(left);
	});

	test.each([
		[60, "! 10 unhealthy + 0 healthy hidden — page 1/6 (n next, p pre…"],
		[40, "! 10 unhealthy + 0 healthy hidden — pag…"],
		[20, "! 11 unhealthy + 0 …"],
	])("of %d columns says what is out of sight in one row", (cols, line) => {
		const m = model(12);
		if (m.services.kind !== "rows") throw new Error("no rows");
		const looks = m.services.looks.map((look, i) =>
			service(look.row.name, i + 1, false),
		);
		const services = { ...m.services, looks };
		const { lines } = renderFrame({ ...m, services }, { rows: 5, cols });
		expect(lines).toContain(line);
	});

	test("keeps in sight a service that is up, and that nothing would restart", () => {
		const m = model(14);
		if (m.services.kind !== "rows") throw new Error("no rows");
		const supervisor = { kind: "stale", reason: "process-gone" } as const;
		const looks = m.services.looks.map((look, i) => {
			const made = service(look.row.name, i + 1);
			return i === 13 ? { ...made, supervisor } : made;
		});
		const services = { ...m.services, looks };
		for (const page of [1, 2]) {
			const size = { rows: 14, cols: 80 };
			const { lines } = renderFrame({ ...m, services, page }, size);
			expect(lines.join("\n")).toContain("svc-14       DEGRADED orphan");
		}
	});

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
		const prompt = (notice: string) =>
			renderFrame(model(1, { notice }), { rows: 24, cols: 20 }).lines.at(-1);
		expect(prompt("a".repeat(20))).toBe("a".repeat(20));
		expect(prompt("a".repeat(21))).toBe(`${"a".repeat(19)}…`);
		const waiting = renderFrame(model(12, { digit: "1" }), {
			rows: 24,
			cols: 80,
		});
		expect(waiting.lines.at(-1)).toBe("service 1_");
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

	test("paints the line of the other pages red only where it hides trouble", () => {
		const indicator = (sick: number) => {
			const m = model(14, { colour: true });
			if (m.services.kind !== "rows") throw new Error("no rows");
			const looks = m.services.looks.map((look, i) =>
				service(look.row.name, i + 1, i >= sick),
			);
			const { lines } = renderFrame(
				{ ...m, services: { ...m.services, looks } },
				{ rows: 12, cols: 80 },
			);
			return lines.find((line) => line.includes("page 1/"));
		};
		expect(indicator(0)).toStartWith("+");
		expect(indicator(14)).toStartWith("\u001b[31m!");
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
