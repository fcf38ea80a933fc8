/** From the words of a usage-limit notice to its reset token (contract 03 §8, 08 §2.7); `reset-token.ts` turns that into an instant. Pure. */

const LONGEST = 64;

/** `3am (America/Los_Angeles)` as `3am_America/Los_Angeles`; `unknown` when nothing is left. */
export function resetToken(words: string): string {
	const token = words
		.split(/[·∙]/)[0]
		?.replace(/\.? +\/.*$/, "")
		.replace(/[()]/g, "")
		.trim()
		.replace(/\.$/, "")
		.replace(/[\s\u00a0]+/g, "_")
		.replace(/_+$/, "")
		.slice(0, LONGEST);
	return token || "unknown";
}

/** What a message says after `resets`, `reset at` or `limit reached|`, up to the next control character; null when it says nothing. */
export function resetWords(message: string): string | null {
	const [, words, epoch] =
		/\b(?:resets|(?:will )?reset at)\s+([^\0-\x1f\x7f]+)|limit reached\|(\d{10})(?!\d)/i.exec(
			message,
		) ?? [];
	return words ?? epoch ?? null;
}
