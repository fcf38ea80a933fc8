/** Random numbers that are the same in every run (mulberry32). */
import type { Random } from "../../monitor/_sys/doors.ts";

export function fakeRandom(seed = 1): Random {
	let state = seed >>> 0;
	function float(): number {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}
	function hex(n: number): string {
		let out = "";
		while (out.length < n) out += Math.floor(float() * 16).toString(16);
		return out;
	}
	return {
		hex,
		uuid: () => [hex(8), hex(4), `4${hex(3)}`, `8${hex(3)}`, hex(12)].join("-"),
		float,
	};
}
