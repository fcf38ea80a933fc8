import { expect, test } from "bun:test";
import {
	paneAssertsDead,
	paneKillAuthorized,
	standingOf,
} from "../../monitor/_pane/gates.ts";
import { PANE_STATES } from "../../monitor/_pane/types.ts";

const MAY_DIE = ["idle", "autosuggest-only", "absent", "idle-orphan-async"];
const UNSURE = ["empty", "unknown"];

test.each([...PANE_STATES, "some-new-state", "", "constructor"])(
	"%s: killed only if it is on the list, dead only if absent",
	(state) => {
		expect(paneKillAuthorized(state)).toBe(MAY_DIE.includes(state));
		expect(paneAssertsDead(state)).toBe(state === "absent");
		const isKnown = PANE_STATES.some((known) => known === state);
		const isUnsure = UNSURE.includes(state) || !isKnown;
		expect(standingOf(state) === "indeterminate").toBe(isUnsure);
	},
);
