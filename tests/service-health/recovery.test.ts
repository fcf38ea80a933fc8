/** Who brought a service back (contract 06 §8.3). */
import { describe, expect, test } from "bun:test";
import { type HealthRig, healthRig, KEYS, STATE } from "./rig.ts";

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
