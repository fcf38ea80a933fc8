import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parseEmitRing } from "../../monitor/_state/emit-ring.ts";
import { type EmitRig, emitRig, ROOT, STATE } from "./emit-rig.ts";

const FP = "f5a582351dfd";
const at = (name: string) => join(STATE, name);

/** A rig past its baseline, with one decision waiting. */
async function waiting(opts: Parameters<typeof emitRig>[0] = {}) {
	const rig = emitRig(opts);
	await rig.seed();
	rig.decide("orchestrator", FP);
	return rig;
}
const tries = async (rig: EmitRig, n: number) => {
	for (let i = 0; i < n; i++) {
		rig.clock.stall(60_000);
		await rig.cycle();
	}
};

describe("what counts as a failure of the watcher's own", () => {
	test.each([2, 5, 7] as const)("rc %d never does", async (rc) => {
		const rig = await waiting();
		rig.ends.push(rc, rc, rc, rc);
		await tries(rig, 4);
		expect(rig.state("watcher-emit-delivery-fail.count")).toBeNull();
		expect(rig.state("watcher-alerts.log")).toBeNull();
		expect(rig.proc.spawned).toEqual([]);
	});

	test.each([1, 3, 4, 6] as const)("rc %d does, with an ALERT", async (rc) => {
		const rig = await waiting();
		rig.ends.push(rc);
		await tries(rig, 1);
		expect(rig.state("watcher-emit-delivery-fail.count")).toBe("1\n");
		expect(rig.state("watcher-alerts.log")).toMatch(/^\[.+\] ALERT /);
	});

	test("a delivery stamps its time and clears the count", async () => {
		const rig = await waiting();
		rig.ends.push(3);
		await tries(rig, 2);
		expect(rig.state("watcher-emit-delivery-fail.count")).toBeNull();
		expect(rig.state("watcher-last-emit-delivery.ts")).toBe(
			`${rig.clock.now()}\n`,
		);
	});
});

describe("self-heal", () => {
	const spawns = (rig: EmitRig) =>
		rig.proc.spawned.map((s) => s.argv.slice(-4));

	test("three failures in a row start one detached launcher, with everything it needs", async () => {
		const rig = await waiting();
		rig.ends.push(3, 3, 3);
		await tries(rig, 3);
		expect(spawns(rig)).toEqual([
			[
				join(ROOT, "monitor/watcher/launcher.ts"),
				"--replace",
				"--target",
				"orchestrator",
			],
		]);
		expect(rig.proc.spawned[0]?.env).toMatchObject({
			NEXUS_ROOT: ROOT,
			NEXUS_STATE_DIR: STATE,
			WATCHER_LAUNCH_CALLER: "watcher-self-heal",
		});
		expect(rig.state("watcher-revived")).toContain(
			"restarted_by=watcher-self-heal\n",
		);
		expect(rig.state("watcher.log")).toContain("self-heal restart: ");
	});

	test("a fourth failure inside the cooldown starts no second one, and says why", async () => {
		const rig = await waiting();
		rig.ends.push(3, 3, 3, 3);
		await tries(rig, 4);
		expect(spawns(rig)).toHaveLength(1);
		expect(rig.log.messages().join()).toContain(
			"self-heal restart refused: restart cooldown",
		);
	});

	test.each([
		[
			"self-heal switched off",
			{ "monitor.watcher.self_heal_enabled": false },
			"monitor.watcher.self_heal_enabled",
		],
		[
			"self-restart switched off",
			{ "monitor.version_restart.self": false },
			"monitor.version_restart.self",
		],
	] as const)(
		"%s: none, and the log names the key",
		async (_name, config, key) => {
			const rig = await waiting({ config });
			rig.ends.push(3, 3, 3);
			await tries(rig, 3);
			expect(spawns(rig)).toEqual([]);
			expect(rig.log.messages().join()).toContain(key);
		},
	);

	test("a disk that cannot be written gets no restart", async () => {
		const rig = await waiting();
		rig.files.faults.fail({
			path: at("version"),
			ops: ["probe"],
			code: "EROFS",
		});
		rig.ends.push(3, 3, 3);
		await tries(rig, 3);
		expect(spawns(rig)).toEqual([]);
		expect(rig.state("watcher-revived")).toBeNull();
	});

	test("a loop of restarts trips the guard: an ALERT, and no more starts", async () => {
		const rig = await waiting();
		const now = rig.clock.now();
		rig.files.seed(
			at("version/self-restart-history.txt"),
			`${now - 3000}\n${now - 2000}\n${now - 1000}\n`,
		);
		rig.ends.push(3, 3, 3, 3);
		await tries(rig, 4);
		expect(spawns(rig)).toEqual([]);
		expect(rig.files.has(at("version/self-restart-tripped"))).toBe(true);
		expect(rig.state("watcher-alerts.log")).toContain("self-heal stopped");
	});

	test("a launcher that cannot be started is an ALERT, and nobody is told of a revival", async () => {
		const rig = await waiting();
		rig.proc.spawnFails = "EAGAIN";
		rig.ends.push(3, 3, 3);
		await tries(rig, 3);
		expect(rig.state("watcher-alerts.log")).toContain("EAGAIN");
		expect(rig.state("watcher-revived")).toBeNull();
	});
});

