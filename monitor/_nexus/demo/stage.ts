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

/** The step went well. */
export function done<T>(value: T): Step<T> {
	return { kind: "ok", value };
}

/** The demo ends here, with this reason. */
export function failed(reason: string): {
	readonly kind: "failed";
	readonly reason: string;
} {
	return { kind: "failed", reason };
}

const POLL_MS = 100;

/** Asks until the answer is not null; fails after `limitMs`, when the person interrupts, or when somebody removed the world. */
export async function until<T>(
	stage: Pick<Stage, "doors" | "signal" | "world">,
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
		if (worldIsGone(stage)) return failed(goneText(stage.world));
		if (clock.monoMs() >= deadline)
			return failed(`waited ${limitMs / 1000} s for ${what}`);
		await clock.sleep(POLL_MS, stage.signal);
	}
}

/** Its folder is removed: nothing of the story can happen any more. */
export function worldIsGone({
	doors,
	world,
}: Pick<Stage, "doors" | "world">): boolean {
	return doors.files.stat(world.root).kind === "absent";
}

/** For people. */
export function goneText({ root }: DemoWorld): string {
	return `its world ${root} is gone: a \`./nexus demo --stop\` of yours, elsewhere, ended it`;
}
