/** One screen, read: all facts of contract 03 §8 from one capture. Pure. */
import { type Activity, activity } from "./activity.ts";
import { composerView, findMenu, inputText, type Menu } from "./composer.ts";
import { contentHash } from "./digest.ts";
import { parseGrid } from "./grid.ts";
import { findLimit, type LimitNotice } from "./limit.ts";
import { matchingOverlays, type Overlay } from "./overlays.ts";
import { type Screen, segment } from "./screen.ts";
import type { ComposerView } from "./types.ts";

export interface ScreenFacts {
	readonly screen: Screen;
	/** null: no box, or what looks like one stands above a dialog and is quoted. */
	readonly composer: ComposerView | null;
	readonly inputText: string;
	readonly menu: Menu | null;
	/** The dialog that is up. */
	readonly overlay: Overlay | null;
	/** Every dialog arm that matched, the deciding one first. */
	readonly overlays: readonly Overlay[];
	readonly activity: Activity;
	readonly limit: LimitNotice | null;
	readonly contentHash: string;
}

/** The visible rows as plain text. */
export function rowTexts({ screen }: ScreenFacts): readonly string[] {
	return screen.grid.rows.map((row) => row.text);
}

/** null when the capture holds no text at all. `paneWidth` in columns; without it the widest row counts. */
export function readScreen(
	capture: string,
	paneWidth?: number,
): ScreenFacts | null {
	const grid = parseGrid(capture, paneWidth);
	if (grid.rows.length === 0) return null;
	const screen = segment(grid);
	const doing = activity(screen);
	const overlays = matchingOverlays(screen, doing);
	const overlay = overlays[0] ?? null;
	const { box } = screen;
	// A modal dialog replaces the box: a box above one is quoted. The old history search keeps it.
	const isLive = overlay === null || overlay.arm === "history-search";
	const live = isLive ? box : null;
	return {
		screen,
		composer: live && composerView(screen, live),
		inputText: live === null ? "" : inputText(screen, live),
		menu: live && findMenu(screen, live),
		overlay,
		overlays,
		activity: doing,
		limit: findLimit(screen, doing),
		contentHash: contentHash(screen),
	};
}
