import { describe, expect, test } from "bun:test";
import {
	parseTickerArgs,
	runTicker,
	startTicker,
	type TickerArgs,
	tickerArgv,
} from "../../monitor/_liveness/ticker.ts";
import { scriptOf } from "../../monitor/_liveness/watcher-process.ts";
import { watcherHeartbeatPath } from "../../monitor/_state/watcher-heartbeat.ts";
import { programPath } from "../../monitor/_sys/names.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const ARGS: TickerArgs = {
	stateDir: "/s",
	mainPid: 700,
	mainStartTicks: "7000",
	tickSeconds: 20,
	target: "orchestrator",
};
const BEAT = watcherHeartbeatPath("/s");

function start(): { readonly doors: FakeDoors; readonly ended: () => boolean } {
	const doors = fakeDoors({ proc: { processes: [{ pid: 700 }] } });
	doors.files.seedDir("/s");
	let ended = false;
	const { clock, files, proc } = doors;
	runTicker({ clock, files, stat: proc.stat, trim: () => {} }, ARGS).then(
		() => {
			ended = true;
		},
	);
	return { doors, ended: () => ended };
}
const beatAt = (doors: FakeDoors): number => {
	const found = doors.files.stat(BEAT);
	return found.kind === "ok" ? found.stat.mtimeMs / 1000 : 0;
};

describe("the ticker", () => {
	test("beats at once and then every tick, with the watcher's pid", async () => {
		const { doors } = start();
		const begin = doors.clock.now();
		await doors.clock.settle();
		expect(doors.files.text(BEAT)).toBe(
			`pid=700\nts=${doors.clock.iso(begin)}\ntarget=orchestrator\n`,
		);
		await doors.clock.advance(20_000);
		expect(beatAt(doors)).toBe(begin + 20);
	});

	for (const [rule, change] of [
		["the watcher ends", (d: FakeDoors) => d.proc.end(700)],
		[
			"its pid is somebody else's",
			(d: FakeDoors) => d.proc.add({ pid: 700, startTicks: "9999" }),
		],
		["it is a zombie", (d: FakeDoors) => d.proc.add({ pid: 700, state: "Z" })],
	] as const)
		test(`ends within one tick when ${rule}, without another beat`, async () => {
			const { doors, ended } = start();
			await doors.clock.advance(25_000);
			const last = beatAt(doors);
			change(doors);
			await doors.clock.advance(20_000);
			expect(ended()).toBe(true);
			expect(beatAt(doors)).toBe(last);
		});

	test("goes on for a watcher it cannot look at, and for one that is stopped", async () => {
		const { doors, ended } = start();
		await doors.clock.settle();
		doors.proc.tableUnreadable = true;
		await doors.clock.advance(20_000);
		doors.proc.tableUnreadable = false;
		doors.proc.signal(700, "SIGSTOP");
		await doors.clock.advance(20_000);
		expect(ended()).toBe(false);
		expect(beatAt(doors)).toBe(doors.clock.now());
	});

	test("a full disk costs beats, not the ticker", async () => {
		const { doors, ended } = start();
		await doors.clock.settle();
		doors.files.faults.readOnly = true;
		await doors.clock.advance(60_000);
		doors.files.faults.readOnly = false;
		await doors.clock.advance(20_000);
		expect(ended()).toBe(false);
		expect(beatAt(doors)).toBe(doors.clock.now());
	});
});

describe("starting it", () => {
	test("hands over everything in argv, and is never taken for a watcher", () => {
		const argv = tickerArgv("/opt/bun.exe", ARGS);
		expect(scriptOf(argv)).toBe(programPath("heartbeatTicker"));
		const own = argv.indexOf(programPath("heartbeatTicker")) + 1;
		expect(parseTickerArgs(argv.slice(own))).toEqual(ARGS);
	});

	test("runs in a session of its own without a log", () => {
		const doors = fakeDoors({ proc: { env: { NEXUS_STATE_DIR: "/s" } } });
		expect(startTicker(doors, ARGS).kind).toBe("ok");
		expect(doors.proc.spawned[0]).toMatchObject({
			log: null,
			env: { NEXUS_STATE_DIR: "/s" },
		});
	});

	for (const argv of [
		[],
		["/s", "x", "7000", "20", "o"],
		["/s", "700", "7000", "0", "o"],
		["/s", "700", "", "20", "o"],
		["/s", "700", "7000", "20"],
	])
		test(`refuses ${JSON.stringify(argv)}`, () => {
			expect(parseTickerArgs(argv)).toBeNull();
		});
});
