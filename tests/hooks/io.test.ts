/** The never-block rule (contract 08 §1.1), on a fake clock. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Hook, readPayload, runHook } from "../../monitor/hooks/_io.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { fakeHookDoors, hookRig, streamOf } from "./hook-rig.ts";

const CAP = 1000;
const OBJECT = '{"a":1}';

async function read(
	chunks: readonly string[],
	opts: { readonly open?: boolean; readonly gapMs?: number } = {},
) {
	const doors = fakeDoors({ auto: true });
	const begin = doors.clock.monoMs();
	const stdin = () => streamOf(chunks, { ...opts, doors });
	const payload = await readPayload({ stdin, timer: doors.clock }, CAP);
	return { payload, ms: doors.clock.monoMs() - begin };
}

describe("reading ends", () => {
	test.each([
		["one object", [OBJECT]],
		["an object in pieces", ['{"a"', ":1", "}"]],
		["an object and a newline", [`${OBJECT}\n`]],
	])("at the end of the pipe: %s", async (_, chunks) => {
		expect((await read(chunks)).payload).toEqual({ a: 1 });
	});

	test("50 ms after a whole object, when the pipe stays open", async () => {
		const { payload, ms } = await read([OBJECT], { open: true });
		expect(payload).toEqual({ a: 1 });
		expect(ms).toBe(50);
	});

	test("within 2 s when not one byte comes", async () => {
		const { payload, ms } = await read([], { open: true });
		expect(payload).toBeNull();
		expect(ms).toBeLessThan(2000);
	});

	test("within 2 s when one byte comes each 500 ms", async () => {
		const { payload, ms } = await read([...OBJECT], { open: true, gapMs: 500 });
		expect(payload).toBeNull();
		expect(ms).toBeLessThan(2000);
	});

	test("with the whole object that is there at the limit, though bytes go on coming", async () => {
		const blanks = [OBJECT, ...Array.from({ length: 90 }, () => " ")];
		const { payload } = await read(blanks, { open: true, gapMs: 40 });
		expect(payload).toEqual({ a: 1 });
	});
});

test.each([
	["nothing", ""],
	["half an object", '{"a":'],
	["an array", "[1]"],
	["a number", "7"],
	["null", "null"],
	["words", "not json"],
	["two objects", OBJECT + OBJECT],
	["more than the cap", JSON.stringify({ a: "x".repeat(CAP) })],
])("%s is no payload", async (_, text) => {
	expect((await read([text])).payload).toBeNull();
});

test("a pipe is read to its end although the cap is passed", async () => {
	let taken = 0;
	const stdin = () =>
		new ReadableStream<Uint8Array>({
			pull(controller) {
				taken += 1;
				controller.enqueue(new Uint8Array(CAP));
				if (taken === 50) controller.close();
			},
		});
	const timer = fakeDoors({ auto: true }).clock;
	expect(await readPayload({ stdin, timer }, CAP)).toBeNull();
	expect(taken).toBe(50);
});

test("whatever bytes come, reading neither throws nor hangs", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
			fc.boolean(),
			async (chunks, open) => {
				const stdin = () =>
					new ReadableStream<Uint8Array>({
						start(controller) {
							for (const chunk of chunks) controller.enqueue(chunk);
							if (!open) controller.close();
						},
					});
				const timer = fakeDoors({ auto: true }).clock;
				const payload = await readPayload({ stdin, timer }, CAP);
				expect(payload === null || typeof payload === "object").toBe(true);
			},
		),
		{ numRuns: 60 },
	);
});

describe("the exit code", () => {
	const ends: readonly (readonly [string, Hook, number])[] = [
		["a hook that says nothing", () => undefined, 0],
		["a hook that refuses", () => ({ refuse: true, stderr: "no" }), 2],
		[
			"a hook that throws",
			() => {
				throw new Error("bug");
			},
			0,
		],
		["a hook that rejects", () => Promise.reject(new Error("bug")), 0],
		["a hook that never ends", () => new Promise(() => {}), 0],
	];
	test.each(ends)("%s", async (_, hook, code) => {
		const doors = fakeDoors({ auto: true });
		const { hookDoors, ended } = fakeHookDoors(doors, {}, [], streamOf([""]));
		void runHook(hookDoors, hook);
		await doors.clock.settle();
		while (doors.clock.waiting() > 0) await doors.clock.settle();
		expect(ended().code).toBe(code);
	});

	test("2 s after the start, at the latest", async () => {
		const doors = fakeDoors();
		const stdin = streamOf([], { open: true });
		const { hookDoors, ended } = fakeHookDoors(doors, {}, [], stdin);
		void runHook(hookDoors, () => new Promise(() => {}));
		await doors.clock.advance(1999);
		expect(ended().code).toBe(-1);
		await doors.clock.advance(1);
		expect(ended().code).toBe(0);
	});
});

test("an answer goes to the streams that Claude Code reads", async () => {
	const rig = hookRig();
	const end = await rig.run(() => ({ stdout: "{}", stderr: "words" }), {});
	expect(end).toEqual({ code: 0, out: ["{}"], err: ["words"] });
});

test("a refusal stands although its words cannot be written", async () => {
	const doors = fakeDoors({ auto: true });
	const rig = fakeHookDoors(doors, {}, [], streamOf(["{}"]));
	const full = () => {
		throw new Error("ENOSPC");
	};
	const hookDoors = { ...rig.hookDoors, print: full, warn: full };
	void runHook(hookDoors, () => ({ refuse: true, stdout: "a", stderr: "b" }));
	await doors.clock.settle();
	expect(rig.ended().code).toBe(2);
});
