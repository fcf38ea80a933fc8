/** The state of the window's panes: looked at, again when that gave no answer, or given by the caller (contract 08 §9.1). */
import {
	paneAssertsDead,
	type Standing,
	standingOfLine,
} from "../_pane/gates.ts";
import { parseLine } from "../_pane/line.ts";
import type { ReaderSettings } from "../_pane/settings.ts";
import { sweepPanes } from "../_pane/sweep.ts";
import type { Doors, PaneRow } from "../_sys/doors.ts";
import { onlyLooking } from "../_sys/only-looking.ts";

export interface SeenPane {
	readonly state: string;
	readonly standing: Standing;
	readonly doubt: string | null;
	/** Text in the input box, percent-encoded; null = none. */
	readonly inputText: string | null;
}

const LOOKS = 3;
const BETWEEN_MS = 400;

/**
 * What speaks most against a kill, of all panes of the window: a kill takes the worker beside the shell that the operator
 * opened, too. A reading that proves nothing is taken up to three times.
 */
export async function lookAtPanes(
	doors: Doors,
	stateDir: string,
	settings: ReaderSettings,
	panes: readonly PaneRow[],
): Promise<SeenPane> {
	const looking = { ...doors, files: onlyLooking(doors.files) };
	// A sweep reads the active pane of each window.
	const rows = panes.map((row) => ({ ...row, paneActive: true }));
	let seen = UNSEEN;
	for (let look = 0; look < LOOKS; look++) {
		if (look > 0) await doors.clock.sleep(BETWEEN_MS);
		const swept = await sweepPanes(
			{ doors: looking, stateDir, settings },
			{ listed: { kind: "ok", rows } },
		);
		seen =
			swept.kind === "ok"
				? mostNeeded(swept.panes.map((pane) => judge(pane.line)))
				: UNSEEN;
		if (seen.standing !== "indeterminate") return seen;
	}
	return seen;
}

/** The first that is most needed; of those that may go one that lives. */
function mostNeeded(panes: readonly SeenPane[]): SeenPane {
	const are = (standing: Standing) =>
		panes.find((pane) => pane.standing === standing);
	return (
		are("active") ??
		are("indeterminate") ??
		panes.find((pane) => !paneAssertsDead(pane.state)) ??
		panes[0] ??
		UNSEEN
	);
}

const UNSEEN: SeenPane = {
	state: "unknown",
	standing: "indeterminate",
	doubt: null,
	inputText: null,
};

/** What the caller says, as the rest of a pane's line: `idle`, `idle menu=1`. Pure. */
export function statedPane(text: string): SeenPane {
	return judge(`state=${text}`);
}

function judge(line: string): SeenPane {
	const reading = parseLine(line);
	if (reading === null) {
		const state = /^state=(\S*)/.exec(line)?.[1] ?? "unknown";
		return { ...UNSEEN, state };
	}
	const doubtful = ["conflict", "menu"].flatMap((key) => {
		const value = reading.get(key);
		return value === null ? [] : [`${key}=${value}`];
	});
	return {
		state: reading.state,
		standing: standingOfLine(reading),
		doubt: doubtful.length === 0 ? null : doubtful.join(" "),
		inputText: reading.get("input_text"),
	};
}