describe("the duplicate gate", () => {
	test("the same decision after its cooldown is suppressed, and its row is learned", async () => {
		const rig = await waiting();
		await tries(rig, 1);
		rig.clock.stall(301_000);
		await tries(rig, 1);
		expect(rig.pasted).toHaveLength(1);
		expect(rig.log.messages().join()).toContain("emit suppressed");
		const stamp = `orchestrator\t${FP}\t${rig.clock.now()}\n`;
		expect(rig.state("pending-decisions-emit-state.tsv")).toBe(stamp);
	});

	test("another fingerprint is another report", async () => {
		const rig = await waiting();
		await tries(rig, 1);
		rig.decide("orchestrator", "0894179b4af2");
		await tries(rig, 1);
		expect(rig.pasted).toHaveLength(2);
	});

	test("after a day of quiet it is said again", async () => {
		const rig = await waiting();
		await tries(rig, 1);
		rig.clock.stall(86_401_000);
		await tries(rig, 1);
		expect(rig.pasted).toHaveLength(2);
	});

	test("switched off, it repeats and keeps no files", async () => {
		const rig = await waiting({
			config: { "monitor.emit_dedup_max_quiet_seconds": 0 },
		});
		await tries(rig, 1);
		rig.clock.stall(301_000);
		await tries(rig, 1);
		expect(rig.pasted).toHaveLength(2);
		expect(rig.files.paths(STATE).join()).not.toContain("last-emit-stable");
	});

	test("the ring and the newest pair are written together, and the lock is let go", async () => {
		const rig = await waiting();
		await tries(rig, 1);
		const [entry] =
			parseEmitRing(rig.state("last-emit-stable-hash.ring") ?? "") ?? [];
		expect(rig.state("last-emit-stable-hash")).toBe(`${entry?.hash}\n`);
		expect(rig.state("last-emit-stable-ts")).toBe(`${entry?.epoch}\n`);
		expect(rig.doors.locks.heldPaths()).toEqual([]);
	});

	test("without a ring the older pair still mutes", async () => {
		const rig = await waiting();
		await tries(rig, 1);
		rig.files.remove(at("last-emit-stable-hash.ring"));
		rig.clock.stall(301_000);
		await tries(rig, 1);
		expect(rig.pasted).toHaveLength(1);
	});

	test.each([
		["zero bytes", ""],
		["binary", "\u0000\u0001\u0002"],
		["a folder's worth of noise", "x\n".repeat(100_000)],
	])("a ring of %s mutes nothing and is set aside", async (_name, text) => {
		const rig = await waiting();
		await tries(rig, 1);
		rig.files.seed(at("last-emit-stable-hash.ring"), text);
		rig.clock.stall(301_000);
		await tries(rig, 1);
		expect(rig.pasted).toHaveLength(2);
		expect(rig.state("watcher-alerts.log")).toContain("last-emit-stable-hash");
	});

	test("a torn line of the ring costs only itself", () => {
		const ring = `1000\taa\n10`;
		expect(parseEmitRing(ring)).toEqual([{ epoch: 1000, hash: "aa" }]);
	});

	test("a ring lock that somebody keeps does not keep the record from being written", async () => {
		const rig = await waiting();
		rig.doors.locks.takenElsewhere(at("last-emit-stable-hash.ring.lock"));
		await tries(rig, 1);
		expect(rig.state("last-emit-stable-hash.ring")).not.toBeNull();
	});
});

