/**
 * Wake hints: a change in a watched folder fires its task at once (contract 01 §5). A hint is never the only way;
 * what it misses, the cadence finds.
 */
import type { Doors } from "../../_sys/doors.ts";
import type { SchedulerPort } from "../context.ts";

export interface HintSource {
	readonly dir: string;
	readonly task: string;
	/** Asked when something changed in a folder in which much changes that wakes nobody. Without it every change is news. */
	readonly isNews?: () => boolean;
}

export interface WakeHints {
	/** Once a loop: `fs.watch` goes silent when its folder is recreated, so the inode is compared (contract 00 R9). */
	readonly rearm: () => void;
	readonly stop: () => void;
}

/** Changes that come together are one hint. */
const GATHER_MS = 200;
/** A task that writes into the folder it watches must not keep the loop spinning. */
const SPACING_MS = 1_000;

/** When to fire after a change, ms from now. */
export function hintDelayMs(lastHintMs: number | null, nowMs: number): number {
	if (lastHintMs === null) return GATHER_MS;
	return Math.max(GATHER_MS, lastHintMs + SPACING_MS - nowMs);
}

/** Watches at once; `rearm` takes up folders that were not there, `stop` ends all watches. */
export function wakeHints(
	doors: Pick<Doors, "clock" | "files">,
	sources: readonly HintSource[],
	scheduler: Pick<SchedulerPort, "fireNow"> & { readonly wake: () => void },
): WakeHints {
	const armed = sources.map((source) => armedSource(doors, source, scheduler));
	return {
		rearm: () => {
			for (const source of armed) source.rearm();
		},
		stop: () => {
			for (const source of armed) source.stop();
		},
	};
}

function armedSource(
	{ clock, files }: Pick<Doors, "clock" | "files">,
	{ dir, task, isNews }: HintSource,
	scheduler: Pick<SchedulerPort, "fireNow"> & { readonly wake: () => void },
): WakeHints {
	let watched: string | null = null;
	let unwatch: (() => void) | null = null;
	let cancelHint: (() => void) | null = null;
	let lastHintMs: number | null = null;

	const onChange = () => {
		if (cancelHint !== null) return;
		cancelHint = clock.after(hintDelayMs(lastHintMs, clock.monoMs()), () => {
			cancelHint = null;
			if (isNews?.() === false) return;
			lastHintMs = clock.monoMs();
			scheduler.fireNow(task);
			scheduler.wake();
		});
	};
	return {
		rearm: () => {
			const found = files.stat(dir);
			const now =
				found.kind === "ok" ? `${found.stat.dev}:${found.stat.ino}` : null;
			if (now === watched) return;
			unwatch?.();
			watched = now;
			unwatch = now === null ? null : files.watch(dir, onChange);
		},
		stop: () => {
			unwatch?.();
			cancelHint?.();
		},
	};
}
