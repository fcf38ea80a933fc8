/** The piece of a payload that a transcript record must hold to be our delivery (contract 04 §5.2, §6.1). */

const MIN_LENGTH = 12;
const MAX_LENGTH = 200;
const SIGNATURE_MAX = 100;

/**
 * The longest run of printable ASCII in a cleaned payload, blanks trimmed, cut to 200 characters;
 * null when none has 12. ASCII, because a terminal and a transcript agree on it.
 */
export function needleOf(payload: string): string | null {
	let best = "";
	for (const [run] of payload.matchAll(/[\x20-\x7e]+/g)) {
		const trimmed = run.replace(/^ +| +$/g, "");
		if (trimmed.length > best.length) best = trimmed;
	}
	return best.length < MIN_LENGTH ? null : best.slice(0, MAX_LENGTH);
}

/** `nexus-emit-sig <iso> <nonce>` of an emit's last line; null for a text that is not signed. */
export function emitSignature(payload: string): string | null {
	const last = payload.trimEnd().split("\n").at(-1) ?? "";
	const found = /nexus-emit-sig \S+ [0-9a-f]{6}(?![0-9a-f])/.exec(last);
	return found === null ? null : found[0].slice(0, SIGNATURE_MAX);
}
