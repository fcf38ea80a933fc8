/** The real `Random` door. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Random } from "./doors.ts";

/** `hex(n)` is n digits of the system's randomness; `float` is not for secrets. */
export function realRandom(): Random {
	return {
		hex: (n) =>
			randomBytes(Math.ceil(n / 2))
				.toString("hex")
				.slice(0, n),
		uuid: randomUUID,
		float: Math.random,
	};
}