describe("what only a delivery does", () => {
	const guards = [
		"respawn-history.txt",
		"respawn-guard-tripped",
		"respawn-consecutive-failures.txt",
		"respawn-slow-grind-tripped",
	];
	const tripped = async () => {
		const rig = await waiting();
		for (const name of guards) rig.files.seed(at(name), "1 x\n");
		return rig;
	};

	test("clears the guards against respawning in a circle", async () => {
		const rig = await tripped();
		await tries(rig, 1);
		expect(guards.map(rig.state)).toEqual(["", null, null, null]);
	});

	test("a failed paste leaves them alone", async () => {
		const rig = await tripped();
		rig.ends.push(4);
		await tries(rig, 1);
		expect(guards.map(rig.state)).toEqual(guards.map(() => "1 x\n"));
	});

	test("deletes the notice of archived reports; a duplicate does not", async () => {
		const rig = emitRig();
		await rig.seed();
		const roll = () => rig.files.seed(at("reports-roll-notice"), "moved 3\n");
		roll();
		rig.ends.push(7);
		await tries(rig, 1);
		expect(rig.state("reports-roll-notice")).toBe("moved 3\n");
		await tries(rig, 1);
		expect(rig.pasted[0]).toContain("(poll-reports-roll)");
		expect(rig.state("reports-roll-notice")).toBeNull();
		roll();
		await tries(rig, 1);
		expect(rig.pasted).toHaveLength(1);
		expect(rig.state("reports-roll-notice")).toBe("moved 3\n");
	});

	test("a notice that was rewritten while its report was on the way stays", async () => {
		const rig = emitRig();
		await rig.seed();
		rig.files.seed(at("reports-roll-notice"), "old\n");
		rig.files.faults.before((op, path) => {
			if (op === "write" && path.includes("/diffs/"))
				rig.files.seed(at("reports-roll-notice"), "new\n");
		});
		await tries(rig, 1);
		expect(rig.pasted[0]).toContain("\nold\n");
		expect(rig.state("reports-roll-notice")).toBe("new\n");
	});
});

describe("an orchestrator over its usage limit", () => {
	const heldBack = () => {
		const recorded: string[][] = [];
		let paused = true;
		const hold = () => ({
			paused: () => paused,
			record: (archive: string, reason: string) =>
				void recorded.push([archive, reason]),
		});
		return { recorded, hold, resume: () => (paused = false) };
	};

	test("is not pasted at; the archive's name is recorded each time, one file in all; then one delivery", async () => {
		const limit = heldBack();
		const rig = await waiting({ further: { hold: limit.hold } });
		await tries(rig, 3);
		expect(rig.tried).toEqual([]);
		const [archive = ""] = rig.archives();
		expect(rig.archives()).toHaveLength(1);
		expect(limit.recorded).toHaveLength(3);
		expect(new Set(limit.recorded.map(([name]) => name)).size).toBe(1);
		expect(archive).toEndWith(limit.recorded[0]?.[0] ?? "?");
		expect(rig.log.messages()).toContain(
			"emit paste suppressed: orchestrator over-limit",
		);
		limit.resume();
		await tries(rig, 2);
		expect(rig.pasted).toHaveLength(1);
		expect(rig.archives()).toHaveLength(1);
		// The copy of the try that arrived: whoever looks for its signature finds it.
		expect(rig.files.text(archive)).toBe(rig.pasted[0] ?? "");
		expect(rig.log.messages()).toContain(
			`emit archive=${limit.recorded[0]?.[0]} reason=poll-resurface`,
		);
		// A delivery ends it: what reads the same later is a report of its own.
		rig.clock.stall(301_000);
		await tries(rig, 1);
		expect(rig.archives()).toHaveLength(2);
	});
});

