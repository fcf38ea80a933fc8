/** One emit or brief into one window, by name (contract 04 §6.2). */
import { writeLastPaste } from "../_state/orchestrator-last-paste.ts";
import { touchPin } from "../_state/orchestrator-session-id.ts";
import { takePasteLock } from "../_state/paste-lock.ts";
import type { PaneRow, PaneRows } from "../_sys/doors.ts";
import { resolveActivePane } from "../_sys/tmux-lookup.ts";
import { paneLiveness } from "../_sys/tmux-panes.ts";
import { deliver } from "./deliver.ts";
import type { DeliveryDeps } from "./job.ts";
import { emitSignature } from "./needle.ts";
import { type PasteRc, type PasteResult, pasteRcOf } from "./paste-result.ts";
import { DELIVERIES } from "./sequences.ts";
import { recordedSessionId } from "./session-id.ts";
import { checkSignature } from "./signature-check.ts";
import { rememberUnconfirmed } from "./unconfirmed.ts";

export interface PasteRequest {
	/** Window name. */
	readonly window: string;
	readonly file: string;
	/** `stamp`: a delivery to the orchestrator starts the clock of its answer. */
	readonly stamp: "stamp" | "no-liveness-stamp";
	readonly role?: string;
	readonly signal?: AbortSignal;
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
	const ms = timings.lockMs;
	const lock = await takePasteLock(doors, stateDir, window, ms, signal);
	if (lock.kind === "held")
		return { ...stopped(3, "paste lock is held"), isBusy: true };
	if (lock.kind === "cannot-open")
		return stopped(3, `paste lock: ${lock.reason}`);
	try {
		return await pasteUnderLock(deps, request);
	} finally {
		lock.lock.release();
	}
}

/** What every delivery does afterwards, confirmed now or late. */
export function onDelivered(
	deps: PasteDeps,
	request: PasteRequest,
	{ confirmed, unproven }: PasteResult,
): void {
	const { files, clock } = deps.doors;
	if (request.window === deps.orchestratorWindow) {
		// A worker's delivery says nothing of the orchestrator's session.
		touchPin(files, deps.stateDir);
		if (request.stamp === "stamp")
			writeLastPaste(files, deps.stateDir, clock.now());
		if (!confirmed && unproven !== undefined)
			rememberUnconfirmed(deps.doors, deps.stateDir, unproven);
	}
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
	const at = doors.clock.now();
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
		role: request.role ?? DELIVERIES.S1.role,
		signal,
	});
	if (result.outcome === "occupied-before-paste") deps.noteDeferral(window);
	const rc = pasteRcOf(result);
	const { pane } = target;
	const pasted: PasteResult =
		rc === "check-signature"
			? await checkSignature(deps, { window, pane, signature, at }, result)
			: { rc, outcome: result.outcome, confirmed: rc === 0, pane };
	if (pasted.rc === 0) onDelivered(deps, request, pasted);
	return pasted;
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

function stopped(rc: PasteRc, outcome: string): PasteResult {
	return { rc, outcome, confirmed: false, pane: null };
}
