/** Quote marks around strangers' text (contract 01 §10.5). Pure. */
import { oneLine } from "./clean-text.ts";
import { asText } from "./sections.ts";

/** Draws six hex characters until `text` does not hold them: what nobody could know when writing cannot end a quotation. */
export function drawNonce(hex: (n: number) => string, text: string): string {
	for (;;) {
		const nonce = hex(6);
		if (!text.includes(nonce)) return nonce;
	}
}

/**
 * The comments section with every body that is not the operator's put between
 * `[quote <nonce>]` and `[/quote <nonce>]`. Every line comes out as one clean line, and none
 * that could be taken for a header of the report.
 */
export function quoteBodies(
	text: string,
	nonce: string,
	isOperator: (login: string) => boolean,
): string {
	let isOwn = false;
	let inBlock = false;
	return text
		.split("\n")
		.map((raw) => {
			const line = oneLineKeepingIndent(raw);
			if (BLOCK_HEADER.test(line)) {
				isOwn = isAlert(line) || isOperator(authorOf(line));
				inBlock = true;
				return line;
			}
			const [, preview] = /^\s+body: ?(.*)$/.exec(line) ?? [];
			if (preview === undefined) return asText(line);
			const own = inBlock && isOwn;
			inBlock = false;
			return own
				? `  body: ${preview}`
				: `  body: [quote ${nonce}] ${preview} [/quote ${nonce}]`;
		})
		.join("\n");
}

const BLOCK_HEADER =
	/^(issue|pr|pr_review|issue_new|mention|cross_repo|watcher_alert)=/;

/** Tokens are read from the header line only, the first of each name. */
function authorOf(header: string): string {
	return / author=(\S+)/.exec(header)?.[1] ?? "";
}

/** Its wording is the watcher's own. */
function isAlert(header: string): boolean {
	return header.startsWith("watcher_alert=");
}

function oneLineKeepingIndent(line: string): string {
	const indent = /^ */.exec(line)?.[0] ?? "";
	return indent + oneLine(line, 2000);
}
