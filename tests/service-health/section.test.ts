/** The section of service health: its words, and what a delivery teaches (contract 06 §8.4, §17). */
import { describe, expect, test } from "bun:test";
import { incidentBlock } from "../../monitor/_emit/service-health-blocks.ts";
import { parseIncident } from "../../monitor/_state/service-incident-kv.ts";
import { healthRig, registryLine, STATE, T0 } from "./rig.ts";

const FILE = `${STATE}/service-health/web.state`;
const iso = (at: number) => `<${at}>`;

const OPEN =
	"policy=auto-restart\nfirst_unhealthy=5\nrestart_attempts=2\ngrace_seconds=30\nhealth_cmd=curl x\nhealth_detail=refused\nworkdir=/w\nlogfile=/w/serve.log\nnote=attempt 2/3 (rc=0)\n";
const RECOVERED =
	"policy=auto-restart\nfirst_unhealthy=5\nrecovered_at=9\nrestart_attempts=2\nrecovered_via=how it was\n";
const UNSUPERVISED =
	"policy=auto-restart\nsupervisor=process-gone\nsupervisor_pidfile=/s/web.pid\ninconsistent_polls=3\nfirst_inconsistent=5\nhealth_cmd=curl x\n";

const ACTION = [
	"failing healthcheck: curl x",
	"ACTION (skills/nexus.service-recovery)",
	"restart now: monitor/svc.ts restart web",
	"incident issue: monitor/ng service-incident web",
];
const FILES = `incident state: ${FILE}   (history: ${STATE}/service-health/web.events)`;

interface Words {
	readonly state: string;
	readonly first: readonly string[];
	readonly has?: readonly string[];
	readonly hasNot?: readonly string[];
}

describe.each<[string, Words]>([
	[
		"grace",
		{
			state: `status=grace\n${OPEN}`,
			first: ["unhealthy since <5>", "30s grace window"],
			has: [
				"failing healthcheck: curl x",
				"policy: auto-restart; after the grace window the watcher restarts it",
				"No action needed yet",
				"diagnostic: refused",
				"logfile: /w/serve.log",
				FILES,
			],
			hasNot: ["auto-restart:", "attempt"],
		},
	],
	[
		"grace of one that is never restarted, with nothing else known",
		{
			state:
				"status=grace\npolicy=emit-only\nfirst_unhealthy=5\ngrace_seconds=30\nhealth_cmd=curl x\n",
			first: ["unhealthy since <5>"],
			has: [
				"policy: emit-only; after the grace window it is left to you",
				FILES,
			],
			hasNot: ["logfile:", "diagnostic:", "restarts it"],
		},
	],
	[
		"down, as an older writer says it",
		{
			state: `status=down\n${OPEN}`,
			first: ["auto-restart in progress (2 attempt(s))"],
		},
	],
	[
		"recovering",
		{
			state: `status=recovering\n${OPEN}`,
			first: ["unhealthy since <5>", "auto-restart in progress (2 attempt(s))"],
			has: [
				"failing healthcheck: curl x",
				"policy: auto-restart",
				"auto-restart: attempt 2/3 (rc=0)",
				"monitor/ng service-incident web",
				FILES,
			],
		},
	],
	[
		"emit-only",
		{
			state: `status=emit-only\n${OPEN}`.replace("auto-restart", "emit-only"),
			first: [
				"DOWN since <5>",
				"emit-only",
				"will NOT auto-restart",
				"needs your judgment",
			],
			has: [...ACTION, "policy: emit-only", FILES],
		},
	],
	[
		"flapping",
		{
			state: `status=flapping\n${OPEN}`,
			first: [
				"DOWN and NOT auto-recovering (FLAPPING): unhealthy since <5>; 2 restart attempt(s) did not hold",
			],
			has: [...ACTION, "auto-restart: attempt 2/3 (rc=0)", FILES],
		},
	],
	...(
		[
			["watcher", "RECOVERED (auto-restart held)", true],
			["operator", "RECOVERED BY INTERVENTION", true],
			["unknown", "RECOVERED, CAUSE UNKNOWN", true],
			["self-heal", "RECOVERED (self-healed within grace)", false],
			["supervisor", "RECOVERED (self-healed within grace)", false],
		] as const
	).map(([by, first, incident]): [string, Words] => [
		`recovered by ${by}`,
		{
			state: `status=recovered\n${RECOVERED}recovered_by=${by}\n`,
			first: [first],
			has: incident
				? ["NOT a transient blip", "monitor/ng service-incident web"]
				: ["Transient blip", "no action needed"],
			hasNot: ["incident state:"],
		},
	]),
	[
		"recovered by version-restart",
		{
			state: `status=recovered\n${RECOVERED}recovered_by=version-restart\n`,
			first: ["RESTARTED BY VERSION-RESTART"],
			has: ["expected after a pull"],
			hasNot: ["blip"],
		},
	],
	[
		"self-healed after it was escalated",
		{
			state: `status=recovered\n${RECOVERED}recovered_by=self-heal\nescalated=1\n`,
			first: ["RECOVERED (self-healed"],
			has: ["NOT a transient blip"],
		},
	],
	[
		"inconsistent",
		{
			state: `status=inconsistent\n${UNSUPERVISED}supervisor_kind=dead\n`,
			first: ["INCONSISTENT since <5>", "healthcheck PASSES", "UNSUPERVISED"],
			has: [
				"passing healthcheck: curl x",
				"/s/web.pid",
				"3 polls",
				"policy: auto-restart",
				"monitor/svc.ts restart web",
				FILES,
			],
			hasNot: ["DOWN", "reconciled", "diagnostic:"],
		},
	],
	[
		"inconsistent, its record removed",
		{
			state: `status=inconsistent\n${UNSUPERVISED}supervisor_kind=vanished\n`,
			first: ["INCONSISTENT since <5>"],
			has: ["removed", "NOT reconciled"],
		},
	],
	[
		"reconciled",
		{
			state: `status=reconciled\n${UNSUPERVISED}supervisor_kind=dead\n`,
			first: ["RECONCILED"],
			has: ["no action needed"],
			hasNot: ["incident state:"],
		},
	],
])("%s", (_, { state, first, has = [], hasNot = [] }) => {
	const incident = parseIncident(`service=web\n${state}`);
	const lines = incident === null ? [] : incidentBlock(incident, STATE, iso);

	test("its first line", () => {
		for (const words of ["service 'web'", ...first])
			expect(lines[0]).toContain(words);
	});
	test("its other words", () => {
		for (const words of has) expect(lines.join("\n")).toContain(words);
		for (const words of hasNot) expect(lines.join("\n")).not.toContain(words);
	});
	test("no line but the first begins a line of its own", () => {
		expect(lines.slice(1).filter((line) => !line.startsWith("  "))).toEqual([]);
	});
});

