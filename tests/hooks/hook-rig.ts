/** A hook on fake doors: its payload on standard input, what it answered, and what it left in the state dir. */

import type { HookDoors } from "../../monitor/_sys/doors.ts";
import { type Hook, runHook } from "../../monitor/hooks/_io.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import type { FakeWindow } from "../fakes/tmux-model.ts";

export const STATE = "/state";
export const NOW = 2_000_000_000;

export interface HookEnd {
	readonly code: number;
	readonly out: readonly string[];
	readonly err: readonly string[];
}
export interface HookRig {
	readonly doors: FakeDoors;
	/** The window that it runs in, when it has one. */
	readonly window: FakeWindow | null;
	/** Runs a hook to its end. An object is sent as JSON, a text as it is; null sends nothing and closes. */
	run(
		hook: Hook,
		payload: object | string | null,
		...args: readonly string[]
	): Promise<HookEnd>;
	/** A file below the state dir; null when there is none. */
	text(path: string): string | null;
	json(path: string): Record<string, unknown> | null;
	/** Every file below the state dir. */
	paths(): readonly string[];
	wait(seconds: number): Promise<void>;
}

/** `own`: the hook runs in the pane of a window of this name. */
export function hookRig(
	given: Readonly<Record<string, string>> = { NEXUS_WORKER_WINDOW: "w1" },
	own?: string,
): HookRig {
	const doors = fakeDoors({ now: NOW, auto: true });
	doors.files.seedDir(STATE);
	const window = own === undefined ? null : doors.tmux.window(own);
	const env = window === null ? given : { ...given, TMUX_PANE: window.pane.id };
	const text = (path: string) => {
		const read = doors.files.read(`${STATE}/${path}`);
		return read.kind === "ok" ? read.text : null;
	};
	return {
		doors,
		window,
		text,
		json: (path) => {
			const found = text(path);
			return found === null ? null : JSON.parse(found);
		},
		paths: () => pathsBelow(doors, STATE).map((p) => p.slice(STATE.length + 1)),
		wait: (seconds) => doors.clock.advance(seconds * 1000),
		async run(hook, payload, ...args) {
			const sent = payload === null ? "" : payload;
			const bytes = typeof sent === "string" ? sent : JSON.stringify(sent);
			const end = fakeHookDoors(doors, env, args, streamOf([bytes]));
			await runHook(end.hookDoors, hook);
			return end.ended();
		},
	};
}

export function fakeHookDoors(
	doors: FakeDoors,
	env: Readonly<Record<string, string>>,
	args: readonly string[],
	stdin: ReadableStream<Uint8Array>,
): { readonly hookDoors: HookDoors; ended(): HookEnd } {
	const out: string[] = [];
	const err: string[] = [];
	const codes: number[] = [];
	const exit = (code: number) => {
		codes.push(code);
		return undefined as never;
	};
	return {
		// The first exit is the end: a real process has no second.
		ended: () => ({ code: codes[0] ?? -1, out, err }),
		hookDoors: {
			env: { NEXUS_STATE_DIR: STATE, ...env },
			args,
			exit,
			files: doors.files,
			clock: doors.clock,
			timer: doors.clock,
			stdin: () => stdin,
			tmux: async () => doors.tmux,
			print: (line) => void out.push(line),
			warn: (line) => void err.push(line),
		},
	};
}

/** Chunks, each after so many ms; without `open` the stream ends after the last. */
export function streamOf(
	chunks: readonly string[],
	opts: {
		readonly open?: boolean;
		readonly gapMs?: number;
		readonly doors?: FakeDoors;
	} = {},
): ReadableStream<Uint8Array> {
	return new ReadableStream({
		async start(controller) {
			for (const chunk of chunks) {
				if (opts.gapMs) await opts.doors?.clock.sleep(opts.gapMs);
				controller.enqueue(new TextEncoder().encode(chunk));
			}
			if (!opts.open) controller.close();
		},
	});
}

function pathsBelow(doors: FakeDoors, dir: string): string[] {
	const listed = doors.files.list(dir);
	if (listed.kind !== "ok") return [];
	return listed.names.flatMap((name) => {
		const path = `${dir}/${name}`;
		const found = doors.files.lstat(path);
		return found.kind === "ok" && found.stat.kind === "dir"
			? pathsBelow(doors, path)
			: [path];
	});
}
