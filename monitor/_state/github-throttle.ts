/**
 * Markers, each with the epoch of the last row of its kind in `watcher-alerts.log` (contract 02 §15):
 * noise of GitHub's is told once in ten minutes.
 */
import { join } from "node:path";
import { ageSeconds } from "../_sys/age.ts";
import type { Clock, Files } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

export type Throttle =
	/** A failure of a search that is no rate limit. */
	| { readonly of: "other"; readonly surface: string }
	| {
			readonly of: "partial";
			readonly surface: string;
			readonly reason: string;
	  }
	| { readonly of: "gate"; readonly kind: string }
	| { readonly of: "mint" };

const EVERY_SECONDS = 600;

function throttlePath(stateDir: string, throttle: Throttle): string {
	switch (throttle.of) {
		case "other":
			return join(stateDir, `graphql-other-last-log-${throttle.surface}`);
		case "partial":
			return join(
				stateDir,
				`graphql-partial-last-log-${throttle.surface}-${throttle.reason}`,
			);
		case "gate":
			return join(stateDir, `graphql-gate-last-log-${throttle.kind}`);
		case "mint":
			return join(stateDir, "mint-token-last-warn");
	}
}

/** True once in ten minutes; takes the turn. A marker that cannot be believed holds nothing back. */
export function mayLog(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	throttle: Throttle,
): boolean {
	const path = throttlePath(stateDir, throttle);
	const now = doors.clock.now();
	const read = doors.files.read(path);
	const last = read.kind === "ok" ? digits(read.text.trim()) : null;
	const age = ageSeconds(now, last, EVERY_SECONDS);
	if (age !== null && age < EVERY_SECONDS) return false;
	doors.files.writeAtomic(path, `${now}\n`);
	return true;
}
