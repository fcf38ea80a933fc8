/** Waits until a new orchestrator takes text (contract 04 §14.3). */
import { CURSOR_STANDS, chooseOption } from "../../_delivery/choose-option.ts";
import { parseLine } from "../../_pane/line.ts";
import { wantedOption } from "../../_pane/start-dialog.ts";
import type { LookAt, LookResult, PaneLook } from "../../_pane/types.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { ResumeMode } from "./resume-choice.ts";
import type { RespawnSettings } from "./settings.ts";
import { paneOfWindow } from "./spawn.ts";

export interface ReadyDeps {
	readonly doors: Doors;
	readonly lookAt: LookAt;
	/** The folder that may be trusted. */
	readonly root: string;
	readonly settings: RespawnSettings;
}

/** `timeout`: the looks before the brief decide. `gone`: its program has ended, or its window. */
export type Readiness = "ready" | "timeout" | "gone" | "aborted";

/**
 * Answers start-up dialogs that are ours. `gone` only when tmux says so, or the pane is dead; `timeout` says nothing
 * of the pane.
 */
export async function awaitReady(
	deps: ReadyDeps,
	windowId: string,
	mode: ResumeMode["kind"],
	signal?: AbortSignal,
): Promise<Readiness> {
	const { doors, lookAt, settings } = deps;
	const { clock } = doors;
	const end = clock.monoMs() + settings.readyBudgetMs[mode];
	const enters = new Map<string, number>();
	let memory = NOTHING_SEEN;
	for (;;) {
		if (signal?.aborted) return "aborted";
		const pane = await paneOfWindow(doors, windowId, signal);
		if (pane === null && (await doors.tmux.exists(windowId, signal)) === "no")
			return "gone";
		if (pane?.paneDead === "1") return "gone";
		if (pane !== null) {
			const seen = await lookAt(pane, signal);
			memory = nextReadiness(memory, seen, mode);
			if (isReady(memory, mode, settings.stableReads)) return "ready";
			if (seen.kind === "ok") await answerDialog(deps, pane, seen.look, enters);
		}
		if (clock.monoMs() >= end) return "timeout";
		await clock.sleep(settings.readyPollMs, signal);
	}
}

/** Looks in a row that showed the same quiet pane. */
export interface ReadyMemory {
	readonly reads: number;
	readonly hash: string | null;
}

const NOTHING_SEEN: ReadyMemory = { reads: 0, hash: null };

/** Pure. A transcript that is being restored swallowed what was pasted too early: a resumed session must hold still. */
function nextReadiness(
	memory: ReadyMemory,
	seen: LookResult,
	mode: ResumeMode["kind"],
): ReadyMemory {
	if (seen.kind !== "ok" || !isQuiet(seen.look, mode)) return NOTHING_SEEN;
	const hash = parseLine(seen.look.line)?.get("content_hash") ?? null;
	const isSame = memory.reads > 0 && hash === memory.hash;
	return { reads: isSame ? memory.reads + 1 : 1, hash };
}

/** Pure. */
function isReady(
	{ reads }: ReadyMemory,
	mode: ResumeMode["kind"],
	stableReads: number,
): boolean {
	return reads >= (mode === "fresh" ? 1 : stableReads);
}

const QUIET: Readonly<Record<ResumeMode["kind"], readonly string[]>> = {
	fresh: ["empty", "idle", "autosuggest-only"],
	resume: [
		"idle",
		"autosuggest-only",
		"working-background",
		"working-self-paced",
	],
};

function isQuiet(look: PaneLook, mode: ResumeMode["kind"]): boolean {
	const { state, input, menu, overlay } = look;
	if (!QUIET[mode].includes(state) || menu || overlay !== null) return false;
	return input !== "typed" && input !== "?";
}

const MAX_ENTERS = 2;

/** Case S (contract 04 §8.10): this window is ours and shows the root. What is not ours to choose is relayed by the unstick pass. */
async function answerDialog(
	{ doors, lookAt, root, settings }: ReadyDeps,
	pane: Parameters<typeof chooseOption>[1],
	{ dialog }: PaneLook,
	enters: Map<string, number>,
): Promise<void> {
	if (dialog?.kind !== "start") return;
	const { overlay, fingerprint } = dialog;
	const tries = enters.get(fingerprint) ?? 0;
	if (tries >= MAX_ENTERS) return;
	const shown = await doors.tmux.capture(pane.paneId, { escapes: false });
	const isWanted = wantedOption(
		overlay,
		shown.kind === "ok" ? shown.stdout.split("\n") : [],
		{
			ownDirs: [root],
			isOurLaunch: true,
			home: doors.proc.env.HOME ?? "",
		},
	);
	if (isWanted === null) return;
	const chosen = await chooseOption(
		{ doors, lookAt },
		pane,
		{ overlay, fingerprint, isWanted },
		{ maxSteps: settings.maxSteps },
	);
	const why = chosen.kind === "refused" ? ` (${chosen.why})` : "";
	if (chosen.kind !== "refused") enters.set(fingerprint, tries + 1);
	// Its arrows are spent.
	else if (chosen.why === CURSOR_STANDS) enters.set(fingerprint, MAX_ENTERS);
	doors.log.info(`respawn: start-up dialog ${overlay}: ${chosen.kind}${why}`);
}
