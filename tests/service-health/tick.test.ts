/** A service from its first failed check to its end (contract 06 §8.3, §17). */
import { describe, expect, test } from "bun:test";
import { type HealthRig, healthRig, registryLine, STATE, T0 } from "./rig.ts";

const KEYS = {
	grace: "monitor.service_health.grace_seconds",
	cooldown: "monitor.service_health.restart_cooldown_seconds",
	ceiling: "monitor.service_health.flap_ceiling",
} as const;

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

describe("who brought it back", () => {
	const failThen = async (rig: HealthRig, given: () => void = () => {}) => {
		rig.answers.set("web", 1);
		await rig.tick(3000);
		rig.answers.set("web", 0);
		given();
		await rig.tick(3010);
		return rig.state()?.get("recovered_by");
	};

	test("its living supervisor, within grace: a blip, and its file goes with the delivery", async () => {
		const rig = healthRig();
		rig.record("alive");
		expect(await failThen(rig)).toBe("supervisor");
		expect(rig.state()?.get("recovered_via")).toContain("777");
		expect(rig.restarts).toEqual([]);
		expect(await rig.deliver()).toContain("Transient blip");
		expect(rig.status()).toBeNull();
		expect(rig.events()).toContain("recovered");
		expect(await rig.deliver()).toBe("");
	});

	test("nobody of ours, within grace", async () => {
		expect(await failThen(healthRig())).toBe("self-heal");
	});

	test("a dead supervisor is never credited", async () => {
		const rig = healthRig();
		rig.record("stale");
		expect(await failThen(rig)).toBe("unknown");
		expect(await rig.deliver()).not.toContain("Transient blip");
	});

	test("the watcher, when it restarted it", async () => {
		const rig = healthRig({ config: { [KEYS.grace]: 0 } });
		rig.answers.set("web", 1);
		await rig.tick(6000);
		expect(rig.restarts).toHaveLength(1);
		rig.answers.set("web", 0);
		await rig.tick(6100);
		expect(rig.state()?.get("recovered_by")).toBe("watcher");
		expect(rig.state()?.get("recovered_via")).toContain("held after");
	});

	test.each([
		["operator", 2980, "operator", "before the downtime was seen"],
		["version-restart", 2980, "version-restart", "by the version check"],
		["watcher", 2980, "self-heal", "by the watcher, whose restart was refused"],
		["operator", 2880, "operator", "an interval before, and no longer"],
		["operator", 2879, "self-heal", "longer before"],
		["operator", 3130, "operator", "an interval ahead of this clock"],
		["operator", 9999, "self-heal", "in the future of another clock"],
	])("a marker of %s at %i: %s (%s)", async (actor, at, by) => {
		const rig = healthRig();
		expect(await failThen(rig, () => rig.marker(actor, at))).toBe(by);
		expect(rig.files.has(`${STATE}/service-health/web.restart`)).toBe(false);
	});

	test("a marker outlives the downtime that it explains, and what is unknown", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		rig.marker("operator", 0);
		await rig.tick(20);
		rig.answers.set("web", "hang");
		await rig.tick(25);
		expect(rig.files.has(`${STATE}/service-health/web.restart`)).toBe(true);
	});

	test("a marker that nobody needed is swept after two intervals", async () => {
		const rig = healthRig();
		rig.marker("operator", 0);
		await rig.tick(240);
		expect(rig.files.has(`${STATE}/service-health/web.restart`)).toBe(true);
		await rig.tick(360);
		expect(rig.files.has(`${STATE}/service-health/web.restart`)).toBe(false);
	});
});

