import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ROOT, STATE } from "../emit/emit-rig.ts";
import { NO_TMUX, ZERO_ROWS } from "../fakes/tmux.ts";
import { classesIn, idleRig, type Screen } from "./idle-rig.ts";

describe("a sweep of the fleet", () => {
	test("stages every idle worker once it is older than the threshold", async () => {
		const rig = idleRig();
		rig.worker("a");
		rig.worker("b", "busy");
		expect(await rig.sweep()).toBe("");
		expect(await rig.sweep(59)).toBe("");
		expect(await rig.sweep(61)).toBe(
			"a\tno-wrap-up\t120\t\t\t\t1800000000\t\n",
		);
	});

	const rows: [Screen, string | null][] = [
		["idle", "no-wrap-up"],
		["suggestion", "no-wrap-up"],
		["busy", null],
		["typing", null],
		["empty", null],
		["permission", "pane-absent"],
		["question", "pane-absent"],
		["limit", "over-limit"],
	];
	test.each(rows)("sees a screen of kind %s as %p", async (screen, cls) => {
		const rig = idleRig();
		rig.worker("w", screen);
		await rig.sweep();
		const staged = classesIn(await rig.sweep(120));
		expect(staged).toEqual(cls === null ? [] : [`w ${cls}`]);
	});

	test("costs two clients of tmux, however many workers there are", async () => {
		const rig = idleRig();
		for (const name of ["a", "b", "c"]) rig.worker(name);
		rig.tmux.calls.length = 0;
		await rig.sweep();
		expect(rig.tmux.trace()).toEqual(["panes", "captureAll"]);
	});

	test("leaves out what is no worker", async () => {
		const rig = idleRig({
			config: { "monitor.services_window": "cockpit" },
			env: { NEXUS_SERVICES_REGISTRY: "/srv/registry" },
		});
		rig.files.seed(
			"/srv/registry",
			"api\t/srv/api\trun\tcheck\nbad\t/srv/bad\n",
		);
		for (const name of [
			"•bell",
			"services",
			"cockpit",
			"watcher",
			"monitor",
			"claude",
			"api",
			"bad",
		]) {
			rig.worker(name);
			rig.dies(name);
		}
		await rig.sweep();
		expect(classesIn(await rig.sweep(120))).toEqual([
			"services pane-absent",
			"bad pane-absent",
		]);
	});

	test("sees a window that two sessions show once", async () => {
		const rig = idleRig();
		rig.worker("a");
		const first = rig.tmux.model.sessions[0];
		rig.tmux.model.session("phone", first);
		await rig.sweep();
		expect(classesIn(await rig.sweep(120))).toEqual(["a no-wrap-up"]);
	});

	test("knows a window whose name ends in a blank for the one that was told", async () => {
		const rig = idleRig();
		await rig.seed();
		rig.worker("a ");
		await rig.sweep();
		await rig.sweep(120);
		await rig.compose();
		expect(rig.pasted.at(-1)).toContain("  - a idle 2m");
		expect(await rig.sweep(30)).toBe("");
	});

	test("takes two windows of one name for one worker, and a corpse for the lesser of them", async () => {
		const rig = idleRig();
		rig.worker("a");
		rig.tmux.byName("a").pane.dead = "1";
		rig.worker("a");
		await rig.sweep();
		expect(classesIn(await rig.sweep(120))).toEqual(["a no-wrap-up"]);
	});
});

describe("when nobody can look", () => {
	const cases: [string, (rig: ReturnType<typeof idleRig>) => void][] = [
		["tmux is gone", (rig) => void rig.tmux.fail("panes", NO_TMUX)],
		["tmux lists nothing", (rig) => void rig.tmux.fail("panes", ZERO_ROWS)],
		[
			"the services cannot be listed",
			(rig) => rig.files.seedDir(join(ROOT, "monitor/services.registry")),
		],
		[
			"the action log cannot be read",
			(rig) => rig.files.seedDir(join(STATE, "action-log.jsonl")),
		],
		[
			"the engagement log cannot be read",
			(rig) => {
				rig.files.remove(join(STATE, "engagement-log.tsv"));
				rig.files.seedDir(join(STATE, "engagement-log.tsv"));
			},
		],
	];
	test.each(cases)(
		"because %s, what is staged and known stands",
		async (_name, breaks) => {
			const rig = idleRig();
			rig.worker("a");
			await rig.sweep();
			const staged = await rig.sweep(120);
			expect(staged).not.toBe("");
			const known = rig.state("idle-probe-previous-windows.txt");
			breaks(rig);
			expect((await rig.idle()).rc).toBe(1);
			expect(rig.staged("idle_section")).toBe(staged);
			expect(rig.state("idle-probe-previous-windows.txt")).toBe(known);
		},
	);

	test("a fleet that could not be captured is unknown, never idle or gone", async () => {
		const rig = idleRig();
		rig.worker("a");
		await rig.sweep();
		rig.tmux.fail("captureAll", NO_TMUX);
		expect(await rig.sweep(600)).toBe("");
	});

	test("an aborted sweep writes nothing", async () => {
		const rig = idleRig();
		rig.worker("a");
		const { idleSectionTask } = await import(
			"../../monitor/watcher/_idle_probe.ts"
		);
		const task = idleSectionTask.make(rig.ctx);
		const result = await task({
			signal: AbortSignal.abort(),
			afterGap: false,
			log: () => {},
			doors: rig.doors,
		});
		expect(result).toEqual({ rc: 1 });
		expect(rig.state("engagement-log.tsv")).toBeNull();
	});
});