test("a disk that takes no archive still lets the report through, by its other copy", async () => {
	const rig = await waiting();
	rig.files.faults.fail({ path: /\/diffs\//, ops: ["write"], code: "ENOSPC" });
	await tries(rig, 1);
	expect(rig.pasted).toHaveLength(1);
});

test("a disk that takes nothing is a failure of ours, not a delivery", async () => {
	const rig = await waiting();
	await rig.snapshot();
	await rig.decisions();
	rig.files.faults.readOnly = true;
	await rig.compose();
	expect(rig.tried).toEqual([]);
	expect(rig.log.messages().join()).toContain("paste rc=3");
});

describe("the comments view", () => {
	const view = () => {
		const ends: string[] = [];
		return {
			ends,
			further: {
				composeGhNow: async () => ({
					text: "issue=1 id=2 author=eve\n  body: hi\n",
					commit: () => void ends.push("commit"),
					commitTold: () => void ends.push("commitTold"),
					release: () => void ends.push("release"),
				}),
			},
		};
	};

	test.each([
		[0, "commit"],
		[7, "release"],
		[3, "release"],
	] as const)("after rc %d it gets exactly one %s", async (rc, end) => {
		const comments = view();
		const rig = emitRig(comments);
		await rig.seed();
		rig.ends.push(rc);
		await tries(rig, 1);
		expect(comments.ends).toEqual([end]);
	});

	test("a stranger's body is quoted with the trailer's nonce", async () => {
		const rig = emitRig(view());
		await rig.seed();
		await tries(rig, 1);
		const body = rig.pasted[0] ?? "";
		const [, nonce] =
			/nexus-emit-sig \S+ ([0-9a-f]{6}) ---\n$/.exec(body) ?? [];
		expect(body).toContain(`  body: [quote ${nonce}] hi [/quote ${nonce}]\n`);
	});

	test("a source that throws costs only itself", async () => {
		const rig = await waiting({
			further: {
				composeGhNow: async () => {
					throw new Error("no network");
				},
			},
		});
		await tries(rig, 1);
		expect(rig.pasted[0]).toContain("--- pending decisions ---");
		expect(rig.log.messages("warn").join()).toContain("no network");
	});
});

describe("a run that is ended from outside", () => {
	const ended = async (before: boolean) => {
		const rig = await waiting();
		rig.files.seed(join(ROOT, "reports/a.md"), "");
		await rig.snapshot();
		await rig.decisions();
		const abort = new AbortController();
		if (before) abort.abort();
		rig.duringPaste(() => abort.abort());
		rig.ends.push(3);
		await rig.compose({ signal: abort.signal });
		rig.duringPaste(() => {});
		rig.ends.splice(0);
		return rig;
	};

	test.each([
		["during its paste", false],
		["before it", true],
	])(
		"%s is nobody's failure, and the next cycle says everything",
		async (_name, before) => {
			const rig = await ended(before);
			expect(rig.state("watcher-emit-delivery-fail.count")).toBeNull();
			expect(rig.pasted).toEqual([]);
			await rig.compose();
			expect(rig.pasted[0]).toContain("+a.md");
			expect(rig.pasted[0]).toContain(FP);
		},
	);
});
