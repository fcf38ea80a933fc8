import { CLASSES, type WatchClass } from "../../monitor/_fleet/jev/route.ts";
import type { PaneState } from "../../monitor/_fleet/jev/state.ts";

export const ORDINARY = answer("ordinary", 0.85);

export const state = (lines: readonly string[]): PaneState => ({
	agent: "a",
	runtime: "claude",
	lines,
	ghostLines: [],
	composerText: null,
});

export function answer(choice: WatchClass, p: number, others = (1 - p) / 3) {
	const probabilities = Object.fromEntries(
		CLASSES.map((one) => [one, one === choice ? p : others]),
	);
	return { choice, confidence: p, probabilities };
}
