/** One look at a service whose check fails, and what is written of it (contract 06 §8.2, §8.3). */
import { describe, expect, test } from "bun:test";
import {
	type HealthRig,
	healthRig,
	KEYS,
	registryLine,
	STATE,
	T0,
} from "./rig.ts";

describe("always failing, auto-restart", () => {
	test("grace, three restarts a cooldown apart, then flapping; each told once", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		const seen: unknown[] = [];
		for (let t = 0; t <= 1080; t += 120) {
			const before = rig.restarts.length;
			await rig.tick(t);
			seen.push([
				t,
				rig.status(),
				rig.state()?.get("restart_attempts"),
				rig.restarts.length - before,
				(await rig.deliver()) !== "",
				rig.events().length,
			]);
		}
		expect(seen).toEqual([
			[0, "grace", "0", 0, true, 2],
			[120, "recovering", "1", 1, true, 3],
			[240, "recovering", "1", 0, false, 3],
			[360, "recovering", "1", 0, false, 3],
			[480, "recovering", "2", 1, true, 4],
			[600, "recovering", "2", 0, false, 4],
			[720, "recovering", "2", 0, false, 4],
			[840, "recovering", "3", 1, true, 5],
			[960, "flapping", "3", 0, true, 6],
			[1080, "flapping", "3", 0, false, 6],
		]);
		expect(rig.restarts[0]).toEqual({ service: "web", actor: "watcher" });
		expect(rig.state()?.get("escalated")).toBe("1");
		expect(rig.events()).toEqual([
			"detected-unhealthy",
			"grace-started",
			"restart-issued",
			"restart-issued",
			"restart-issued",
			"flap-ceiling-reached",
		]);
	});

	test("without cooldown the ceiling alone ends it", async () => {
		const rig = healthRig({
			config: { [KEYS.grace]: 0, [KEYS.cooldown]: 0, [KEYS.ceiling]: 2 },
		});
		rig.answers.set("web", 1);
		for (const t of [7000, 7001, 7002]) await rig.tick(t);
		expect(rig.restarts).toHaveLength(2);
		expect(rig.status()).toBe("flapping");
	});

	test("flapping ends with its health alone", async () => {
		const rig = healthRig({
			config: { [KEYS.grace]: 0, [KEYS.cooldown]: 0, [KEYS.ceiling]: 1 },
		});
		rig.answers.set("web", 1);
		for (const t of [0, 1, 2, 500]) await rig.tick(t);
		expect(rig.restarts).toHaveLength(1);
		rig.answers.set("web", 0);
		await rig.tick(620);
		expect(rig.status()).toBe("recovered");
	});
});

test.each(["alive", "absent"] as const)(
	"healthy and never failed, its record %s: no file, nothing to say",
	async (record) => {
		const rig = healthRig();
		rig.record(record);
		await rig.tick(0);
		expect(rig.files.paths(`${STATE}/service-health`)).toEqual([]);
		expect(await rig.deliver()).toBe("");
	},
);

test("a finding counts as healthy", async () => {
	const rig = healthRig();
	rig.answers.set("web", 100);
	await rig.tick(0);
	expect(rig.status()).toBeNull();
});

test("emit-only: grace, then for the operator; never a restart", async () => {
	const rig = healthRig({ registry: [registryLine("web", "emit-only")] });
	rig.answers.set("web", 1);
	const seen: unknown[] = [];
	for (const t of [4500, 4510, 4560, 4900, 5300]) {
		await rig.tick(t);
		seen.push([
			rig.status(),
			rig.state()?.get("escalated"),
			rig.events().filter((e) => e !== "held-clock-gap").length,
		]);
	}
	expect(seen).toEqual([
		["grace", "0", 2],
		["grace", "0", 2],
		["emit-only", "1", 3],
		["emit-only", "1", 3],
		["emit-only", "1", 3],
	]);
	expect(rig.events()[2]).toBe("escalate-emit-only");
	expect(rig.restarts).toEqual([]);
});

test("what the check said is kept with the incident, else the check itself", async () => {
	const rig = healthRig({
		registry: [registryLine("web"), registryLine("mute")],
	});
	rig.answers.set("web", 7);
	rig.answers.set("mute", 1);
	await rig.tick(0);
	expect(rig.state()?.get("health_detail")).toBe("connection refused");
	const rows = (name: string) =>
		rig.files.text(`${STATE}/service-health/${name}.events`).split("\n")[0];
	expect(rows("web")).toEndWith("\tdetected-unhealthy\tconnection refused");
	expect(rows("mute")).toEndWith(
		"\tdetected-unhealthy\thealthcheck failed: check mute",
	);
});

describe("the file of an incident holds its keys and no others:", () => {
	const keys = (rig: HealthRig) => [...(rig.state()?.keys() ?? [])].sort();
	const of = (words: string) => words.split(" ").sort();

	test("unhealthy, and recovered", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		expect(keys(rig)).toEqual(
			of(
				"service status policy first_unhealthy first_unhealthy_iso restart_attempts last_restart escalated last_check last_check_iso grace_seconds health_cmd health_detail workdir logfile note",
			),
		);
		rig.answers.set("web", 0);
		await rig.tick(120);
		expect(keys(rig)).toEqual(
			of(
				"service status policy first_unhealthy first_unhealthy_iso recovered_at recovered_at_iso restart_attempts recovered_by recovered_via escalated health_cmd logfile last_check",
			),
		);
	});

	test("inconsistent", async () => {
		const rig = healthRig();
		rig.record("stale");
		for (const t of [0, 120, 240]) await rig.tick(t);
		expect(keys(rig)).toEqual(
			of(
				"service status policy restart_attempts supervisor supervisor_kind supervisor_pidfile inconsistent_polls first_inconsistent first_inconsistent_iso renag_bucket health_cmd workdir logfile last_check last_check_iso",
			),
		);
		expect(rig.state()?.get("restart_attempts")).toBe("0");
	});
});

