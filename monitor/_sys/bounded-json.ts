/** A server's answer, as long as it is no longer than it may be: one that never ends must not fill our memory. */

/** Throws when there are more than `maxBytes`, or the text is no JSON. */
export async function boundedJson(
	body: Pick<Response, "body">,
	maxBytes: number,
): Promise<unknown> {
	const text = await boundedText(body, maxBytes);
	if (text === null) throw new Error(`more than ${maxBytes} bytes`);
	return JSON.parse(text);
}

/** Null: it is longer, and the rest was not read. */
export async function boundedText(
	body: Pick<Response, "body">,
	maxBytes: number,
): Promise<string | null> {
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of body.body ?? []) {
		size += part.length;
		// Leaving the loop ends the transfer.
		if (size > maxBytes) return null;
		parts.push(part);
	}
	return Buffer.concat(parts).toString("utf8");
}
