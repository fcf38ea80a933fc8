import { describe, expect, test } from "bun:test";
import {
	armSection,
	downMessage,
	isArmed,
	monitorCommand,
	wedgedMessage,
} from "../../monitor/_liveness/supervisor-text.ts";

const FACTS = {
	enabled: true,
	codeRoot: "/srv/nexus",
	stateDir: "/srv/nexus/monitor/.state",
	now: 1000,
	supervisorBeatAt: null,
	staleSeconds: 90,
};

describe("the arm section", () => {
	test("is the text of the worked example", () => {
		expect(armSection(FACTS)).toBe(
			`No fresh watcher-supervisor heartbeat (/srv/nexus/monitor/.state/watcher-supervisor-heartbeat): the supervisor Monitor is NOT armed.
Until it is, a crashed watcher is not revived between turns. Arm it now:
  Monitor({command: "until ! /srv/nexus/monitor/watcher-supervise-tick.ts; do sleep 15; done"})
  When it exits the watcher is down: run /srv/nexus/monitor/revive-watcher.ts, then arm it again (a Monitor lease that merely expired is re-armed the same way). See skills/nexus.service-recovery.`,
		);
	});

	test("is the same text a minute later, so that dedup folds it", () => {
		expect(armSection({ ...FACTS, now: 1060, supervisorBeatAt: 100 })).toBe(
			armSection(FACTS),
		);
	});

	for (const [beatAt, armed] of [
		[910, true],
		[909, false],
		[1090, true],
		[1091, false],
		[null, false],
	] as const)
		test(`a beat at ${beatAt}, now 1000 → ${armed ? "armed" : "unarmed"}`, () => {
			const facts = { ...FACTS, supervisorBeatAt: beatAt };
			expect(isArmed(facts)).toBe(armed);
			expect(armSection(facts) === "").toBe(armed);
		});

	test("is empty when supervision is switched off", () => {
		expect(armSection({ ...FACTS, enabled: false })).toBe("");
	});
});

test("an empty root leaves the monitor command relative", () => {
	expect(monitorCommand("")).toBe(
		'Monitor({command: "until ! monitor/watcher-supervise-tick.ts; do sleep 15; done"})',
	);
});

test("the down message gives the reason, revive, the command to arm again and the skill", () => {
	const text = downMessage("no heartbeat file", "/srv/nexus");
	expect(text).toStartWith("watcher DOWN: no heartbeat file");
	for (const part of [
		"/srv/nexus/monitor/revive-watcher.ts",
		monitorCommand("/srv/nexus"),
		"skills/nexus.service-recovery",
	])
		expect(text).toContain(part);
});

test("the wedged message carries the verdict's lines", () => {
	expect(wedgedMessage(["state=WEDGED", "rc=4"], "/srv/nexus")).toBe(
		"--- watcher WEDGED (alive, not advancing) ---\nstate=WEDGED\nrc=4\n  revive it: /srv/nexus/monitor/revive-watcher.ts",
	);
});
