/** Text that came from outside, as a log line or an error may show it. */
import { asOneLine } from "../_sys/control-characters.ts";

/**
 * One line without control characters, at most `max` characters, and no credential in it: GitHub, or
 * whoever stands in between, may quote what it was sent.
 */
export function oneLine(
	text: string,
	max: number,
	secrets: readonly string[] = [],
): string {
	const known = secrets
		.filter((secret) => secret !== "")
		.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);
	const line = asOneLine(known.replace(CREDENTIALS, REDACTED)).trim();
	const characters = [...line];
	return characters.length <= max
		? line
		: `${characters.slice(0, max).join("")}…`;
}

const REDACTED = "(redacted)";

/** GitHub's tokens by their prefix, JSON web tokens, private keys. */
const CREDENTIALS =
	/\bgh[a-z]_\w{8,}|\bgithub_pat_\w+|\beyJ[\w-]+\.[\w-]+\.[\w-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g;
