/** The counts of the `workspace:` line (contract 03 §12.8). Pure. */
import type { IdleClass } from "./idle-rows.ts";

export interface TallyFacts {
	/** Number of workers. */
	readonly workers: number;
	/** Classes of the rows that stand now, told or not. */
	readonly classes: readonly IdleClass[];
	/** Workers that nobody could look at: neither busy nor idle. */
	readonly unprobed: number;
	readonly awaitingInput: number;
}

/** All eleven, always in this order; whoever has no row works. Windows that could not be looked at are named behind them. */
export function tally(f: TallyFacts): string {
	const count = (...classes: readonly IdleClass[]) =>
		f.classes.filter((c) => classes.includes(c)).length;
	const axes = [
		[
			count("no-wrap-up", "wrapped", "wrapped-but-stub", "paste-unconfirmed"),
			"idle",
		],
		[count("retained"), "retained"],
		[count("idle-too-long"), "idle-too-long"],
		[count("pane-absent"), "pane-absent"],
		[count("over-limit"), "over-limit"],
		[count("idle-orphan-async"), "orphan-async"],
		[count("interrupted"), "interrupted"],
		// Nothing counts on this one yet; readers expect it.
		[0, "parked-skeptic"],
		[count("idle-children-clarify"), "idle-children"],
	] as const;
	const known = axes.reduce((sum, [n]) => sum + n, f.unprobed);
	return [
		[Math.max(0, f.workers - known), "busy"] as const,
		...axes,
		[f.awaitingInput, "awaiting-input"] as const,
		...(f.unprobed > 0 ? [[f.unprobed, "unprobed"] as const] : []),
	]
		.map(([n, label]) => `${n} ${label}`)
		.join(" | ");
}

/** Whether counts name windows that nobody could look at. */
export function hasUnprobed(counts: string): boolean {
	return /\b\d+ unprobed\b/.test(counts);
}
