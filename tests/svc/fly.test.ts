/** The cockpit as a whole on a terminal and doors that a test holds: what it writes, when, and how it ends. */
import { describe, expect, test } from "bun:test";
import { readSettings } from "../../monitor/_state/settings.ts";
import { runCockpit } from "../../monitor/_svc/cockpit.ts";
import type {
	ProcessEvents,
	QuitSignal,
} from "../../monitor/_sys/process-events.ts";
import type { Terminal } from "../../monitor/_sys/terminal.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const STATE = "/n/monitor/.state";

async function flight(before: (doors: FakeDoors) => void = () => {}) {
	const doors = fakeDoors({
		now: 1_800_000_000,
		proc: { env: { HOME: "/h", NEXUS_ROOT: "/n" } },
	});
	doors.files.seedDir(STATE);
	doors.files.seed(
		"/n/monitor/services.registry",
		"web\t/n\tsleep 9\ttrue\tweb.log\nslow\t/n\tsleep 9\tfalse\n",
	);
	doors.files.seed("/n/web.log", "a line\n");
	doors.tmux.window("shell");
	before(doors);
	const trace: string[] = [];
	const screens: string[] = [];
	const signals = new Map<QuitSignal, () => void>();
	let keys = (_chunk: string) => {};
	let resized = () => {};
	let size = { rows: 24, cols: 80 };
	const terminal: Terminal = {
		size: () => size,
		write: (text) => screens.push(text),
		enter: () => trace.push("enter"),
		leave: () => trace.push("leave"),
		onKeys: (handler) => {
			keys = handler;
		},
		onResize: (handler) => {
			resized = handler;
		},
	};
	const events: ProcessEvents = {
		onSignal: (signal, handler) => signals.set(signal, handler),
		onExit: () => {},
		onStrayRejection: () => {},
		onUncaught: () => {},
		keepAlive: () => {},
		exportEnv: () => {},
		exit: (code) => {
			throw new Error(`exit ${code}`);
		},
	};
	// The file is read once; what waits for it must not wait for the test.
	const settings = await readSettings(
		{ ...doors, clock: { ...doors.clock, sleep: async () => "slept" } },
		"/code",
		false,
	);
	const ctx = { doors, settings, json: false, colour: false, recover: [] };
	const ended = runCockpit({ ...ctx, print: () => {} }, terminal, events);
	await doors.clock.advance(0);
	return {
		doors,
		trace,
		screens,
		ended,
		signals,
		press: async (chunk: string) => {
			keys(chunk);
			await doors.clock.advance(100);
		},
		resize: (rows: number, cols: number) => {
			size = { rows, cols };
			resized();
		},
		last: () => screens.at(-1) ?? "",
	};
}

test("the first picture stands before any check has answered, on a wiped screen", async () => {
	const f = await flight();
	expect(f.trace).toEqual(["enter"]);
	expect(f.screens[0]).toStartWith("\u001b[2J\u001b[H");
	expect(f.screens[0]).toMatch(/nexus service cockpit/);
	await f.press("q");
	expect(await f.ended).toBe(0);
	expect(f.trace).toEqual(["enter", "leave"]);
});

test("a check that hangs holds up no picture and no other check", async () => {
	const f = await flight(({ proc }) =>
		proc.answer(/./, (_argv, { env }) =>
			Object.values(env ?? {}).includes("false")
				? new Promise(() => {})
				: { kind: "exited", rc: 0, stdout: "", stderr: "" },
		),
	);
	await f.press("r");
	await f.doors.clock.advance(100);
	expect(f.last()).toMatch(/1 {2}web +UP/);
	expect(f.last()).toMatch(/2 {2}slow +…/);
	const before = f.screens.length;
	await f.doors.clock.advance(15_000);
	expect(f.screens.length).toBeGreaterThan(before + 2);
	await f.press("q");
	expect(f.trace.at(-1)).toBe("leave");
	// A check that will not end holds the process for a moment, and no longer.
	await f.doors.clock.advance(2500);
	expect(await f.ended).toBe(0);
});

test("a new size wipes the screen and is drawn at once", async () => {
	const f = await flight();
	f.resize(10, 30);
	expect(f.last()).toStartWith("\u001b[2J");
	await f.press("\u0003");
	expect(await f.ended).toBe(130);
});

describe("outside tmux", () => {
	test("a log takes the screen, and the cockpit takes it back", async () => {
		const f = await flight();
		const log = Promise.withResolvers<number>();
		f.doors.proc.answer("tail", async () => ({
			kind: "exited",
			stdout: "",
			stderr: "",
			rc: await log.promise,
		}));
		await f.press("1");
		expect(f.trace).toEqual(["enter", "leave"]);
		const drawn = f.screens.length;
		await f.doors.clock.advance(20_000);
		// Nothing is drawn over it, and Ctrl-C is the log's.
		expect(f.screens.length).toBe(drawn);
		f.signals.get("SIGINT")?.();
		log.resolve(130);
		await f.doors.clock.advance(100);
		expect(f.trace).toEqual(["enter", "leave", "enter"]);
		expect(f.last()).toStartWith("\u001b[2J");
		expect(f.doors.proc.execs.map(({ argv }) => argv.join(" "))).toContain(
			"tail -n 200 -F /n/web.log",
		);
		f.signals.get("SIGTERM")?.();
		expect(await f.ended).toBe(130);
		expect(f.trace.at(-1)).toBe("leave");
	});

	test("a log that is not there is a notice", async () => {
		const f = await flight();
		await f.press("0");
		expect(f.last()).toContain("logfile not found: /n/monitor/.state/watcher");
		await f.press("q");
		await f.ended;
	});
});