describe("what a delivery teaches", () => {
	const seeded = (state: string) => {
		const rig = healthRig();
		rig.files.seed(FILE, `service=web\n${state}`);
		return rig;
	};

	test("a block is rendered again until a report that holds it was delivered", async () => {
		const rig = seeded("status=recovering\nrestart_attempts=1\n");
		const held = await rig.render();
		const made = await rig.render();
		expect(made.text).toBe(held.text);
		expect(made.text).toContain("service 'web'");
		await made.commit();
		expect((await rig.render()).text).toBe("");
	});

	test("blocks stand in the order of their files, a blank line after each", async () => {
		const rig = seeded("status=grace\n");
		rig.setRegistry([registryLine("web"), registryLine("api")]);
		rig.files.seed(
			`${STATE}/service-health/api.state`,
			"service=api\nstatus=grace\n",
		);
		const { text } = await rig.render();
		expect(text).toMatch(/^service 'api' .*\n\nservice 'web' .*\n\n$/s);
	});

	test("a service that fails again before the delivery keeps its new incident", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		rig.answers.set("web", 0);
		await rig.tick(60);
		const told = await rig.render();
		rig.answers.set("web", 1);
		await rig.tick(120);
		await told.commit();
		expect(rig.status()).toBe("grace");
		expect((await rig.render()).text).toContain("grace window");
	});

	test("what was told of an old incident mutes nothing of the next", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		await rig.deliver();
		rig.answers.set("web", 0);
		await rig.tick(60);
		rig.answers.set("web", 1);
		await rig.tick(120);
		expect((await rig.render()).text).toContain("grace window");
	});

	test("a late commit of an old incident mutes nothing of the next", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		const told = await rig.render();
		rig.answers.set("web", 0);
		await rig.tick(60);
		rig.answers.set("web", 1);
		await rig.tick(120);
		await told.commit();
		expect((await rig.render()).text).toContain("grace window");
	});

	test("a service that left the registry is told once, and its incident ends", async () => {
		const rig = seeded(`status=flapping\nfirst_unhealthy=${T0}\n`);
		rig.setRegistry([registryLine("other")]);
		const told = await rig.deliver();
		expect(told).toContain("service 'web' LEFT THE REGISTRY");
		expect(told).not.toContain("restart now");
		expect(rig.status()).toBeNull();
		expect(await rig.deliver()).toBe("");
	});

	test("nobody is said to have left a registry that cannot be read", async () => {
		const rig = seeded("status=flapping\n");
		rig.setRegistry([]);
		expect(await rig.deliver()).toContain("FLAPPING");
		expect(rig.status()).toBe("flapping");
	});

	test.each([
		["zero bytes", ""],
		["NULs", "service=web\nstatus=flapping\n\0\0"],
		["no first key", "status=flapping\n"],
		["a word that is no status", "service=web\nstatus=fine\n"],
	])("a damaged incident (%s) is left to the tick", async (_, text) => {
		const rig = seeded("status=flapping\n");
		rig.files.seed(FILE, text);
		expect(await rig.deliver()).toBe("");
		expect(rig.files.text(FILE)).toBe(text);
	});

	test.each(["recovered", "reconciled"])(
		"%s leaves its history alone",
		async (status) => {
			const rig = seeded("status=flapping\n");
			await rig.deliver();
			rig.files.seed(FILE, `service=web\nstatus=${status}\n`);
			rig.files.seed(`${STATE}/service-health/web.events`, "x\ty\tz\n");
			expect(await rig.deliver()).not.toBe("");
			expect(rig.files.paths(`${STATE}/service-health`)).toEqual([
				`${STATE}/service-health/web.events`,
			]);
		},
	);

	test("each attempt of a restart is told, and each six hours without a supervisor", async () => {
		const rig = seeded("status=recovering\nrestart_attempts=1\n");
		const again = async (state: string) => {
			rig.files.seed(FILE, `service=web\n${state}`);
			return (await rig.deliver()) !== "";
		};
		expect(await again("status=recovering\nrestart_attempts=1\n")).toBe(true);
		expect(await again("status=recovering\nrestart_attempts=1\nnote=x\n")).toBe(
			false,
		);
		expect(await again("status=recovering\nrestart_attempts=2\n")).toBe(true);
		const alone = "status=inconsistent\nsupervisor_kind=dead\nrenag_bucket=";
		expect(await again(`${alone}0\n`)).toBe(true);
		expect(await again(`${alone}0\ninconsistent_polls=9\n`)).toBe(false);
		expect(await again(`${alone}1\n`)).toBe(true);
	});
});
