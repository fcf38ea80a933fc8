/** Where something is said: the world, its clock, and the addresses that answers carry. */
import type { State } from "./world.ts";

export interface Place {
	readonly state: State;
	/** Epoch seconds, by GitHub's clock. */
	now(): number;
	/** Base of API URLs, without a trailing slash. */
	readonly apiBase: string;
	/** Base of html URLs. */
	readonly webBase: string;
}

/** ISO 8601 in UTC, whole seconds, as GitHub writes it. */
export function iso(epochSeconds: number): string {
	return new Date(epochSeconds * 1000).toISOString().replace(".000Z", "Z");
}
