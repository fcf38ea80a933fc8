/** Why a program ended in its window, in its own words: tmux keeps a dead pane's screen. */
import type { Doors } from "../../_sys/doors.ts";
import { paneOfWindow } from "./spawn.ts";

const LONGEST = 200;
/** The row that tmux itself writes below them. */
const TMUX_NOTE = /^Pane is dead/;

/** The last line that stands there; null when there is none, or nobody could look. */
export async function lastWords(
	doors: Pick<Doors, "tmux">,
	windowId: string,
): Promise<string | null> {
	const pane = await paneOfWindow(doors, windowId);
	if (pane === null) return null;
	const shown = await doors.tmux.capture(pane.paneId, { escapes: false });
	if (shown.kind !== "ok") return null;
	const lines = shown.stdout.split("\n").map((line) => line.trim());
	const last = lines.findLast((line) => line !== "" && !TMUX_NOTE.test(line));
	return last?.slice(0, LONGEST) ?? null;
}
