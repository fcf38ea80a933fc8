/**
 * Resume or begin anew? (contract 04 §11.) By the pin alone: the freshest transcript may be a worker's, and resuming
 * one replayed its teardown commands and killed everything twice.
 */
import { join } from "node:path";
import { ccHomes, projectSlug } from "../../_delivery/transcript.ts";
import { readPin } from "../../_state/orchestrator-session-id.ts";
import type { Doors } from "../../_sys/doors.ts";

export type ResumeMode =
	| { readonly kind: "resume"; readonly sessionId: string }
	| { readonly kind: "fresh" };

export interface ResumePlace {
	readonly root: string;
	readonly stateDir: string;
}

export function chooseResumeMode(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	{ root, stateDir }: ResumePlace,
): ResumeMode {
	const pin = readPin(files, stateDir);
	if (pin === null) return { kind: "fresh" };
	const known = transcriptPaths(proc.env, root, pin).some(
		(path) => files.stat(path).kind === "ok",
	);
	return known ? { kind: "resume", sessionId: pin } : { kind: "fresh" };
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