describe("the last engagement", () => {
	test("stays over idle sweeps, and moves with work", async () => {
		const rig = idleRig();
		rig.worker("a");
		await rig.sweep();
		const since = rig.engaged("a");
		for (let n = 0; n < 4; n++) await rig.sweep(30);
		expect(rig.engaged("a")).toBe(since);
		rig.show("a", "busy");
		await rig.sweep(30);
		expect(rig.engaged("a")).toBe(rig.clock.now());
	});

	test("goes with its window: the next of that name starts anew", async () => {
		const rig = idleRig();
		rig.worker("a");
		rig.worker("b");
		await rig.sweep();
		await rig.sweep(3600);
		rig.files.seed(join(STATE, "user-prompt/a"), `${rig.clock.now()}\ts\n`);
		rig.files.seed(join(STATE, "machine-submit/a"), "5\n");
		rig.files.seed(join(STATE, "background-progress/a"), "7\t5\n");
		const mark = "1\t1\t1\tsubmit\t0\n";
		rig.files.seed(join(STATE, "operator-engaged.tsv"), `a\t${mark}b\t${mark}`);
		rig.files.append(join(STATE, "machine-input.tsv"), "a\t5\tx\nb\t6\tx\n");
		rig.close("a");
		await rig.sweep(30);
		expect(rig.engaged("a")).toBeNull();
		expect(rig.state("user-prompt/a")).toBeNull();
		expect(rig.state("machine-submit/a")).toBeNull();
		expect(rig.state("background-progress/a")).toBeNull();
		expect(rig.state("operator-engaged.tsv")).toBe(`b\t${mark}`);
		expect(rig.state("pane-change/a")).toBeNull();
		expect(rig.state("pane-change/b")).not.toBeNull();
		expect(rig.state("machine-input.tsv")).toBe("b\t6\tx\n");
		rig.worker("a");
		await rig.sweep(30);
		expect(rig.engaged("a")).toBe(rig.clock.now());
	});

	test("of a window that left before a restart goes in two sweeps", async () => {
		const rig = idleRig();
		rig.files.seed(join(STATE, "engagement-log.tsv"), "old\t5\n");
		await rig.sweep();
		expect(rig.engaged("old")).toBe(5);
		expect(rig.state("idle-probe-previous-windows.txt")).toBe("old\n");
		await rig.sweep();
		expect(rig.engaged("old")).toBeNull();
		expect(rig.state("idle-probe-previous-windows.txt")).toBeNull();
	});

	test("in a damaged log is told, set aside, and starts anew", async () => {
		const rig = idleRig();
		rig.worker("a");
		rig.files.seed(join(STATE, "engagement-log.tsv"), "\0\0\0");
		await rig.sweep();
		expect(rig.engaged("a")).toBe(rig.clock.now());
		expect(rig.log.messages().join()).toContain(
			"engagement-log.tsv is damaged",
		);
	});
});

describe("what the action log says", () => {
	const started = async () => {
		const rig = idleRig();
		rig.worker("proj-window");
		await rig.sweep();
		return rig;
	};
	const classOf = async (rig: ReturnType<typeof idleRig>) =>
		classesIn(await rig.sweep(120))[0]?.split(" ")[1];

	test("a wrap-up makes it wrapped; its report is looked for below the root", async () => {
		const rig = await started();
		const report = "proj-window_2026-05-10_120000_foo.md";
		rig.logged(["wrap-up", 60, { report }]);
		rig.report(report);
		expect(await classOf(rig)).toBe("wrapped");
		rig.report(report, "stub\n");
		const staged = await rig.sweep();
		expect(staged).toContain("wrapped-but-stub");
		expect(staged).toContain(
			"frontmatter: file must start with a '---' line;section: ## Summary",
		);
	});

	test("a report that cannot be found lacks nothing; one above the working directory is found", async () => {
		const rig = await started();
		rig.logged([
			"wrap-up",
			60,
			{ window: "proj-window", report: "elsewhere.md" },
		]);
		expect(await classOf(rig)).toBe("wrapped");
		rig.proc.add({ pid: rig.proc.pid, cwd: "/home/op/work/x" });
		rig.files.seed("/home/op/reports/elsewhere.md", "stub\n");
		expect(classesIn(await rig.sweep())).toEqual([
			"proj-window wrapped-but-stub",
		]);
	});

	test("a spawn after the wrap-up starts a new life", async () => {
		const rig = await started();
		rig.logged(
			["wrap-up", 7200, { window: "proj-window", report: "r.md" }],
			["spawn", 600, { window: "proj-window" }],
		);
		expect(await classOf(rig)).toBe("no-wrap-up");
	});

	test("a retain keeps it, until the worker is busy again", async () => {
		const rig = await started();
		rig.clock.stall(60_000);
		rig.logged([
			"window-retain",
			0,
			{ window: "proj-window", reason: "waits" },
		]);
		expect(await rig.sweep(120)).toBe(
			"proj-window\tretained\t180\twaits\t\t\t1800000000\t\n",
		);
		rig.show("proj-window", "busy");
		await rig.sweep(30);
		rig.show("proj-window", "idle");
		expect(await classOf(rig)).toBe("no-wrap-up");
	});
});