describe("healthy with nobody to supervise it", () => {
	test("is told at the third poll, never restarted, and again when the record vanishes", async () => {
		const rig = healthRig();
		rig.record("stale");
		const seen: unknown[] = [];
		for (const t of [0, 120, 240]) {
			await rig.tick(t);
			seen.push(rig.status());
		}
		expect(seen).toEqual([null, null, "inconsistent"]);
		expect(await rig.deliver()).toContain("INCONSISTENT since");
		expect(await rig.deliver()).toBe("");
		expect(rig.events()).toEqual(["detected-inconsistent"]);
		rig.record("absent");
		await rig.tick(360);
		expect(rig.status()).toBe("inconsistent");
		expect(rig.state()?.get("supervisor_kind")).toBe("vanished");
		const told = await rig.deliver();
		expect(told).toContain("NOT reconciled");
		expect(told).not.toContain("RECONCILED");
		expect(rig.restarts).toEqual([]);
		expect(rig.events()).toEqual([
			"detected-inconsistent",
			"supervisor-record-vanished",
		]);
	});

	test("is told again after six hours, and its end once", async () => {
		const rig = healthRig();
		rig.record("stale");
		for (const t of [0, 120, 240]) await rig.tick(t);
		await rig.deliver();
		for (let t = 360; t < 240 + 21_600; t += 120) await rig.tick(t);
		expect(await rig.deliver()).toBe("");
		await rig.tick(240 + 21_600);
		expect(await rig.deliver()).not.toBe("");
		rig.record("alive");
		await rig.tick(240 + 21_720);
		expect(rig.status()).toBe("reconciled");
		expect(await rig.deliver()).toContain("RECONCILED");
		expect(rig.status()).toBeNull();
		expect(rig.events().at(-1)).toBe("inconsistent-cleared");
	});

	test("a failing check between begins the count anew", async () => {
		const rig = healthRig();
		rig.record("stale");
		for (const [t, answer] of [
			[0, 0],
			[120, 0],
			[240, 1],
			[360, 0],
			[480, 0],
			[600, 0],
		] as const) {
			rig.answers.set("web", answer);
			await rig.tick(t);
			if (t === 240)
				expect(rig.files.has(`${STATE}/service-health/web.inconsistent`)).toBe(
					false,
				);
		}
		expect(rig.events()).not.toContain("detected-inconsistent");
		await rig.tick(720);
		expect(rig.status()).toBe("inconsistent");
	});

	test("that vanished is an event once, and a gap takes nothing back", async () => {
		const rig = healthRig();
		rig.record("stale");
		for (const t of [0, 120, 240]) await rig.tick(t);
		rig.record("absent");
		for (const t of [360, 480]) await rig.tick(t);
		await rig.tick(9000, { afterGap: true });
		expect([rig.status(), rig.state()?.get("supervisor_kind")]).toEqual([
			"inconsistent",
			"vanished",
		]);
		expect(rig.events()).toEqual([
			"detected-inconsistent",
			"supervisor-record-vanished",
		]);
	});

	test("an unfinished check between changes nothing of the count", async () => {
		const rig = healthRig();
		rig.record("stale");
		for (const [t, answer] of [
			[0, 0],
			[120, 0],
			[300, "hang"],
			[420, 0],
		] as const) {
			rig.answers.set("web", answer);
			await rig.tick(t);
		}
		expect(rig.status()).toBe("inconsistent");
	});

	test("that was reconciled and is told so later has nothing that could vanish", async () => {
		const rig = healthRig();
		rig.record("stale");
		for (const t of [0, 120, 240]) await rig.tick(t);
		rig.record("alive");
		await rig.tick(360);
		rig.record("absent");
		await rig.tick(480);
		expect(rig.status()).toBe("reconciled");
		expect(rig.events().at(-1)).toBe("inconsistent-cleared");
	});

	test("a start in the future of another clock is now", async () => {
		const rig = healthRig();
		rig.record("stale");
		for (const t of [0, 120, 240]) await rig.tick(t);
		const path = `${STATE}/service-health/web.state`;
		rig.files.seed(
			path,
			rig.files
				.text(path)
				.replace(/first_inconsistent=.*/, `first_inconsistent=${T0 + 90_000}`),
		);
		await rig.tick(360);
		expect(rig.state()?.get("first_inconsistent")).toBe(String(T0 + 360));
		expect(rig.state()?.get("renag_bucket")).toBe("0");
	});

	test("a poll with a supervisor begins the count anew", async () => {
		const rig = healthRig();
		for (const [t, record] of [
			[0, "stale"],
			[120, "stale"],
			[240, "alive"],
			[360, "stale"],
			[480, "stale"],
		] as const) {
			rig.record(record);
			await rig.tick(t);
		}
		expect(rig.status()).toBeNull();
	});

	test("a gap begins the count anew", async () => {
		const rig = healthRig();
		rig.record("stale");
		for (const t of [0, 120]) await rig.tick(t);
		await rig.tick(9000, { afterGap: true });
		for (const t of [9120, 9240]) await rig.tick(t);
		expect(rig.status()).toBeNull();
		await rig.tick(9360);
		expect(rig.status()).toBe("inconsistent");
	});

	test("a record that nobody can read proves nothing", async () => {
		const rig = healthRig();
		rig.files.seed(`${STATE}/services/web.pid`, "rubbish\n");
		for (const t of [0, 120, 240, 360]) await rig.tick(t);
		expect(rig.status()).toBeNull();
		const said = "service web: its supervisor record is damaged";
		expect(rig.lines.filter((line) => line === said)).toHaveLength(1);
	});
});

