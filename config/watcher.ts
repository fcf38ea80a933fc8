/** The watcher's configuration: resolved once, at its start, and frozen (contract 07 §8). */
import type { Config } from "./schema.ts";

/** What every task receives. */
export type WatcherConfig = Config & {
	/** The chosen file and the sha256 of its text, as read at start. */
	readonly file: { readonly path: string; readonly sha256: string };
	/** `orchestrator_dead_threshold_seconds` after the clamp of contract 07 §6.5. */
	readonly deadThresholdSeconds: number;
};
