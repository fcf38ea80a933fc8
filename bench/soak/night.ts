/** The time in which things go wrong: it has an end, and a seed. */
import { fakeRandom } from "../../tests/fakes/random.ts";

export interface Night {
	/** 0 to 1, by the seed. */
	chance(): number;
	/** At most so long, and not beyond the end. */
	sleep(ms: number): Promise<void>;
	isOver(): boolean;
	/** Share of it that has passed. */
	passed(): number;
}

/** `salt`: each actor draws from a row of its own, so that one more throw of one changes no other's. */
export function startNight(lastsMs: number): {
	readonly of: (seed: number, salt: number) => Night;
	/** Ends it at once. */
	readonly end: () => void;
} {
	const began = Date.now();
	const cut = { at: began + lastsMs };
	const isOver = () => Date.now() >= cut.at;
	const end = () => {
		cut.at = Math.min(cut.at, Date.now());
	};
	return {
		end,
		of: (seed, salt) => ({
			chance: fakeRandom(seed * 1009 + salt).float,
			isOver,
			passed: () => (Date.now() - began) / lastsMs,
			sleep: async (ms) => {
				const until = Date.now() + ms;
				while (Date.now() < until && !isOver())
					await Bun.sleep(Math.min(200, Math.max(1, until - Date.now())));
			},
		}),
	};
}