describe("background shells", () => {
	test("that move are work; after an hour without a tick the worker is idle, and then ages", async () => {
		const rig = idleRig();
		rig.worker("a");
		rig.shell("a", 100);
		await rig.sweep();
		rig.shell("a", 200);
		await rig.sweep(3600);
		expect(rig.state("background-progress/a")).toBe(
			`200\t${rig.clock.now()}\n`,
		);
		expect(classesIn(await rig.sweep(3600))).toEqual([
			"a idle-children-clarify",
		]);
		const since = rig.engaged("a");
		expect(await rig.sweep(30)).toBe("");
		expect(classesIn(await rig.sweep(60))).toEqual(["a no-wrap-up"]);
		expect(rig.engaged("a")).toBe(since);
	});
});

describe("the operator in a window", () => {
	const prompt = (rig: ReturnType<typeof idleRig>, window: string) =>
		rig.files.seed(
			join(STATE, `user-prompt/${window}`),
			`${rig.clock.now()}\tsid\n`,
		);

	test("is told once an episode, through his pauses to think", async () => {
		const rig = idleRig();
		await rig.seed();
		rig.worker("a");
		await rig.sweep();
		prompt(rig, "a");
		rig.speaks("a", "hello");
		expect(await rig.sweep(120)).toBe(
			"a\toperator-engaged\t120\tsubmit\t\t\t1800000000\t\n",
		);
		await rig.compose();
		expect(rig.pasted.at(-1)).toContain(
			"  - a operator-engaged (src=submit; idle 2m;",
		);
		rig.show("a", "busy");
		await rig.sweep(30);
		rig.show("a", "idle");
		rig.speaks("a", "done");
		expect(await rig.sweep(120)).toBe("");
		rig.logged(["engaged-done", 0, { window: "a" }]);
		expect(classesIn(await rig.sweep(30))).toEqual(["a no-wrap-up"]);
	});

	test("is reminded of once a period when he stays away", async () => {
		const rig = idleRig();
		await rig.seed();
		rig.worker("a");
		await rig.sweep();
		prompt(rig, "a");
		let words = 0;
		const moves = async (seconds: number) => {
			words += 1;
			rig.speaks("a", "x".repeat(words));
			return rig.sweep(seconds);
		};
		await moves(120);
		await rig.compose();
		for (let hour = 0; hour < 23; hour++) expect(await moves(3600)).toBe("");
		expect(classesIn(await moves(3600))).toEqual(["a engaged-close-reminder"]);
		expect(classesIn(await moves(30))).toEqual(["a engaged-close-reminder"]);
		await rig.compose();
		expect(rig.pasted.at(-1)).toContain("operator away 24h");
		expect(await moves(30)).toBe("");
	});

	test("our own paste is not his", async () => {
		const rig = idleRig();
		rig.worker("a");
		await rig.sweep();
		rig.clock.stall(300_000);
		rig.files.append(
			join(STATE, "machine-input.tsv"),
			`a\t${rig.clock.now()}\torphan-async-wake\n`,
		);
		prompt(rig, "a");
		await rig.sweep();
		expect(rig.state("machine-submit/a")).toBe(`${rig.clock.now()}\n`);
		expect(rig.engaged("a")).toBe(rig.clock.now());
		expect(rig.state("operator-engaged.tsv")).toContain("\tmachine\t");
	});

	test("keeps decisions about his idle prompts back, and no others", async () => {
		const rig = idleRig();
		rig.worker("a");
		await rig.sweep();
		prompt(rig, "a");
		rig.speaks("a", "hello");
		await rig.sweep(1);
		rig.decide("a", "aaaaaaaaaaaa", { kind: "idle_prompt" });
		rig.decide("a", "bbbbbbbbbbbb", { kind: "blocked_question" });
		await rig.decisions();
		const staged = rig.staged("pending_decisions") ?? "";
		expect(staged).toContain("fp=bbbbbbbbbbbb");
		expect(staged).not.toContain("fp=aaaaaaaaaaaa");
	});
});

describe("after a clock gap", () => {
	test("nothing is said to be dead, and what was told is not told again", async () => {
		const rig = idleRig();
		await rig.seed();
		rig.worker("a");
		rig.worker("b");
		rig.dies("a");
		await rig.sweep();
		expect(classesIn(await rig.sweep(120))).toContain("a pane-absent");
		await rig.compose();
		rig.dies("b");
		rig.clock.stall(8 * 3600 * 1000);
		await rig.idle({ afterGap: true });
		expect(rig.staged("idle_section")).toBe("");
		expect(classesIn(await rig.sweep(120))).toEqual(["b pane-absent"]);
	});
});
