/** What must not leave the machine is taken out before anything is sent (contract 09 §13). Pure. */
import type { PaneState } from "./state.ts";

export interface Redacted {
	readonly state: PaneState;
	/** A private key or the assignment of a secret stood there: then nothing is sent at all. */
	readonly isSecret: boolean;
}

const SECRET = "[REDACTED_SECRET]";
const PATH = "[REDACTED_LOCAL_PATH]";

/** The screen may show only the one end of a key, or the other. */
const PRIVATE_KEYS = [
	/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
	/^[\s\S]*-----END [A-Z0-9 ]*PRIVATE KEY-----/,
];
const ASSIGNMENT =
	/^.*(?:API_?KEY|TOKEN|SECRET|PASSWORD|PRIVATE_?KEY|AUTH_?KEY)[A-Z0-9_]*["']?[ \t]*(?:=[ \t]*["']?[^\s"'=]|:[ \t]*["']?[^\s"']{8}).*$/gim;
const TOKENS = [
	/\bBearer[ \t]+[A-Za-z0-9._~+/=-]{16,}/gi,
	/\bsk-[A-Za-z0-9_-]{20,}/g,
	/\btskey-[A-Za-z0-9_-]{16,}/g,
	/\bAKIA[0-9A-Z]{16}/g,
];
const IN_PATH = "[^\\s\"'`<>|;,()\\[\\]{}]*";
const LOCAL_PATHS = [
	new RegExp(
		`(?<![\\w.-])/(?:Users|home|root|tmp|private/tmp|var/folders|Volumes)(?:/${IN_PATH}|(?![\\w.-]))`,
		"g",
	),
	new RegExp(
		`(?<![\\w.-])(?:/${IN_PATH})?/\\.?(?:worktrees?|workspaces?)(?:/${IN_PATH}|(?![\\w.-]))`,
		"gi",
	),
];

/** `isSecret`: something of it must not leave the machine even so; the caller sends nothing. */
export function redact(state: PaneState): Redacted {
	const screen = redactText(state.lines.join("\n"));
	const composer = redactText(state.composerText ?? "");
	return {
		state: {
			...state,
			lines: screen.text.split("\n"),
			composerText: state.composerText === null ? null : composer.text,
		},
		isSecret: screen.isSecret || composer.isSecret,
	};
}

/** Private keys, assigned secrets, tokens and local paths are replaced; `isSecret` speaks of the first two. */
export function redactText(text: string): {
	readonly text: string;
	readonly isSecret: boolean;
} {
	const keyless = PRIVATE_KEYS.reduce((t, key) => t.replace(key, SECRET), text);
	const open = keyless.replace(ASSIGNMENT, SECRET);
	const shut = TOKENS.reduce((t, token) => t.replace(token, SECRET), open);
	const placeless = LOCAL_PATHS.reduce(
		(t, path) => t.replace(path, PATH),
		shut,
	);
	return { text: placeless, isSecret: open !== text };
}
