/** A pane's text with 25 rows of what scrolled away, wrapped rows joined (contract 04 §2). */
import type { TextDeps } from "../../_delivery/deliver-text.ts";
import type { PaneRow } from "../../_sys/doors.ts";

const HISTORY_ROWS = 25;

/** Null: it could not be captured, or nothing is on it. */
export async function capturedRows(
	{ doors }: Pick<TextDeps, "doors">,
	pane: Pick<PaneRow, "paneId">,
	signal: AbortSignal,
): Promise<readonly string[] | null> {
	const shot = await doors.tmux.capture(
		pane.paneId,
		{ escapes: false, history: HISTORY_ROWS },
		signal,
	);
	if (shot.kind !== "ok" || shot.stdout.trim() === "") return null;
	return shot.stdout.trimEnd().split("\n");
}
