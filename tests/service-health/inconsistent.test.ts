/** A healthy service with nobody to supervise it (contract 06 §8.3). */
import { describe, expect, test } from "bun:test";
import { healthRig, STATE, T0 } from "./rig.ts";

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
