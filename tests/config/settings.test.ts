/** What the short-lived programs are told of their configuration (contract 07 §6.3, §6.4). */
import { expect, test } from "bun:test";
import { readSettings } from "../../monitor/_state/settings.ts";
import { fakeDoors } from "../fakes/doors.ts";

const MISSPELT = { MONITOR_INTERVAL: "fast", NEXUS_ROOT: "/n" };

test("a bad value in the environment is said once a process, and the default stands", async () => {
	const doors = fakeDoors({ proc: { env: MISSPELT } });
	const first = await readSettings(doors, "/code", false);
	await readSettings(doors, "/code", false);
	expect(first.config["monitor.interval_seconds"]).toBe(60);
	expect(doors.log.messages("warn")).toEqual([
		'config: env MONITOR_INTERVAL: expected an integer >= 1, got "fast"; ignored',
	]);
});

test("a program that reads no values has nothing to say of them", async () => {
	const { files, clock, proc } = fakeDoors({ proc: { env: MISSPELT } });
	const settings = await readSettings({ files, clock, proc }, "/code", false);
	expect(settings.warnings).toEqual([]);
});
