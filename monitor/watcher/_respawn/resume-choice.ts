/**
 * Resume or begin anew? (contract 04 §11.) By the pin alone: the freshest transcript may be a worker's, and resuming
 * one replayed its teardown commands and killed everything twice.
 */
import { join } from "node:path";
import { ccHomes, projectSlug } from "../../_delivery/transcript.ts";
import {
	readArchivedPin,
	readPin,
} from "../../_state/orchestrator-session-id.ts";
import {
	type ResumeDeaths,
	readResumeDeaths,
} from "../../_state/resume-deaths.ts";
import type { Doors } from "../../_sys/doors.ts";

export type ResumeMode =
	| { readonly kind: "resume"; readonly sessionId: string }
	/** `insteadOf`: the session that ended each time it was resumed. */
	| { readonly kind: "fresh"; readonly insteadOf?: string };

export interface ResumePlace {
	readonly root: string;
	readonly stateDir: string;
}

/** A pin without a transcript cannot be resumed. */
export function chooseResumeMode(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	{ root, stateDir }: ResumePlace,
): ResumeMode {
	const isKnown = (sessionId: string) =>
		transcriptPaths(proc.env, root, sessionId).some(
			(path) => files.stat(path).kind === "ok",
		);
	const pin = readPin(files, stateDir);
	return decideResume(pin, readResumeDeaths(files, stateDir), isKnown);
}

/** So many resumes of a session that end at once, and a fresh one is tried; if that ends, too, the fault lies elsewhere, and the session has its turn again. */
const RESUMES_BEFORE_FRESH = 2;

/** Pure. The pin names a fresh session that took no brief by the id that it would have had: without a transcript it is nobody's. */
export function decideResume(
	pin: string | null,
	past: ResumeDeaths | null,
	isKnown: (sessionId: string) => boolean,
): ResumeMode {
	const sessionId = [pin, past?.sessionId ?? null].find(
		(id) => id !== null && isKnown(id),
	);
	if (sessionId === undefined || sessionId === null) return { kind: "fresh" };
	const deaths = past?.sessionId === sessionId ? past.deaths : 0;
	const turn = deaths % (RESUMES_BEFORE_FRESH + 1);
	return turn === RESUMES_BEFORE_FRESH
		? { kind: "fresh", insteadOf: sessionId }
		: { kind: "resume", sessionId };
}

/** Where Claude Code keeps the transcript of a session in the root, one for each of its homes. */
export function transcriptPaths(
	env: Readonly<Record<string, string | undefined>>,
	root: string,
	sessionId: string,
): readonly string[] {
	const slug = projectSlug(root);
	return ccHomes(env).map((home) =>
		join(home, "projects", slug, `${sessionId}.jsonl`),
	);
}

/** Whose queue is lost with this start: the session that is resumed, or the one in whose place a fresh one begins. Null: nobody knows one. */
export function sessionBefore(
	{ files }: Pick<Doors, "files">,
	stateDir: string,
	mode: ResumeMode,
): string | null {
	if (mode.kind === "resume") return mode.sessionId;
	return (
		mode.insteadOf ??
		readPin(files, stateDir) ??
		readArchivedPin(files, stateDir)
	);
}
