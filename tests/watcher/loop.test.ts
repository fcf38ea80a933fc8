import { beforeEach, describe, expect, test } from "bun:test";
import { type LoopParts, runLoop } from "../../monitor/watcher/_loop.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

let doors: FakeDoors;
let steps: string[];
let stop: AbortController;
beforeEach(() => {
	doors = fakeDoors({ now: 1_000_000 });
	steps = [];
	stop = new AbortController();
});

/** A loop that ends after `rounds` ticks, unless a part ends it first. */
function loop(rounds: number, over: Partial<LoopParts> = {}) {
	let ticks = 0;
	const note = (name: string) => () => {
		steps.push(name);
	};
	return runLoop({
		doors,
		scheduler: {
			tick: async () => {
				steps.push("tick");
				if (++ticks === rounds) stop.abort();
				return 0;
			},
			sleep: async () => {
				steps.push("sleep");
				await doors.clock.sleep(10_000, stop.signal);
				return 0;
			},
			afterClockGap: (grace, shift) => steps.push(`gap ${grace} ${shift}`),
			get shutdownRequested() {
				return stop.signal.aborted;
			},
			shutdownSignal: stop.signal,
		},
		intervalSeconds: 60,
		maxSleepSeconds: 10,
		degradedPollSeconds: 15,
		checkDisk: async () => {
			steps.push("probe");
			return "writable";
		},
		publishAgain: async () => {
			steps.push("publish");
			return true;
		},
		bumpProgress: note("progress"),
		keepTicker: note("ticker"),
		glance: async () => note("glance")(),
		rearmHints: note("hints"),
		beaconStep: () => {
			steps.push("beacon");
			return "refresh";
		},
		...over,
	});
}

test("an iteration keeps its order, and a shutdown is seen before the sleep", async () => {
	expect(await doors.clock.run(loop(2))).toBe("shutdown");
	const iteration = [
		"probe",
		"tick",
		"progress",
		"ticker",
		"glance",
		"hints",
		"beacon",
	];
	expect(steps).toEqual([...iteration, "sleep", ...iteration]);
});

test("a superseded watcher leaves before it looks for a shutdown", async () => {
	expect(await loop(9, { beaconStep: () => "fence" })).toBe("superseded");
	expect(steps.at(-1)).toBe("hints");
});

describe("while the state dir cannot be written", () => {
	test("nothing runs, and the probe is repeated after the degraded poll", async () => {
		const answers = ["not-writable", "not-writable", "writable"] as const;
		let at = 0;
		const checkDisk = async () => {
			steps.push(`probe@${doors.clock.now() - 1_000_000}`);
			return answers[at++] ?? "writable";
		};
		await doors.clock.run(loop(1, { checkDisk }));
		expect(steps.slice(0, 4)).toEqual([
			"probe@0",
			"probe@15",
			"probe@30",
			"publish",
		]);
		expect(steps.filter((s) => s === "publish")).toHaveLength(1);
	});

	test("another watcher may have started meanwhile: then this one leaves before it does anything", async () => {
		const answers = ["not-writable", "writable"] as const;
		let at = 0;
		const checkDisk = async () => answers[at++] ?? "writable";
		const publishAgain = async () => false;
		const ended = loop(9, { checkDisk, publishAgain });
		expect(await doors.clock.run(ended)).toBe("superseded");
		expect(steps).not.toContain("tick");
	});

	test("a publication that fails is repeated until it is through", async () => {
		const answers = ["not-writable", "writable"] as const;
		let at = 0;
		const checkDisk = async () => answers[at++] ?? "writable";
		let left = 2;
		const publishAgain = async () => {
			steps.push("publish");
			if (--left >= 0) throw new Error("no answer");
			return true;
		};
		const ended = loop(5, { checkDisk, publishAgain });
		expect(await doors.clock.run(ended)).toBe("shutdown");
		expect(steps.filter((s) => s === "publish")).toHaveLength(3);
		expect(steps.filter((s) => s === "tick")).toHaveLength(5);
	});

	test("a shutdown ends the wait at once", async () => {
		const ended = loop(9, { checkDisk: async () => "not-writable" });
		await doors.clock.advance(3_000);
		stop.abort();
		expect(await ended).toBe("shutdown");
		expect(doors.clock.now()).toBe(1_000_003);
	});

	test("a long degraded poll is no clock gap", async () => {
		const answers = ["not-writable", "writable"] as const;
		let at = 0;
		const checkDisk = async () => answers[at++] ?? "writable";
		await doors.clock.run(loop(1, { checkDisk, degradedPollSeconds: 300 }));
		expect(steps.filter((s) => s.startsWith("gap"))).toEqual([]);
	});
});

describe("a clock gap", () => {
	test("is logged once with the end of its grace, before the tick", async () => {
		const checkDisk = async () => {
			if (!steps.includes("tick")) doors.clock.suspend(28_800_000);
			return "writable" as const;
		};
		await doors.clock.run(loop(3, { checkDisk }));
		expect(steps.filter((s) => s.startsWith("gap"))).toEqual(["gap 120 0"]);
		expect(steps.indexOf("gap 120 0")).toBeLessThan(steps.lastIndexOf("tick"));
		expect(doors.log.messages("warn")).toEqual([
			`clock gap: wall 28810s, monotonic 10s; grace until ${doors.clock.iso(1_028_810 + 120)}`,
		]);
	});

	test("moves the held epochs when the wall clock stepped back", async () => {
		const checkDisk = async () => {
			if (!steps.includes("tick")) doors.clock.stepWall(-3_600_000);
			return "writable" as const;
		};
		await doors.clock.run(loop(2, { checkDisk }));
		expect(steps).toContain("gap 120 -3600");
	});
});

test("a bug in one step is logged once, and the loop goes on", async () => {
	const keepTicker = () => {
		throw new Error("no ticker");
	};
	expect(await doors.clock.run(loop(3, { keepTicker }))).toBe("shutdown");
	expect(steps.filter((s) => s === "beacon")).toHaveLength(3);
	expect(doors.log.messages("warn")).toHaveLength(1);
	expect(doors.log.messages("warn")[0]).toContain("loop step 'ticker' failed");
});