test("a service that was stopped on purpose is left alone", async () => {
	const rig = healthRig({ config: { [KEYS.grace]: 0 } });
	rig.files.seed(`${STATE}/services/web.stopped`, "scope=service\nat=1\n");
	rig.answers.set("web", 1);
	await rig.tick(0);
	expect([rig.status(), rig.restarts.length]).toEqual([null, 0]);
	rig.files.remove(`${STATE}/services/web.stopped`);
	await rig.tick(120);
	expect(rig.restarts).toHaveLength(1);
});

describe("what the disk does", () => {
	test("an incident that cannot be read is left alone, and said", async () => {
		const rig = healthRig({ config: { [KEYS.grace]: 0 } });
		rig.answers.set("web", 1);
		rig.files.faults.fail({ ops: ["read"], path: /web\.state/, code: "EIO" });
		await rig.tick(0);
		expect([rig.restarts, rig.events()]).toEqual([[], []]);
		expect(rig.lines.join()).toContain("its incident cannot be read");
	});

	test("a start further ahead than its own window is another clock's: it began now", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		const path = `${STATE}/service-health/web.state`;
		rig.files.seed(
			path,
			rig.files
				.text(path)
				.replace(/first_unhealthy=.*/, `first_unhealthy=${T0 + 9000}`),
		);
		await rig.tick(120);
		expect(rig.state()?.get("first_unhealthy")).toBe(String(T0 + 120));
		await rig.tick(240);
		expect(rig.restarts).toHaveLength(1);
	});

	test("what the registry warns of is said once", async () => {
		const rig = healthRig({ registry: [registryLine("web"), "half\t/w"] });
		for (const t of [0, 120]) await rig.tick(t);
		expect(rig.lines.filter((line) => line.includes("line 2:"))).toHaveLength(
			1,
		);
	});

	test("a damaged incident is set aside once and stays open, counted from its events", async () => {
		const rig = healthRig();
		rig.files.seed(`${STATE}/service-health/web.state`, "");
		const iso = (t: number) => rig.clock.iso(T0 + t);
		rig.files.seed(
			`${STATE}/service-health/web.events`,
			[
				[-9000, "restart-issued"],
				[-900, "detected-unhealthy"],
				[-600, "restart-issued"],
				[-100, "restart-issued"],
			]
				.map(([t, e]) => `${iso(Number(t))}\t${e}\tx\n`)
				.join(""),
		);
		rig.answers.set("web", 1);
		await rig.tick(0);
		expect(rig.status()).toBe("recovering");
		expect(rig.state()?.get("restart_attempts")).toBe("2");
		expect(rig.state()?.get("first_unhealthy")).toBe(String(T0 - 900));
		const aside = rig.files
			.paths(`${STATE}/service-health`)
			.filter((p) => p.includes(".damaged."));
		expect(aside).toHaveLength(1);
	});

	test("a restart that was refused is not counted", async () => {
		const rig = healthRig({ config: { [KEYS.grace]: 0 }, svc: () => 75 });
		rig.answers.set("web", 1);
		await rig.tick(0);
		expect(rig.state()?.get("restart_attempts")).toBe("0");
		expect(rig.events().at(-1)).toBe("restart-deferred");
		await rig.tick(120);
		expect(rig.restarts).toHaveLength(1);
		await rig.tick(300);
		expect(rig.restarts).toHaveLength(2);
	});

	test("a restart that failed is counted and told", async () => {
		const rig = healthRig({ config: { [KEYS.grace]: 0 }, svc: () => 1 });
		rig.answers.set("web", 1);
		await rig.tick(0);
		expect(rig.state()?.get("note")).toBe("attempt 1/3 (svc restart rc=1)");
		expect(rig.events().at(-1)).toBe("restart-failed");
	});

	test("nobody is restarted whose count cannot be written", async () => {
		const rig = healthRig({ config: { [KEYS.grace]: 0 } });
		rig.answers.set("web", 1);
		rig.files.faults.fail({
			ops: ["write"],
			path: /web\.state/,
			code: "EIO",
		});
		await rig.tick(0);
		expect(rig.restarts).toEqual([]);
		expect(rig.lines.join()).toContain("its incident is not written");
	});

	test("an unreadable registry skips the tick and says so", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		rig.setRegistry([]);
		expect(await rig.tick(0)).toEqual({ rc: 1 });
		expect(rig.lines.join()).toContain("registry not readable");
		expect(rig.status()).toBeNull();
	});

	test("without a registry there are no services", async () => {
		const rig = healthRig();
		rig.files.remove("/srv/nexus/monitor/services.registry");
		expect(await rig.tick(0)).toEqual({ rc: 0 });
		expect(rig.lines).toEqual([]);
	});
});
