/** A check that says nothing, and a watcher that was away (contract 06 §8.3). */
import { describe, expect, test } from "bun:test";
import { healthRig, KEYS, registryLine, STATE, T0 } from "./rig.ts";

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
		expect(rig.restartedAt).toEqual([5230]);
		expect(rig.events()).toContain("held-clock-gap");
	});

	test("also for a watcher that was away", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		rig.restartWatcher();
		await rig.tick(361);
		expect(rig.restartedAt).toEqual([391]);
	});

	test("each look may be one after a gap: the second of the same waking restarts", async () => {
		const rig = healthRig({ config: { [KEYS.grace]: 60 } });
		await rig.tick(0);
		rig.answers.set("web", 1);
		await rig.tick(600);
		expect(rig.restartedAt).toEqual([]);
		await rig.tick(1200);
		expect(rig.restartedAt).toEqual([1230]);
	});

	test("what is well again at the second look is left alone", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		rig.clock.after(600_000 + 10_000, () => rig.answers.set("web", 0));
		await rig.tick(600);
		expect([rig.status(), rig.restartedAt]).toEqual(["recovered", []]);
	});

	test("a gap between the two looks holds the second, too", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		rig.clock.after(600_000 + 10_000, () => rig.clock.suspend(3600_000));
		await rig.tick(600);
		expect([rig.status(), rig.restartedAt]).toEqual(["grace", []]);
	});

	test("a run that is broken off between them ends there", async () => {
		const rig = healthRig();
		rig.answers.set("web", 1);
		await rig.tick(0);
		const end = new AbortController();
		rig.clock.after(600_000 + 10_000, () => end.abort());
		await rig.tick(600, { signal: end.signal });
		expect(rig.restartedAt).toEqual([]);
		expect(rig.clock.now()).toBeLessThan(T0 + 620);
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
		expect(rig.restartedAt).toEqual([5230]);
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
