/** `msg_…` and `mon_…`: 26 characters that sort by the time they were made. Pure. */
import type { Clock, Random } from "../../_sys/doors.ts";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_DIGITS = 10;
const CHANCE_DIGITS = 16;

/** Ms of the clock, then randomness, in base 32. Of two in one millisecond either may come first. */
export function sortableId(
	prefix: "msg" | "mon",
	clock: Pick<Clock, "nowMs">,
	random: Pick<Random, "hex">,
): string {
	const chance = BigInt(`0x${random.hex((CHANCE_DIGITS * 5) / 4)}`);
	const time = digits(BigInt(clock.nowMs()), TIME_DIGITS);
	return `${prefix}_${time}${digits(chance, CHANCE_DIGITS)}`;
}

/** When it was made, epoch milliseconds; null: no such id. */
export function idTimeMs(id: string): number | null {
	const [, time = ""] = /^[a-z]+_([0-9A-Z]{10})/.exec(id) ?? [];
	const places = [...time].map((digit) => DIGITS.indexOf(digit));
	if (time === "" || places.includes(-1)) return null;
	return places.reduce((ms, place) => ms * DIGITS.length + place, 0);
}

function digits(value: bigint, count: number): string {
	let text = "";
	for (let left = value; text.length < count; left /= 32n)
		text = DIGITS.charAt(Number(left % 32n)) + text;
	return text;
}
