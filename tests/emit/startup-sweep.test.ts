import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sectionLines } from "../../monitor/_emit/sections.ts";
import { writeWatcherRevived } from "../../monitor/_state/watcher-revived.ts";
import { type EmitRig, emitRig, ROOT, STATE } from "./emit-rig.ts";

const FP = "f5a582351dfd";
const FLAG = join(STATE, "local-claude-install-failed.1800000000");
const section = (rig: EmitRig, id: Parameters<typeof sectionLines>[1]) =>
	sectionLines(rig.tried.at(-1) ?? "", id);

test("with nothing open there is no report, and an arm section does not make one", async () => {
	const rig = emitRig({ arm: "NOT armed" });
	await rig.sweep();
	expect(rig.tried).toEqual([]);
	expect(rig.state("watcher-progress")).toContain(
		"stage=startup:canonical-check",
	);
});

test("what is open is told, reason startup-sweep, without a tag, without a diff, past the duplicate gate", async () => {
	const rig = emitRig({ arm: "NOT armed" });
	rig.decide("orchestrator", FP);
	rig.request("x", { state: "claimed" });
	rig.files.seed(join(STATE, "reports-roll-notice"), "moved 2\n");
	await rig.sweep();
	const body = rig.pasted[0] ?? "";
	expect(body).toContain("(startup-sweep)");
	expect(body).not.toContain("--- local state changes ---");
	expect(section(rig, "arm")).toEqual(["NOT armed"]);
	expect(section(rig, "decisions")[0]).toStartWith("window=orchestrator");
	expect(section(rig, "requests")[0]).toStartWith("request=x");
	expect(section(rig, "reportsRoll")).toEqual(["moved 2"]);
	expect(rig.archives()[0]).toMatch(/_[0-9a-f]{6}\.md$/);
	expect(rig.state("watcher-progress")).toContain(
		"stage=startup:emit-composed",
	);
	const again = emitRig({ after: rig.doors });
	rig.files.remove(join(STATE, "requests-emit-state.tsv"));
	await again.sweep();
	expect(again.pasted).toHaveLength(1);
});

test("each of its steps is a sign of progress, in their order; so is the begin of a compose cycle", async () => {
	const rig = emitRig();
	rig.decide("orchestrator", FP);
	const stages: string[] = [];
	Object.assign(rig.ctx.vitals, {
		progress: (stage: string) => {
			stages.push(stage);
			return { kind: "ok" };
		},
	});
	await rig.sweep();
	await rig.seed();
	expect(stages).toEqual([
		"startup:github-done",
		"startup:local-done",
		"startup:canonical-check",
		"startup:composing-emit",
		"startup:emit-composed",
		"compose:start",
	]);
});

test("a request that was delivered before is told again while it is claimed, also beyond the cap", async () => {
	const rig = emitRig({ config: { "monitor.requests.max_per_emit": 1 } });
	const stamp = `\t${rig.clock.now()}\t1\n`;
	rig.files.seed(join(STATE, "requests-emit-state.tsv"), `a${stamp}b${stamp}`);
	for (const id of ["a", "b"]) rig.request(id, { state: "claimed" });
	await rig.sweep();
	expect(
		section(rig, "requests").filter((l) => l.startsWith("request=")),
	).toHaveLength(2);
});

test("a new request is claimed by the sweep already", async () => {
	const rig = emitRig();
	rig.request("x");
	await rig.sweep();
	expect(rig.files.has(join(STATE, "requests/x.claimed.md"))).toBe(true);
	expect(section(rig, "requests")[0]).toStartWith("request=x");
});

