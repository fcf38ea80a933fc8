/** What a pane's state allows (contract 08 §9.4, 03 §4). Pure. Each gate has its own default: here doubt forbids. */
import { PANE_STATES, type PaneStateName } from "./types.ts";

/**
 * `retirable`: nobody would miss it. `active`: somebody works or waits there. `indeterminate`: that
 * could not be told this instant; another look may.
 */
export type Standing = "retirable" | "active" | "indeterminate";

/** Every state has a ruling: a new one does not compile without. */
const STANDINGS: Readonly<Record<PaneStateName, Standing>> = {
	idle: "retirable",
	"autosuggest-only": "retirable",
	"idle-orphan-async": "retirable",
	absent: "retirable",
	busy: "active",
	"user-typing": "active",
	blocked: "active",
	"working-background": "active",
	"working-self-paced": "active",
	"over-limit": "active",
	// Not yet known: an allow-by-default rule once let it through while a spinner was running.
	empty: "indeterminate",
	unknown: "indeterminate",
};

/** A state that nobody has heard of is indeterminate. */
export function standingOf(state: string): Standing {
	const known = PANE_STATES.find((s) => s === state);
	return known === undefined ? "indeterminate" : STANDINGS[known];
}

/** May a pane in this state be killed? Default deny. */
export function paneKillAuthorized(state: string): boolean {
	return standingOf(state) === "retirable";
}

/**
 * Does the state say that claude is gone? Only `absent` does; anything else is presumed alive. Not
 * the opposite of `paneKillAuthorized`: an idle pane may be killed and lives.
 */
export function paneAssertsDead(state: string): boolean {
	return state === "absent";
}

/** A pane's line, as far as the standing asks. */
export interface StatedPane {
	readonly state: string;
	/** First value of a key, or null. */
	get(key: string): string | null;
}

/** The standing of a whole line: witnesses that contradict each other, and an open menu, prove nothing; a queued message is work. */
export function standingOfLine(pane: StatedPane): Standing {
	if (pane.get("queued") === "1") return "active";
	const standing = standingOf(pane.state);
	if (standing === "active") return standing;
	const doubtful = pane.get("conflict") !== null || pane.get("menu") === "1";
	return doubtful ? "indeterminate" : standing;
}
