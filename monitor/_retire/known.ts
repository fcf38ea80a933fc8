/** What was looked for before a window is retired: found, not there, or nobody could look. Pure. */

/** null = looked, and there is none. */
export type Known<T> = T | null | Unknown;
export interface Unknown {
	/** What could not be looked at, and why. */
	readonly unknown: string;
}

/** Nobody could look: that forbids. */
export function isUnknown(value: Known<unknown>): value is Unknown {
	return typeof value === "object" && value !== null && "unknown" in value;
}
