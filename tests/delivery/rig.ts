/** One agent's pane and everything that delivery needs, on fake doors with a clock that moves by itself. */

import {
	type DeliverRequest,
	deliver,
} from "../../monitor/_delivery/deliver.ts";
import type { DeliverResult } from "../../monitor/_delivery/outcome.ts";
import type { PasteDeps } from "../../monitor/_delivery/paste-to-target.ts";
import { DEFAULT_TIMINGS } from "../../monitor/_delivery/timings.ts";
import type { PaneLook } from "../../monitor/_pane/types.ts";
import { resolveActivePane } from "../../monitor/_sys/tmux-lookup.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import type { TmuxCall } from "../fakes/tmux.ts";
import { type FakeRepl, fakeRepl } from "./fake-repl.ts";

export const STATE = "/nexus/monitor/.state";
export const FILE = "/nexus/body.md";
export const TARGET = "orchestrator";
export const SIGNATURE = "nexus-emit-sig 2026-07-28T18:00:00+00:00 a1b2c3";
/** An emit: five lines, so that the box collapses it. */
export const EMIT = `=== state (poll) ===\nworker one: idle 8m\n- a report\n- another\n--- ${SIGNATURE} ---`;

/** A look that failed. */
export const NO_PICTURE = {
	kind: "unreadable",
	reason: "capture failed",
} as const;

export interface Rig {
	readonly doors: FakeDoors;
	readonly repl: FakeRepl;
	readonly deps: PasteDeps;
	/** Windows whose paste was deferred, and those that were reset. */
	readonly deferred: string[];
	readonly reset: string[];
	/** Puts `text` into the file and delivers it. */
	deliver(
		text?: string,
		more?: Partial<DeliverRequest>,
	): Promise<DeliverResult>;
	/** Everything that was asked and done, in order: `look`, `panes`, `i BSpace`, `paste-buffer`, … */
	readonly steps: string[];
	/** Called before each of them. */
	onStep(seen: (step: string) => void): void;
	/** The keys and buffers among them. */
	keys(): string[];
	/** Happens right after the agent took a paste, or an Enter. */
	afterPaste(happens: () => void): void;
	afterEnter(happens: () => void): void;
	leftover(): string | null;
	seedLeftover(text: string): void;
}

export function makeRig(): Rig {
	const doors = fakeDoors({ auto: true });
	const repl = fakeRepl(doors, TARGET);
	const deferred: string[] = [];
	const reset: string[] = [];
	const steps: string[] = [];
	const watchers: ((step: string) => void)[] = [];
	const step = (name: string) => {
		steps.push(name);
		for (const watcher of watchers) watcher(name);
	};
	doors.tmux.before((call) => step(stepName(call)));
	const deps: PasteDeps = {
		doors,
		stateDir: STATE,
		lookAt: (pane, signal) => {
			step("look");
			return repl.lookAt(pane, signal);
		},
		timings: DEFAULT_TIMINGS,
		orchestratorWindow: TARGET,
		noteDeferral: (window) => deferred.push(window),
		resetDeferral: (window) => reset.push(window),
	};
	const leftoverPath = `${STATE}/paste-leftover/${TARGET}`;
	return {
		doors,
		repl,
		deps,
		deferred,
		reset,
		deliver: async (text = EMIT, more = {}) => {
			doors.files.seed(FILE, text);
			const rows = await doors.tmux.panes();
			const found = resolveActivePane(rows, TARGET);
			if (found.kind !== "present") throw new Error("no target window");
			return deliver(deps, {
				pane: found.value,
				window: TARGET,
				file: FILE,
				sessionId: null,
				...more,
			});
		},
		steps,
		onStep: (seen) => void watchers.push(seen),
		keys: () => steps.filter((step) => !QUESTIONS.has(step)),
		afterPaste: (happens) => {
			const { pane } = repl.window;
			const paste = pane.onPaste;
			pane.onPaste = (text, to) => {
				paste(text, to);
				happens();
			};
		},
		afterEnter: (happens) => {
			const { pane } = repl.window;
			const press = pane.onKey;
			pane.onKey = (key, to) => {
				press(key, to);
				if (key === "Enter") happens();
			};
		},
		seedLeftover: (text) => doors.files.seed(leftoverPath, text),
		leftover: () =>
			doors.files.has(leftoverPath) ? doors.files.text(leftoverPath) : null,
	};
}

const QUESTIONS = new Set(["look", "panes", "exists", "capture"]);

function stepName(call: TmuxCall): string {
	if (call.op !== "run") return call.op;
	return call.cmd.kind === "send-keys"
		? call.cmd.keys.join(" ")
		: call.cmd.kind;
}

/** What a look at an idle pane with an empty box says. */
export const IDLE_LOOK: PaneLook = {
	state: "idle",
	input: "blank",
	overlay: null,
	menu: false,
	menuSelected: null,
	dialog: null,
	queued: false,
	composer: null,
	line: "",
	sessionId: null,
};
