import { describe, expect, test } from "bun:test";
import { beaconLoopStep } from "../../monitor/_liveness/beacon-step.ts";
import {
	assessLock,
	fenceDecision,
	type GuardFacts,
	guardDecision,
	remoteVerdict,
} from "../../monitor/_liveness/instance-guard.ts";
import {
	preflightLines,
	refusalLines,
} from "../../monitor/_liveness/refusal-text.ts";
import {
	instanceHeartbeatPath,
	parseBeacon,
} from "../../monitor/_state/instance-heartbeat.ts";
import {
	parseInstanceMeta,
	renderInstanceMeta,
} from "../../monitor/_state/instance-lock.ts";
import { fakeDoors } from "../fakes/doors.ts";

const NOW = 1_000_000;
const WINDOW = 600;
const beacon = (host: string | null, epoch: string | number, nonce = "") =>
	[
		...(host === null ? [] : [`host: ${host}`]),
		...(nonce === "" ? [] : [`nonce: ${nonce}`]),
		`epoch: ${epoch}`,
		"ts: 2026-05-11T13:42:01-07:00",
	].join("\n");

describe("remoteVerdict", () => {
	for (const [text, verdict] of [
		["", "none"],
		["\n", "none"],
		[beacon("A", 999_900), "same-host"],
		[beacon("B", 999_400), "live-remote"],
		[beacon("B", 999_399), "stale-remote"],
		[beacon("B", 1_000_500), "live-remote"],
		[beacon("B", 9_000_000), "live-remote"],
		[beacon(null, 999_900), "corrupt"],
		[beacon("B", "xyz"), "corrupt"],
	] as const)
		test(`${JSON.stringify(text.slice(0, 40))} → ${verdict}`, () => {
			expect(remoteVerdict(text, "A", NOW, WINDOW)).toBe(verdict);
		});
});

test("a beacon of another host under a clock that tells no time is corrupt", () => {
	expect(remoteVerdict(beacon("B", 999_900), "A", Number.NaN, WINDOW)).toBe(
		"corrupt",
	);
});

describe("guardDecision", () => {
	const free: GuardFacts = {
		flockHeld: false,
		lockText: "",
		beaconText: "",
		host: "A",
		pidNs: "ns-1",
		now: NOW,
		windowSeconds: WINDOW,
	};
	const held = (lockText: string) => ({ ...free, flockHeld: true, lockText });
	for (const [rule, facts, verdict] of [
		["held by my own namespace", held("host: A\npid_ns: ns-1\n"), "self"],
		[
			"held in another namespace",
			held("host: A\npid_ns: ns-2\n"),
			"refuse-local",
		],
		["held, no namespace recorded", held("host: A\n"), "refuse-local"],
		["held from another host", held("host: B\npid_ns: ns-1\n"), "refuse-local"],
		["held, no host recorded", held("pid: 7\n"), "refuse-corrupt"],
		["held, empty text", held(""), "refuse-corrupt"],
		["free, no beacon", free, "free"],
		["free, own beacon", { ...free, beaconText: beacon("A", 999_999) }, "free"],
		[
			"free, aged beacon",
			{ ...free, beaconText: beacon("B", 999_000) },
			"free",
		],
		[
			"free, fresh beacon elsewhere",
			{ ...free, beaconText: beacon("B", 999_900) },
			"refuse-remote",
		],
		["free, torn beacon", { ...free, beaconText: "epo" }, "refuse-corrupt"],
	] as const)
		test(`${rule} → ${verdict}`, () => {
			expect(guardDecision(facts)).toBe(verdict);
		});
});

describe("fenceDecision", () => {
	for (const [rule, text, nonce, decision] of [
		["my nonce", beacon("A", 999_990, "n-1"), "n-1", "refresh"],
		["another nonce on my host", beacon("A", 999_990, "n-2"), "n-1", "fence"],
		[
			"another nonce on another host",
			beacon("B", 999_990, "n-2"),
			"n-1",
			"fence",
		],
		[
			"another nonce, in its last second",
			beacon("B", 999_400, "n-2"),
			"n-1",
			"fence",
		],
		["another nonce, aged out", beacon("B", 999_399, "n-2"), "n-1", "refresh"],
		[
			"no nonce of mine, another host",
			beacon("B", 999_990, "n-2"),
			"",
			"fence",
		],
		["no nonce of mine, my host", beacon("A", 999_990, "n-2"), "", "refresh"],
		[
			"no nonce in the beacon, another host",
			beacon("B", 999_990),
			"n-1",
			"fence",
		],
		["no host", beacon(null, 999_990, "n-2"), "n-1", "refresh"],
		["bad epoch", beacon("B", "xyz", "n-2"), "n-1", "refresh"],
		["empty", "", "n-1", "refresh"],
	] as const)
		test(`${rule} → ${decision}`, () => {
			expect(fenceDecision(text, "A", nonce, NOW, WINDOW)).toBe(decision);
		});
});

