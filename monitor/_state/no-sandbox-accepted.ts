/**
 * `no-sandbox-accepted`: the operator agreed to run outside the sandbox (contract 01 §17). Kept on disk so that a
 * self-heal restart in the night inherits the choice.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { renderKv } from "./kv.ts";

export interface NoSandboxAccepted {
	readonly acceptedAt: string;
	readonly user: string;
	readonly host: string;
	/** Which program took the flag. */
	readonly context: string;
}

export function noSandboxAcceptedPath(stateDir: string): string {
	return join(stateDir, "no-sandbox-accepted");
}

function renderNoSandboxAccepted(a: NoSandboxAccepted): string {
	return renderKv([
		["accepted_at", a.acceptedAt],
		["user", a.user],
		["host", a.host],
		["context", a.context],
	]);
}

/** Could not look counts as not accepted: the gate errs towards refusing. */
export function noSandboxAccepted(files: Files, stateDir: string): boolean {
	return files.stat(noSandboxAcceptedPath(stateDir)).kind === "ok";
}

/** Replaces an older agreement. */
export function writeNoSandboxAccepted(
	files: Files,
	stateDir: string,
	a: NoSandboxAccepted,
): WriteResult {
	return files.writeAtomic(
		noSandboxAcceptedPath(stateDir),
		renderNoSandboxAccepted(a),
	);
}
