/** One suite, two dice. */
import { describe, expect, test } from "bun:test";
import type { Random } from "../../monitor/_sys/doors.ts";
import { realRandom } from "../../monitor/_sys/random.ts";
import { fakeRandom } from "../fakes/random.ts";

const dice: readonly (readonly [string, () => Random])[] = [
	["the real ones", realRandom],
	["the fake ones", fakeRandom],
];

describe.each(dice)("%s", (_name, build) => {
	test("texts have the length and alphabet that were asked for, and differ", () => {
		const random = build();
		for (const n of [0, 1, 6, 7, 24])
			expect(random.hex(n)).toMatch(new RegExp(`^[0-9a-f]{${n}}$`));
		expect(random.hex(24)).not.toBe(random.hex(24));
	});

	test("an id is a UUID of version 4, and no other is the same", () => {
		const random = build();
		const V4 =
			/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
		const ids = Array.from({ length: 100 }, () => random.uuid());
		expect(ids.filter((id) => !V4.test(id))).toEqual([]);
		expect(new Set(ids).size).toBe(100);
	});

	test("a number lies between 0 and 1, 1 left out, and anywhere there", () => {
		const random = build();
		const many = Array.from({ length: 1_000 }, () => random.float());
		expect(many.every((n) => n >= 0 && n < 1)).toBe(true);
		expect(Math.min(...many)).toBeLessThan(0.1);
		expect(Math.max(...many)).toBeGreaterThan(0.9);
	});
});

test("the same seed throws the same, and another seed another", () => {
	expect(fakeRandom(7).hex(32)).toBe(fakeRandom(7).hex(32));
	expect(fakeRandom(7).hex(32)).not.toBe(fakeRandom(8).hex(32));
});
