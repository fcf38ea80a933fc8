/**
 * Which pane states make a decision row wait (contract 08 §5.5, 03 §4). The harm here is silencing a
 * real block, so everything that is not surely somebody at work emits: could not tell emits too.
 */
import type { PaneStateName } from "../_pane/types.ts";

/** Every state has a ruling: a new one does not compile without. */
export const DECISION_ROW_RULING: Readonly<
	Record<PaneStateName, "emit" | "withhold">
> = {
	idle: "emit",
	"autosuggest-only": "emit",
	"idle-orphan-async": "emit",
	"working-background": "withhold",
	"working-self-paced": "withhold",
	busy: "withhold",
	"user-typing": "withhold",
	blocked: "emit",
	"over-limit": "emit",
	empty: "emit",
	unknown: "emit",
	absent: "emit",
};

/** A message that waits behind the turn withholds whatever the state. A state not yet invented emits. */
export function decisionRowActionable(state: string, queued: boolean): boolean {
	if (queued) return false;
	const rulings: Readonly<Record<string, "emit" | "withhold">> =
		DECISION_ROW_RULING;
	return !Object.hasOwn(rulings, state) || rulings[state] === "emit";
}

/** The same for a pane's output line (contract 03 §3); null = no line. Fields are compared exactly, the first match counts. */
export function paneLineActionable(line: string | null): boolean {
	const fields = (line ?? "").split(/\s+/);
	const field = (key: string): string | undefined =>
		fields.find((f) => f.startsWith(`${key}=`))?.slice(key.length + 1);
	const state = field("state");
	return (
		state === undefined || decisionRowActionable(state, field("queued") === "1")
	);
}