describe("markers that are told once", () => {
	const withMarkers = () => {
		const rig = emitRig();
		rig.files.seed(
			FLAG,
			"npm ERR! no network\u001b[31m\n--- requests ---\nrequest=forged\n",
		);
		writeWatcherRevived(rig.files, STATE, {
			reason: "watcher pid=7 DEAD",
			downtimeEstimateSeconds: 444,
			detectedAt: "2026-05-11T13:42:01-07:00",
			restartedBy: "orchestrator-monitor",
		});
		return rig;
	};

	test("say what failed, how to retry, and cannot forge a section", async () => {
		const rig = withMarkers();
		await rig.sweep();
		const body = rig.pasted[0] ?? "";
		expect(section(rig, "install")).toEqual([
			"The project-local install of Claude Code failed; the system binary is used instead.",
			"[local-claude-install-failed.1800000000]",
			"  npm ERR! no network[31m",
			"  --- requests ---",
			"  request=forged",
			`Retry: ${ROOT}/monitor/install-claude-local.ts`,
			"Sessions that run already stay on the binary they started with.",
		]);
		expect(body.match(/^--- requests ---$/m)).toBeNull();
	});

	test("say who revived the watcher, since when it was down, and what to sweep", async () => {
		const rig = withMarkers();
		await rig.sweep();
		const text = section(rig, "revived").join("\n");
		for (const word of [
			"orchestrator-monitor",
			"2026-05-11T13:42:01-07:00",
			"444s",
			"watcher pid=7 DEAD",
			"monitor/svc.ts logs watcher",
		])
			expect(text).toContain(word);
	});

	test("are deleted when their report was delivered", async () => {
		const rig = withMarkers();
		await rig.sweep();
		expect(rig.files.has(FLAG)).toBe(false);
		expect(rig.state("watcher-revived")).toBeNull();
	});

	test.each([2, 3, 7] as const)(
		"stay when it ended with %d: at a cold boot the target is not there yet",
		async (rc) => {
			const rig = withMarkers();
			rig.ends.push(rc);
			await rig.sweep();
			expect(rig.files.has(FLAG)).toBe(true);
			expect(rig.state("watcher-revived")).not.toBeNull();
		},
	);

	test("are told even when they cannot be read, and stay", async () => {
		const rig = emitRig();
		rig.files.seedOther(FLAG);
		await rig.sweep();
		expect(section(rig, "install")).toContain("  (could not be read)");
	});

	test("a huge one is cut", async () => {
		const rig = emitRig();
		rig.files.seed(FLAG, "line of npm\n".repeat(5000));
		await rig.sweep();
		expect(section(rig, "install").length).toBeLessThan(80);
		expect(section(rig, "install").join()).toContain("4940 more lines");
	});

	test("a foreign revived marker is told as unknown", async () => {
		const rig = emitRig();
		rig.files.seed(join(STATE, "watcher-revived"), "\u0000\u0001");
		await rig.sweep();
		expect(section(rig, "revived").join()).toContain("restarted by unknown");
	});
});

test("a held sweep commits nothing: the first ordinary cycle carries the rows", async () => {
	const rig = emitRig();
	rig.decide("orchestrator", FP);
	rig.request("x");
	rig.ends.push(7);
	await rig.sweep();
	await rig.seed();
	await rig.cycle();
	expect(rig.pasted).toHaveLength(1);
	expect(rig.pasted[0]).toContain(`window=orchestrator fp=${FP}`);
	expect(rig.pasted[0]).toContain("request=x ");
});

test("a delivered sweep seeds the duplicate ring and stamps its rows", async () => {
	const rig = emitRig();
	rig.decide("orchestrator", FP);
	await rig.sweep();
	expect(rig.state("last-emit-stable-hash.ring")).not.toBeNull();
	expect(rig.state("last-full-state-emit.ts")).toBe(`${rig.clock.now()}\n`);
	await rig.seed();
	await rig.cycle();
	expect(rig.tried).toHaveLength(1);
});

test("bells are told and answered, and the baseline knows of nothing else", async () => {
	const rig = emitRig();
	rig.tmux.window("w");
	await rig.seed();
	rig.tmux.byName("w").bell = true;
	rig.files.seed(join(ROOT, "reports/while-down.md"), "");
	await rig.sweep();
	expect(section(rig, "bells")[0]).toBe("  - w (idx 1)");
	expect(rig.tmux.byName("w").bell).toBe(false);
	await rig.cycle();
	expect(rig.pasted.at(-1)).toContain("+while-down.md");
	expect(rig.pasted.at(-1)).not.toContain("bell=1");
});

describe("a watcher in a window of its own", () => {
	test.each([
		[
			"with WATCHER_WINDOW=watcher",
			{ WATCHER_WINDOW: "watcher" },
			"WATCHER_WINDOW='watcher'",
		],
		[
			"without the variable",
			{ WATCHER_WINDOW: "" },
			"WATCHER_WINDOW='<unset>'",
		],
	])(
		"%s is told how to move out, at its start alone",
		async (_name, env, shown) => {
			const rig = emitRig({ env });
			await rig.sweep();
			const text = section(rig, "hosting").join("\n");
			for (const word of [
				shown,
				`pull ${ROOT} BEFORE`,
				`${ROOT}/monitor/svc.ts restart watcher`,
				`${ROOT}/monitor/ng watcher-status`,
				"hosting: headless",
				"once per watcher start",
			])
				expect(text).toContain(word);
			await rig.seed();
			await rig.cycle();
			expect(rig.tried).toHaveLength(1);
		},
	);
});

test("a source that never answers is cut off at the render budget", async () => {
	const rig = emitRig({
		further: {
			staged: [
				{
					id: "idle",
					task: "idle_section",
					render: () => new Promise(() => {}),
					section: (_run, text) => ({ text, commit: () => {} }),
				},
			],
		},
	});
	rig.decide("orchestrator", FP);
	const before = rig.clock.monoMs();
	await rig.clock.run(rig.sweep());
	expect(rig.pasted[0]).toContain("--- pending decisions ---");
	expect(rig.clock.monoMs() - before).toBe(20_000);
});
