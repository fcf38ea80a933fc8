/** One emit or brief into one window, by name (contract 04 §6.2). */

import { writeLastPaste } from "../_state/orchestrator-last-paste.ts";
import { touchPin } from "../_state/orchestrator-session-id.ts";
import { writeLeftover } from "../_state/paste-leftover.ts";
import { takePasteLock } from "../_state/paste-lock.ts";
import type { PaneRow, PaneRows } from "../_sys/doors.ts";
import { resolveActivePane } from "../_sys/tmux-lookup.ts";
import { paneLiveness } from "../_sys/tmux-panes.ts";
import { deliver } from "./deliver.ts";
import { provesDelivery } from "./evidence.ts";
import { findInHistory, lookInHistory } from "./history.ts";
import type { DeliveryDeps } from "./job.ts";
import { emitSignature, needleOf } from "./needle.ts";
import type { DeliverResult } from "./outcome.ts";
import { recordedSessionId } from "./session-id.ts";

/**
 * 0 delivered · 1 tmux not installed · 2 window not listed · 3 failed before the Enter, or could not
 * look · 4 sent, nothing confirms · 5 no live pane or agent · 6 our text is in the box unsent ·
 * 7 nothing was pasted: an overlay, or somebody's text in the box.
 */
export type PasteRc = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface PasteRequest {
	/** Window name. */
	readonly window: string;
	readonly file: string;
	/** `stamp`: a delivery to the orchestrator starts the clock of its answer. */
	readonly stamp: "stamp" | "no-liveness-stamp";
	readonly role?: string;
	readonly signal?: AbortSignal;
}

export interface PasteResult {
	readonly rc: PasteRc;
	/** In words, for the log: an outcome of the primitive, or what stopped it. */
	readonly outcome: string;
	/** False on rc 0 means UNCONFIRMED: nothing could confirm, and nothing speaks against it. */
	readonly confirmed: boolean;
	/** Given with rc 4: is it there by now, by record or by signature? */
	readonly arrivedLate?: () => Promise<boolean>;
	/** The pane that was meant; null when none was found. */
	readonly pane: PaneRow | null;
}

export interface PasteDeps extends DeliveryDeps {
	/** The configured orchestrator window. */
	readonly orchestratorWindow: string;
	/** A draft was in the box: the paste waits (contract 04 §6.5). */
	readonly noteDeferral: (window: string) => void;
	readonly resetDeferral: (window: string) => void;
}

/** One attempt, under the window's paste lock. */
export async function pasteToTarget(
	deps: PasteDeps,
	request: PasteRequest,
): Promise<PasteResult> {
	const { doors, stateDir, timings } = deps;
	const { window, signal } = request;
	const lock = await takePasteLock(
		doors,
		stateDir,
		window,
		timings.lockMs,
		signal,
	);
	if (lock.kind === "held") return stopped(3, "paste lock is held");
	if (lock.kind === "cannot-open")
		return stopped(3, `paste lock: ${lock.reason}`);
	try {
		return await pasteUnderLock(deps, request);
	} finally {
		lock.lock.release();
	}
}

/** What every delivery does afterwards, confirmed now or late. */
export function onDelivered(deps: PasteDeps, request: PasteRequest): void {
	const { files, clock } = deps.doors;
	touchPin(files, deps.stateDir);
	if (request.window === deps.orchestratorWindow && request.stamp === "stamp")
		writeLastPaste(files, deps.stateDir, clock.now());
	deps.resetDeferral(request.window);
}

async function pasteUnderLock(
	deps: PasteDeps,
	request: PasteRequest,
): Promise<PasteResult> {
	const { doors, stateDir } = deps;
	const { window, signal } = request;
	const rows = await doors.tmux.panes(signal);
	const target = resolveTarget(rows, window);
	if (target.kind === "stopped") return target.result;
	const read = doors.files.read(request.file);
	const signature = read.kind === "ok" ? emitSignature(read.text) : null;
	const result = await deliver(deps, {
		pane: target.pane,
		window,
		file: request.file,
		needle: signature,
		sessionId: recordedSessionId(
			doors.files,
			stateDir,
			window,
			deps.orchestratorWindow,
		),
		role: request.role ?? "emit",
		signal,
	});
	if (result.outcome === "occupied-before-paste") deps.noteDeferral(window);
	const rc = pasteRcOf(result);
	const pasted =
		rc === "check-signature"
			? await checkSignature(deps, request, target.pane, result, signature)
			: { rc, outcome: result.outcome, confirmed: rc === 0, pane: target.pane };
	if (pasted.rc === 0) onDelivered(deps, request);
	return pasted;
}

/** Pure: the primitive's end as a paste rc; `check-signature` where only the pane's history can tell. */
export function pasteRcOf(
	result: Pick<DeliverResult, "rc" | "outcome" | "failStep">,
): PasteRc | "check-signature" {
	switch (result.outcome) {
		case "blocked-before-paste":
		case "occupied-before-paste":
			return 7;
		case "unreadable-before-paste":
			return 3;
		case "undecidable-box":
			return 6;
		case "inert":
			return "check-signature";
	}
	switch (result.rc) {
		case 0:
			return 0;
		case 1:
			return result.failStep === "send-keys-enter" ? 6 : 3;
		case 3:
			return "check-signature";
		case 4:
			return 6;
		case 5:
			return 5;
		case 6:
			return 3;
	}
}

type Target =
	| { readonly kind: "pane"; readonly pane: PaneRow }
	| { readonly kind: "stopped"; readonly result: PasteResult };

function resolveTarget(rows: PaneRows, window: string): Target {
	if (rows.kind === "no-tmux")
		return { kind: "stopped", result: stopped(1, "tmux is not installed") };
	const live = paneLiveness(rows, window);
	if (live === "absent")
		return { kind: "stopped", result: stopped(2, "window not listed") };
	if (live === "dead")
		return { kind: "stopped", result: stopped(5, "dead pane") };
	const found = resolveActivePane(rows, window);
	if (live !== "live" || found.kind !== "present")
		return { kind: "stopped", result: stopped(3, "could not look, try again") };
	return { kind: "pane", pane: found.value };
}

/** No record tells. A signed text shows in the history, or not; an unsigned one can only be seen in the box. */
async function checkSignature(
	deps: PasteDeps,
	request: PasteRequest,
	pane: PaneRow,
	result: DeliverResult,
	signature: string | null,
): Promise<PasteResult> {
	const { log } = deps.doors;
	const needle = signature ?? needleOf(result.payload)?.slice(0, 32) ?? null;
	const seen =
		needle === null ? "absent" : await findInHistory(deps, pane, needle);
	if (seen === "in-box") {
		const { files } = deps.doors;
		writeLeftover(files, deps.stateDir, request.window, result.payload);
		return {
			rc: 6,
			outcome: `${result.outcome}, in the box`,
			confirmed: false,
			pane,
		};
	}
	if (seen === "shown" || signature === null) {
		log.warn(`paste window=${request.window} UNCONFIRMED (${result.outcome})`);
		return {
			rc: 0,
			outcome: `UNCONFIRMED ${result.outcome}`,
			confirmed: false,
			pane,
		};
	}
	return {
		rc: 4,
		outcome: `${result.outcome}, signature not seen`,
		confirmed: false,
		pane,
		arrivedLate: async () => {
			const records = result.watch?.().records ?? [];
			if (records.some((record) => provesDelivery(record, signature) !== null))
				return true;
			return (await lookInHistory(deps, pane, signature)) === "shown";
		},
	};
}

function stopped(rc: PasteRc, outcome: string): PasteResult {
	return { rc, outcome, confirmed: false, pane: null };
}
