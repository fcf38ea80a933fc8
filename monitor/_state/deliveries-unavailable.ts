/** `.deliveries-404-warned`: when it was last said that the App has no webhook, and so no delivery log (contract 02 §6). */
import { join } from "node:path";
import { ageSeconds } from "../_sys/age.ts";
import type { Clock, Files } from "../_sys/doors.ts";
import { mtimeOf } from "./peek.ts";

const EVERY_SECONDS = 86_400;

function deliveriesUnavailablePath(stateDir: string): string {
	return join(stateDir, ".deliveries-404-warned");
}

/** True once a day; takes the turn. */
export function mayWarnOfNoWebhook(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
): boolean {
	const path = deliveriesUnavailablePath(stateDir);
	const last = mtimeOf(doors.files, path);
	const age = ageSeconds(doors.clock.now(), last, EVERY_SECONDS);
	if (age !== null && age < EVERY_SECONDS) return false;
	doors.files.touch(path, { create: true });
	return true;
}
