import { describe, expect, test } from "bun:test";
import {
	endpointFor,
	processQueryOf,
	wantsReach,
} from "../../monitor/_svc/cockpit/endpoint.ts";
import {
	serviceLines,
	serviceRows,
} from "../../monitor/_svc/cockpit/service-rows.ts";
import type {
	ServiceLook,
	ServicesFacts,
} from "../../monitor/_svc/cockpit/services.ts";

const LOOK: ServiceLook = {
	row: {
		name: "web",
		workdir: "/w",
		launch: "./web",
		healthcheck: "true",
		logfile: "/w/serve.log",
		policy: "auto-restart",
	},
	position: 1,
	verdict: { kind: "up" },
	supervisor: { kind: "alive", pid: 9 },
	stopped: null,
	endpoint: "-",
};
const DOWN = { kind: "down", rc: 7, detail: "connection refused" } as const;
const STALE = { kind: "stale", reason: "process-gone" } as const;
const facts = (...looks: ServiceLook[]): ServicesFacts => ({
	kind: "rows",
	looks,
	warnings: [],
	unlisted: [],
});

describe("a service's row", () => {
	for (const [rule, over, cells] of [
		["up and supervised", {}, ["UP", "pid:9", "-"]],
		[
			"up, never recorded",
			{ supervisor: { kind: "absent" } },
			["UP", "-", "-"],
		],
		[
			"up under a dead supervisor",
			{ supervisor: STALE },
			["DEGRADED", "orphan", "-"],
		],
		[
			"down under a dead supervisor",
			{ supervisor: STALE, verdict: DOWN },
			["DOWN", "stale", "connection refused"],
		],
		[
			"down under a living one",
			{ verdict: DOWN, endpoint: "http://h:1/" },
			["DOWN", "pid:9", "http://h:1/  connection refused"],
		],
		[
			"stopped on purpose",
			{
				verdict: DOWN,
				supervisor: { kind: "absent" },
				stopped: { scope: "service", at: 1 },
			},
			["DOWN", "-", "stopped on purpose"],
		],
		[
			"a finding is up",
			{ verdict: { kind: "finding", detail: "disk 91%" } },
			["UP", "pid:9", "disk 91%"],
		],
		[
			"hung",
			{ verdict: { kind: "unknown", why: "did not finish within 20s" } },
			["UNKNOWN", "pid:9", "did not finish within 20s"],
		],
		[
			"a record that cannot be read",
			{ supervisor: { kind: "unknown", why: "EACCES" } },
			["UP", "?", "-"],
		],
		["a check that still runs", { verdict: null }, ["…", "pid:9", "-"]],
	] as const)
		test(rule, () => {
			const [row] = serviceRows(facts({ ...LOOK, ...over }));
			expect([row?.status, row?.supervisor, row?.detail]).toEqual([...cells]);
			expect(row?.key).toBe("1");
		});

	test("down on purpose alarms nobody; down, degraded and unlisted do", () => {
		const alarms = (look: Partial<ServiceLook>) =>
			serviceRows(facts({ ...LOOK, ...look }))[0]?.alarming;
		expect(alarms({ verdict: DOWN })).toBe(true);
		expect(alarms({ supervisor: STALE })).toBe(true);
		expect(alarms({ verdict: DOWN, stopped: { scope: "stack", at: 1 } })).toBe(
			false,
		);
		const unlisted = [{ name: "old", pid: 5 }];
		const [row] = serviceRows({ ...facts(), kind: "rows", unlisted } as never);
		expect(row).toMatchObject({
			key: "!",
			name: "old",
			status: "UNLISTED",
			supervisor: "pid:5",
			alarming: true,
		});
		expect(row?.detail).toContain("monitor/svc.ts stop old");
	});
});

describe("below the table stands", () => {
	test("where the registry would be, when there is none", () => {
		expect(serviceLines({ kind: "absent" }, "/reg")).toEqual([
			"no registered services (expected at /reg)",
		]);
		expect(serviceLines(facts(), "/reg")).toEqual([
			"no registered services (expected at /reg)",
		]);
	});
	test("that the registry is not readable, never an empty list", () => {
		const lines = serviceLines({ kind: "unreadable", error: "EACCES" }, "/reg");
		expect(lines).toEqual(["REGISTRY NOT READABLE: /reg: EACCES"]);
	});
	test("one legend for all that is degraded", () => {
		const degraded = { ...LOOK, supervisor: STALE };
		const [one, ...rest] = serviceLines(facts(degraded, LOOK), "/reg");
		expect(rest).toEqual([]);
		expect(one).toContain("its supervisor is dead and nothing will restart it");
		expect(one).toEndWith("monitor/svc.ts restart web");
		expect(serviceLines(facts(degraded, degraded), "/reg")).toHaveLength(1);
	});
	test("each warning of the registry, with its line", () => {
		const warnings = ["line 3: x"];
		const lines = serviceLines({ ...facts(LOOK), warnings } as never, "/reg");
		expect(lines).toEqual(["registry: line 3: x"]);
	});
});

describe("the endpoint", () => {
	const open = [{ port: 8765, loopback: false }];
	const none = { deployed: null, firstPid: null };
	const curl = "curl -fsS http://localhost:8765/";
	for (const [rule, healthcheck, found, listeners, expected] of [
		[
			"a local URL, listened to by all",
			curl,
			none,
			open,
			"http://me.org:8765/",
		],
		[
			"… by loopback alone",
			curl,
			none,
			[{ port: 8765, loopback: true }],
			"http://localhost:8765/",
		],
		[
			"… of another port",
			curl,
			none,
			[{ port: 9999, loopback: false }],
			"http://localhost:8765/",
		],
		[
			"127.0.0.1, in quotes, with a path",
			"curl -f 'http://127.0.0.1:8765/x?y' >/dev/null",
			none,
			open,
			"http://me.org:8765/x?y",
		],
		[
			"another host's stays",
			"curl https://h.example:8765/",
			none,
			open,
			"https://h.example:8765/",
		],
		[
			"a local URL without a port stays",
			"curl http://localhost/",
			none,
			open,
			"http://localhost/",
		],
		[
			"what was deployed",
			"test -f x",
			{ ...none, deployed: " http://h:1/a \nrest" },
			[],
			"http://h:1/a",
		],
		[
			"… but nothing that could steer a terminal",
			"test -f x",
			{ ...none, deployed: "http://h/\u001b[2J" },
			[],
			"-",
		],
		["a pgrep check", "pgrep -f x", { ...none, firstPid: "41" }, [], "pid:41"],
		["… that finds nobody", "pgrep -f x >/dev/null", none, [], "pid:-"],
		["any other check", "test -f x", none, [], "-"],
	] as const)
		test(`${rule} → ${expected}`, () => {
			const reach = { listeners, fqdn: "me.org" };
			expect(endpointFor({ healthcheck }, found, reach)).toBe(expected);
		});

	test("the listeners are asked for only where they matter", () => {
		expect(wantsReach({ healthcheck: curl }, null)).toBe(true);
		expect(wantsReach({ healthcheck: "curl http://h:1/" }, null)).toBe(false);
		expect(wantsReach({ healthcheck: "true" }, "http://127.0.0.1:5/")).toBe(
			true,
		);
	});

	test("a pgrep is repeated without its redirections", () => {
		expect(processQueryOf("pgrep -f 'a b' >/dev/null 2>&1")).toBe(
			"pgrep -f 'a b'",
		);
		expect(processQueryOf("! pgrep x")).toBeNull();
	});
});
