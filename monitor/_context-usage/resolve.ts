/** Which transcript is meant (contract 08 §10). Never guessed by recency: the newest file is somebody else's as often as not. */
import { basename, join } from "node:path";
import { transcriptsOf } from "../_delivery/transcript.ts";
import { isSessionId, readPin } from "../_state/orchestrator-session-id.ts";
import { mtimeOf } from "../_state/peek.ts";
import { spawnedSessionId } from "../_state/window-provenance.ts";
import type { Files } from "../_sys/doors.ts";
import type { Selector } from "./args.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface Place {
	readonly files: Files;
	readonly env: Env;
	readonly stateDir: string;
	/** Name of the orchestrator's window. */
	readonly targetWindow: string;
}
export type Resolved =
	| {
			readonly kind: "ok";
			readonly transcript: string;
			/** `unknown` when the file's name is no session id. */
			readonly session: string;
	  }
	/** `error` is one of the contract's words. */
	| { readonly kind: "failed"; readonly error: string };

/** A failure is the word that the answer carries as its reason. */
export function resolveTranscript(selector: Selector, place: Place): Resolved {
	if (selector.by === "transcript") {
		const name = basename(selector.path, ".jsonl");
		const session = isSessionId(name) ? name : "unknown";
		return { kind: "ok", transcript: selector.path, session };
	}
	const session = sessionOf(selector, place);
	if (session === null)
		return selector.by === "window"
			? failed(`no-session-for-window:${selector.window}`)
			: failed("no-session-id");
	const transcript = newestTranscript(place, session);
	return transcript === null
		? failed(`no-transcript:${session}`)
		: { kind: "ok", transcript, session };
}

function sessionOf(
	selector: Exclude<Selector, { by: "transcript" }>,
	{ files, env, stateDir, targetWindow }: Place,
): string | null {
	switch (selector.by) {
		case "session":
			return selector.id;
		case "window":
			return selector.window === targetWindow
				? readPin(files, stateDir)
				: spawnedSessionId(files, stateDir, selector.window);
		case "caller":
			return env.CLAUDE_CODE_SESSION_ID || currentSession(files, env);
	}
}

/** A note that some set-ups keep in the project's folder. */
function currentSession(files: Files, env: Env): string | null {
	const dir = env.CLAUDE_PROJECT_DIR;
	if (!dir) return null;
	const read = files.read(join(dir, "sessions/current_session_id"));
	return read.kind === "ok" ? read.text.trim() || null : null;
}

/** A session that was resumed elsewhere has more than one. */
function newestTranscript(
	{ files, env }: Place,
	session: string,
): string | null {
	// An id is one path segment; anything else would look outside.
	if (!/^[\w-]+$/.test(session)) return null;
	const found = transcriptsOf(files, [claudeHome(files, env)], session) ?? [];
	const dated = found.map((path) => ({ path, at: mtimeOf(files, path) ?? 0 }));
	return dated.sort((a, b) => b.at - a.at)[0]?.path ?? null;
}

function claudeHome(files: Files, env: Env): string {
	const own = env.CLAUDE_CONFIG_DIR;
	if (own && files.stat(join(own, "projects")).kind === "ok") return own;
	return join(env.HOME ?? "/", ".claude");
}

function failed(error: string): Resolved {
	return { kind: "failed", error };
}
