/** What the steps of the demo share: its world, the doors into it, and a wait with a limit. */
import type { Doors, Tmux } from "../../_sys/doors.ts";
import type { DemoWorld } from "./world.ts";

export interface Stage {
	readonly doors: Doors;
	/** The demo's own tmux server. */
	readonly tmux: Tmux;
	readonly world: DemoWorld;
	/** For every program that the demo starts. */
	readonly env: Readonly<Record<string, string>>;
	readonly codeRoot: string;
	readonly print: (line: string) => void;
	/** Prints one thing that happened, with the time. */
	readonly say: (line: string) => void;
	/** Aborts when the person has had enough. */
	readonly signal: AbortSignal;
}

/** What a step gave, or why the demo cannot go on. */
export type Step<T> =
	| { readonly kind: "ok"; readonly value: T }
	| { readonly kind: "failed"; readonly reason: string };

export function done<T>(value: T): Step<T> {
	return { kind: "ok", value };
}

export function failed(reason: string): {
	readonly kind: "failed";
	readonly reason: string;
} {
	return { kind: "failed", reason };
}

const POLL_MS = 100;

/** Asks until the answer is not null; fails after `limitMs` or when the person interrupts. */
export async function until<T>(
	stage: Pick<Stage, "doors" | "signal">,
	what: string,
	limitMs: number,
	ask: () => T | null | Promise<T | null>,
): Promise<Step<T>> {
	const { clock } = stage.doors;
	const deadline = clock.monoMs() + limitMs;
	for (;;) {
		const answer = await ask();
		if (answer !== null) return done(answer);
		if (stage.signal.aborted) return failed("interrupted");
		if (clock.monoMs() >= deadline)
			return failed(`waited ${limitMs / 1000} s for ${what}`);
		await clock.sleep(POLL_MS, stage.signal);
	}
}
