/** Delivery as the watcher does it, into a pane of a private tmux server, and the count of what arrived. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	arrivedWhole,
	classifyRecord,
	deliveredText,
} from "../../monitor/_delivery/evidence.ts";
import type { PasteResult } from "../../monitor/_delivery/paste-result.ts";
import {
	type PasteDeps,
	type PasteRequest,
	pasteToTarget,
} from "../../monitor/_delivery/paste-to-target.ts";
import { pasteWithRetry } from "../../monitor/_delivery/paste-with-retry.ts";
import { DEFAULT_TIMINGS } from "../../monitor/_delivery/timings.ts";
import { makeLookAt } from "../../monitor/_pane/look.ts";
import { DEFAULT_SETTINGS } from "../../monitor/_pane/settings.ts";
import { realClock } from "../../monitor/_sys/clock.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { realLocks } from "../../monitor/_sys/lock.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { realRandom } from "../../monitor/_sys/random.ts";
import { realTmux } from "../../monitor/_sys/tmux.ts";
import { fakeLog } from "../fakes/log.ts";
import { fakeNet } from "../fakes/net.ts";
import type { Claude } from "./claude-harness.ts";
import type { PrivateTmux } from "./private-tmux.ts";

export interface RealDelivery {
	readonly deps: PasteDeps;
	readonly stateDir: string;
	/** Keys and pastes that were sent so far. */
	readonly keys: readonly string[];
	/** Pastes `text` into the window as one emit. */
	paste(text: string): Promise<PasteResult>;
	/** The same with the watcher's one retry. */
	pasteRetrying(text: string): Promise<PasteResult>;
	/** Happens once, right before the next look after the next paste. */
	beforeLookAfterPaste(happens: () => Promise<void>): void;
}

/** `window` is where the agent with this `configDir` lives. */
export function realDelivery(
	server: PrivateTmux,
	window: string,
	configDir: string,
): RealDelivery {
	const clock = realClock({});
	const random = realRandom();
	const env = { HOME: server.dir, CLAUDE_CONFIG_DIR: configDir };
	const proc = { ...realProc(), env };
	const keys: string[] = [];
	const tmux = realTmux(proc, random, { env: server.env });
	let interference: (() => Promise<void>) | null = null;
	let pasted = false;
	const doors: Doors = {
		clock,
		random,
		proc,
		files: realFiles(),
		locks: realLocks(clock),
		log: fakeLog(),
		net: fakeNet(),
		tmux: {
			...tmux,
			run: (cmd, signal) => {
				if (cmd.kind === "send-keys") keys.push(...cmd.keys);
				if (cmd.kind === "paste-buffer") {
					keys.push("paste");
					pasted = true;
				}
				return tmux.run(cmd, signal);
			},
		},
	};
	const stateDir = mkdtempSync(join(server.dir, "state-"));
	const lookAt = makeLookAt({ doors, stateDir, settings: DEFAULT_SETTINGS });
	const deps: PasteDeps = {
		doors,
		stateDir,
		timings: DEFAULT_TIMINGS,
		lookAt: async (pane, signal) => {
			const happens = pasted ? interference : null;
			if (happens !== null) interference = null;
			await happens?.();
			return lookAt(pane, signal);
		},
		orchestratorWindow: "orchestrator",
		noteDeferral: () => {},
		resetDeferral: () => {},
	};
	let n = 0;
	function request(text: string): PasteRequest {
		const file = join(stateDir, `emit-${n++}.md`);
		writeFileSync(file, text);
		pasted = false;
		return { window, file, stamp: "stamp" };
	}
	return {
		deps,
		stateDir,
		keys,
		paste: (text) => pasteToTarget(deps, request(text)),
		pasteRetrying: (text) => pasteWithRetry(deps, request(text)),
		beforeLookAfterPaste: (happens) => {
			interference = happens;
		},
	};
}

/** How often a payload that holds `mark` was sent (a prompt, or its entry into the queue), and how often whole. */
export function arrivals(
	claude: Pick<Claude, "transcript">,
	mark: string,
	payload: string,
): { readonly times: number; readonly whole: number } {
	const sent = claude.transcript().filter(
		(record) =>
			classifyRecord(record) !== null &&
			// What leaves the queue was counted when it went in.
			record.promptSource !== "queued" &&
			deliveredText(record)?.includes(mark),
	);
	return {
		times: sent.length,
		whole: sent.filter((record) => arrivedWhole(record, payload)).length,
	};
}

/** A signed report of so many lines, unlike any other. */
export function reportOf(nonce: string, lines: number): string {
	const rows = Array.from(
		{ length: lines },
		(_, n) => `- row ${n} of ${nonce}`,
	);
	const iso = "2026-07-28T18:00:00+00:00";
	return [...rows, `--- nexus-emit-sig ${iso} ${nonce} ---`].join("\n");
}
