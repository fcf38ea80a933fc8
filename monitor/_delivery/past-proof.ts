/** Did a text that was under way when its watcher ended arrive all the same? (contract 04 §5.2, 01 §4.1.) */
import { parseJson } from "../_state/json-object.ts";
import { readPin } from "../_state/orchestrator-session-id.ts";
import { readLeftover } from "../_state/paste-leftover.ts";
import type { Files } from "../_sys/doors.ts";
import { provesDelivery } from "./evidence.ts";
import type { DeliveryDeps } from "./job.ts";
import { finishLeftover, type LeftoverStep } from "./leftover.ts";
import { ccHomes, transcriptsOf } from "./transcript.ts";
import { underPasteLock } from "./under-lock.ts";

export interface PastText {
	/** Window name. */
	readonly window: string;
	/** What only this text holds. */
	readonly needle: string;
	/** Epoch seconds of its paste. */
	readonly at: number;
	readonly signal?: AbortSignal;
}

/** `open`: it lies in the box, unsent. `unknown`: nobody could look. */
export type PastProof = "yes" | "no" | "open" | "unknown";

/** The record of a prompt lags its Enter. */
const RECORD_LIMIT_MS = 3000;
const POLL_MS = 250;
/** A transcript may be hundreds of megabytes; what was said since the paste is at its end. */
const TAIL_BYTES = 32 * 1024 * 1024;

/** A text that still lies in the box gets its Enter first, by the rule for leftovers. Takes at most some seconds. */
export async function provePast(
	deps: DeliveryDeps,
	past: PastText,
): Promise<PastProof> {
	const { clock, files } = deps.doors;
	const finished = await finishIt(deps, past);
	const end = clock.monoMs() + RECORD_LIMIT_MS;
	for (;;) {
		const found = lookForRecord(deps, finished.sessionId, past);
		if (found === "yes" || past.signal?.aborted) return found;
		if (clock.monoMs() >= end) {
			const isLeft = readLeftover(files, deps.stateDir, past.window) !== null;
			return isLeft && finished.step === "kept" ? "open" : found;
		}
		await clock.sleep(POLL_MS, past.signal);
	}
}

interface Finished {
	readonly step: LeftoverStep;
	/** By the pane's live session file. */
	readonly sessionId: string | null;
}

async function finishIt(
	deps: DeliveryDeps,
	{ window, signal }: PastText,
): Promise<Finished> {
	const nothing: Finished = { step: "kept", sessionId: null };
	const { lockMs } = deps.timings;
	const work = await underPasteLock(
		deps,
		window,
		lockMs,
		signal,
		async (pane): Promise<Finished> => {
			const seen = await deps.lookAt(pane, signal);
			const step = await finishLeftover(
				{ ...deps, pane, window, signal },
				seen,
			);
			const sessionId = seen.kind === "ok" ? seen.look.sessionId : null;
			return { step, sessionId };
		},
	);
	// Its window, and its box with it, are gone.
	if (work.kind === "absent" || work.kind === "dead")
		return { ...nothing, step: "cleared" };
	return work.kind === "done" ? work.value : nothing;
}

/** In the transcripts of the session that runs there now and of the one that the pin names: a restart may lie between. */
function lookForRecord(
	{ doors, stateDir }: DeliveryDeps,
	live: string | null,
	{ needle, at }: PastText,
): Exclude<PastProof, "open"> {
	const { files, proc } = doors;
	const homes = ccHomes(proc.env);
	const ids = new Set(
		[live, readPin(files, stateDir)].filter((id) => id !== null),
	);
	let answer: "no" | "unknown" = ids.size === 0 ? "unknown" : "no";
	for (const id of ids) {
		const paths = transcriptsOf(files, homes, id);
		for (const path of paths ?? []) {
			const found = isIn(files, path, needle, at);
			if (found === "yes") return "yes";
			if (found === "unknown") answer = "unknown";
		}
		if (paths === null) answer = "unknown";
	}
	return answer;
}

function isIn(
	files: Files,
	path: string,
	needle: string,
	at: number,
): "yes" | "no" | "unknown" {
	const found = files.stat(path);
	if (found.kind !== "ok") return "unknown";
	// Nothing was written to it since: a second for the clock of the disk.
	if (found.stat.mtimeMs / 1000 < at - 1) return "no";
	const read = files.readFrom(path, Math.max(0, found.stat.size - TAIL_BYTES));
	if (read.kind !== "ok") return "unknown";
	const proven = read.text
		.split("\n")
		.filter((line) => line.includes(needle))
		.some((line) => provesDelivery(parseJson(line), needle) !== null);
	return proven ? "yes" : "no";
}
