/** The panes of one pass, and of those that may be held up the text above the screen too (contract 04 §8.1). */
import type { TextDeps } from "../../_delivery/deliver-text.ts";
import { rowTexts } from "../../_pane/facts.ts";
import { RATE_LIMIT_MENU, readMenu } from "../../_pane/menu.ts";
import { permissionPrompt } from "../../_pane/permission.ts";
import type { Sweep, SweptPane } from "../../_pane/sweep.ts";
import { questionRow } from "../../_pane/unstick-case.ts";
import { factsOf, liveClaude } from "../../_pane/witnesses.ts";
import { capturedRows } from "./captured-rows.ts";
import type { SeenPane } from "./pass.ts";

/** One a window: of two with one name the first that is no corpse. A pane without a provable claude is left out. */
export function panesOf(
	sweep: Extract<Sweep, { kind: "ok" }>,
	opts: { readonly target: string; readonly skip: string },
): readonly SeenPane[] {
	const byName = new Map<string, SweptPane>();
	for (const pane of sweep.panes) {
		const { windowName, paneDead } = pane.row;
		if (windowName === opts.skip || paneDead === "1") continue;
		if (!byName.has(windowName)) byName.set(windowName, pane);
	}
	return [...byName.values()].flatMap((pane) => {
		const facts = factsOf(pane.witnesses);
		const { process } = pane.witnesses;
		if (facts === null || liveClaude(pane.witnesses) !== "yes") return [];
		const screen = rowTexts(facts);
		return [
			{
				row: pane.row,
				window: pane.row.windowName,
				isTarget: pane.row.windowName === opts.target,
				claudePid: process.kind === "seen" ? process.claudePid : null,
				overlay: facts.overlay?.kind ?? null,
				resetToken: facts.limit?.resetAt ?? null,
				screen,
				rows: screen,
			},
		];
	});
}

/** Sessions that say they wait while no dialog is painted yet; one entry a wait. */
export function unpaintedWaits(
	sweep: Extract<Sweep, { kind: "ok" }>,
): readonly string[] {
	return sweep.panes.flatMap(({ witnesses }) => {
		const { says, pid, statusUpdatedAt } = witnesses.session;
		const overlay = factsOf(witnesses)?.overlay ?? null;
		return says === "blocked" && overlay === null
			? [`${pid} ${statusUpdatedAt}`]
			: [];
	});
}

/** Something like a dialog is on it: worth a second capture. */
export function mayBeHeldUp({ screen, overlay }: SeenPane): boolean {
	return (
		overlay !== null ||
		permissionPrompt(screen) !== null ||
		readMenu(screen, RATE_LIMIT_MENU).verdict !== "none" ||
		questionRow(screen) !== null
	);
}

/** With the rows above the screen; null when it cannot be captured. */
export async function withHistory(
	hands: Pick<TextDeps, "doors">,
	pane: SeenPane,
	signal: AbortSignal,
): Promise<SeenPane | null> {
	const rows = await capturedRows(hands, pane.row, signal);
	return rows === null ? null : { ...pane, rows };
}
