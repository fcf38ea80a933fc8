/** A server's JSON, as long as it is no longer than it may be: one that never ends must not fill our memory. */
export async function boundedJson(
	body: Pick<Response, "body">,
	maxBytes: number,
): Promise<unknown> {
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of body.body ?? []) {
		size += part.length;
		// Leaving the loop ends the transfer.
		if (size > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
		parts.push(part);
	}
	return JSON.parse(Buffer.concat(parts).toString("utf8"));
}