describe("a check that does not finish", () => {
	test("changes nothing; the third in a row rings once", async () => {
		const rig = healthRig();
		rig.answers.set("web", "hang");
		for (const t of [0, 120, 240, 360]) await rig.tick(t);
		expect(rig.status()).toBeNull();
		expect(rig.restarts).toEqual([]);
		const alerts = rig.files.text(`${STATE}/watcher-alerts.log`);
		expect(alerts.trimEnd().split("\n")).toHaveLength(1);
		expect(alerts).toContain("did not finish 3 times in a row");
		expect(rig.files.text(`${STATE}/service-health/web.unknown`)).toContain(
			`count=4\nsince=${T0 + 60}\n`,
		);
		expect(rig.lines.at(-1)).toBe(
			"service web: check did not finish within 60s (4 in a row)",
		);
		rig.answers.set("web", 0);
		await rig.tick(480);
		expect(rig.files.has(`${STATE}/service-health/web.unknown`)).toBe(false);
	});

	test("closes no incident and stops no other row", async () => {
		const rig = healthRig({
			registry: ["a", "b", "c", "d", "e", "f"].map((n) => registryLine(n)),
		});
		rig.answers.set("a", 1);
		await rig.tick(0);
		for (const name of "abcde") rig.answers.set(name, "hang");
		rig.answers.set("f", 1);
		await rig.tick(120);
		expect(rig.status("a")).toBe("grace");
		expect(rig.status("f")).toBe("grace");
	});

	test("because the run was broken off counts for nothing", async () => {
		const rig = healthRig();
		rig.answers.set("web", "hang");
		const end = new AbortController();
		rig.clock.after(5000, () => end.abort());
		expect(await rig.tick(0, { signal: end.signal })).toEqual({ rc: 1 });
		expect(rig.files.paths(`${STATE}/service-health`)).toEqual([]);
	});

	test("keeps its slot for five seconds: fifty that hang leave everybody's turn within the task's time", async () => {
		const names = Array.from({ length: 50 }, (_, n) => `s${n}`);
		const rig = healthRig({
			registry: [...names, "last"].map((name) => registryLine(name)),
		});
		for (const name of names) rig.answers.set(name, "hang");
		rig.answers.set("last", 1);
		const start = rig.clock.monoMs();
		await rig.tick(0);
		expect(rig.status("last")).toBe("grace");
		expect(rig.clock.monoMs() - start).toBeLessThan(150_000);
	});
});

describe("after a gap nothing is restarted at the first look", () => {
	test("an open incident keeps its grace; the look after it restarts", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(1000);
		await rig.tick(30_000, { afterGap: true });
		expect([rig.status(), rig.restarts.length]).toEqual(["grace", 0]);
		await rig.tick(30_120);
		expect(rig.restarts).toHaveLength(1);
		expect(rig.events()).toContain("held-clock-gap");
	});

	test("also when the gap's grace was over before this look", async () => {
		const rig = healthRig({ config: { [KEYS.grace]: 0 } });
		await rig.tick(0);
		rig.clock.suspend(5000_000);
		rig.answers.set("web", 1);
		await rig.tick(5200);
		expect([rig.status(), rig.restarts.length]).toEqual(["grace", 0]);
		await rig.tick(5320);
		expect(rig.restarts).toHaveLength(1);
	});

	test("also for a watcher that was away", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		rig.restartWatcher();
		await rig.tick(361);
		expect(rig.restarts).toEqual([]);
		await rig.tick(481);
		expect(rig.restarts).toHaveLength(1);
	});

	test("an unfinished check there is no look, and is not counted", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		rig.answers.set("web", "hang");
		await rig.tick(5000, { afterGap: true });
		expect(rig.files.has(`${STATE}/service-health/web.unknown`)).toBe(false);
		rig.answers.set("web", 1);
		await rig.tick(5200);
		expect(rig.restarts).toEqual([]);
		await rig.tick(5320);
		expect(rig.restarts).toHaveLength(1);
	});

	test("a healthy verdict closes an incident as always", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		rig.answers.set("web", 0);
		await rig.tick(9000, { afterGap: true });
		expect(rig.status()).toBe("recovered");
	});
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