describe("beaconLoopStep", () => {
	const mine = {
		host: "A",
		bootId: "b",
		pidNs: "ns",
		pid: 7,
		tmux: "none",
		nexusRoot: "/r",
		nonce: "n-1",
	};
	const path = instanceHeartbeatPath("/s");

	test("rewrites its own beacon with the time", () => {
		const doors = fakeDoors({ now: NOW });
		doors.files.seedDir("/s");
		expect(beaconLoopStep(doors, "/s", mine, WINDOW)).toBe("refresh");
		expect(parseBeacon(doors.files.text(path))).toEqual({
			host: "A",
			nonce: "n-1",
			epoch: NOW,
			ts: doors.clock.iso(NOW),
		});
	});

	test("leaves a successor's beacon alone", () => {
		const doors = fakeDoors({ now: NOW });
		const theirs = beacon("B", NOW - 1, "n-2");
		doors.files.seed(path, theirs);
		expect(beaconLoopStep(doors, "/s", mine, WINDOW)).toBe("fence");
		expect(doors.files.text(path)).toBe(theirs);
	});

	test("does not write over a beacon it could not read", () => {
		const doors = fakeDoors({ now: NOW });
		doors.files.seedDir(path);
		expect(beaconLoopStep(doors, "/s", mine, WINDOW)).toBe("refresh");
		expect(doors.files.stat(path)).toMatchObject({ stat: { kind: "dir" } });
	});

	test("a disk that takes no write is no successor", () => {
		const doors = fakeDoors({ now: NOW });
		// The state dir is missing, so the write fails.
		expect(beaconLoopStep(doors, "/gone", mine, WINDOW)).toBe("refresh");
	});
});

describe("the lock's text", () => {
	for (const [rule, text, verdict] of [
		["no host", "pid: 7\n", "unknown"],
		["another host", "host: B\nboot_id: b-1\n", "live-remote"],
		["another boot", "host: A\nboot_id: b-0\n", "stale-reboot"],
		["this boot", "host: A\nboot_id: b-1\n", "live-local"],
		["boot unknown", "host: A\nboot_id: unknown\n", "live-local"],
	] as const)
		test(`${rule} → ${verdict}`, () => {
			expect(assessLock(parseInstanceMeta(text), "A", "b-1")).toBe(verdict);
		});

	test("of another boot says nothing where this one is not known", () => {
		const meta = parseInstanceMeta("host: A\nboot_id: b-0\n");
		expect(assessLock(meta, "A", "unknown")).toBe("live-local");
	});

	test("is nine lines in order, and survives a round trip with colons in its values", () => {
		const text =
			"pid: 7\nhost: unknown\nboot_id: b\npid_ns: pid:[4026531836]\nsandbox: none\ntmux: /tmp/t,1,0\nuser: op\nnexus_root: /srv/a: b\nstarted_at: 2026-05-11T13:42:01-07:00\n";
		const meta = parseInstanceMeta(text);
		expect(meta.host).toBeNull();
		expect(meta.pidNs).toBe("pid:[4026531836]");
		expect(renderInstanceMeta(meta)).toBe(text);
	});
});

describe("what the operator is told", () => {
	const facts = {
		root: "/srv/nexus",
		lockPath: "/srv/nexus/monitor/.state/nexus-instance.lock",
		lockText: "pid: 7\nhost: A\nstarted_at: 2026-05-11T13:42:01-07:00\n",
		assessment: "stale-reboot" as const,
		beaconPath: "/srv/nexus/monitor/.state/nexus-instance.heartbeat",
		beaconText: beacon("B", 999_990),
		windowSeconds: 600,
	};

	test("the refusal block names root, lock, holder, assessment, both ways out and the caveat", () => {
		const block = refusalLines(facts);
		expect(block.every((line) => line.startsWith("  "))).toBe(true);
		for (const part of [
			"NEXUS_ROOT = /srv/nexus",
			"lock file  = /srv/nexus/monitor/.state/nexus-instance.lock",
			"started 2026-05-11T13:42:01-07:00 host A pid 7 sandbox none tmux none",
			"the machine rebooted",
			"monitor/watcher/launcher.ts --replace",
			"monitor/watcher/launcher.ts --instance-status",
			"rm /srv/nexus/monitor/.state/nexus-instance.lock",
			"CAVEAT",
		])
			expect(block.join("\n")).toContain(part);
	});

	for (const [assessment, words] of [
		["live-local", "treat the holder as live"],
		["stale-reboot", "the holder cannot be alive"],
		["live-remote", "live while that host is up"],
		["unknown", "treat it as live"],
	] as const)
		test(`${assessment} is explained`, () => {
			const [line = ""] = refusalLines({ ...facts, assessment }).filter((l) =>
				l.startsWith("  assessment: "),
			);
			expect(line).toStartWith(`  assessment: ${assessment}: `);
			expect(line).toContain(words);
		});

	for (const [verdict, parts] of [
		["refuse-local", ["same-host instance flock", "NEXUS_ROOT = /srv/nexus"]],
		["refuse-remote", ["running on host B", facts.beaconPath, "600s"]],
		["refuse-corrupt", ["UNPARSEABLE", facts.lockPath, facts.beaconPath]],
	] as const)
		test(`${verdict} names what stands in the way`, () => {
			const text = preflightLines(verdict, facts).join("\n");
			for (const part of parts) expect(text).toContain(part);
		});

	test("free and self have nothing to say", () => {
		expect(preflightLines("free", facts)).toEqual([]);
		expect(preflightLines("self", facts)).toEqual([]);
	});
});
