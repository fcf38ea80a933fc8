import { beforeEach, describe, expect, test } from "bun:test";
import {
	hintDelayMs,
	type WakeHints,
	wakeHints,
} from "../../monitor/watcher/_compose_nudge/wake-hints.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

let doors: FakeDoors;
let fired: string[];
let wakes: number;
let hints: WakeHints;
beforeEach(() => {
	doors = fakeDoors({ now: 1000 });
	doors.files.seedDir("/s/requests");
	fired = [];
	wakes = 0;
	hints = wakeHints(doors, [{ dir: "/s/requests", task: "requests_poll" }], {
		fireNow: (name) => fired.push(name),
		wake: () => {
			wakes += 1;
		},
	});
	hints.rearm();
});
const change = async () => {
	doors.files.writeAtomic("/s/requests/a.new.md", String(Math.random()));
	await doors.clock.settle();
};

test("changes within 200 ms are one hint, which fires the task and wakes the loop", async () => {
	await change();
	await doors.clock.advance(150);
	await change();
	expect(fired).toEqual([]);
	await doors.clock.advance(50);
	expect(fired).toEqual(["requests_poll"]);
	expect(wakes).toBe(1);
});

test("a folder that appears later, or is recreated, is watched again at the next loop", async () => {
	doors.files.removeTree("/s/requests");
	hints.rearm();
	doors.files.seedDir("/s/requests");
	hints.rearm();
	await doors.clock.advance(1000);
	fired.length = 0;
	await change();
	await doors.clock.advance(1000);
	expect(fired).toEqual(["requests_poll"]);
});

test("in a folder where much changes only news fires", async () => {
	let news = false;
	hints.stop();
	hints = wakeHints(
		doors,
		[{ dir: "/s/requests", task: "idle_section", isNews: () => news }],
		{ fireNow: (name) => fired.push(name), wake: () => {} },
	);
	hints.rearm();
	await change();
	await doors.clock.advance(200);
	expect(fired).toEqual([]);
	news = true;
	await change();
	await doors.clock.advance(200);
	expect(fired).toEqual(["idle_section"]);
});

test("nothing fires after the stop, not even a hint that was gathering", async () => {
	await change();
	hints.stop();
	await change();
	await doors.clock.advance(5000);
	expect(fired).toEqual([]);
});

describe("a task that writes into the folder it watches", () => {
	test("fires at most once a second", async () => {
		for (let i = 0; i < 50; i++) {
			await change();
			await doors.clock.advance(100);
		}
		expect(fired.length).toBeLessThanOrEqual(5);
		expect(fired.length).toBeGreaterThan(3);
	});

	const rows: [number | null, number, number][] = [
		[null, 5000, 200],
		[4900, 5000, 900],
		[4000, 5000, 200],
	];
	test.each(rows)("last hint %p, now %p: %p ms", (last, now, delay) => {
		expect(hintDelayMs(last, now)).toBe(delay);
	});
});
