/** What a script needs to know of one `POST /v1/messages`. Pure; never throws on a foreign body. */

export interface ModelRequest {
	readonly model: string;
	readonly stream: boolean;
	/** Claude Code's session id, or null. */
	readonly session: string | null;
	/** The newest thing a person (or a paste) said; null when nobody said anything. */
	readonly prompt: string | null;
	/** How often the model has answered since `prompt`: 0 = not yet, 1 = its first tool call came back, … */
	readonly step: number;
	/** A call beside the conversation (a title, a quota probe): it offers no tools. */
	readonly auxiliary: boolean;
	/** JSON schema that the answer must follow, or null. */
	readonly schema: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads a request body; null when it is not a messages request. */
export function readModelRequest(
	body: unknown,
	sessionHeader: string | null,
): ModelRequest | null {
	if (!isObject(body) || !Array.isArray(body.messages)) return null;
	const messages = objects(body.messages);
	const at = messages.findLastIndex((m) => spokenText(m) !== null);
	const prompt = messages[at];
	const output = isObject(body.output_config) ? body.output_config : {};
	return {
		model: typeof body.model === "string" ? body.model : "unknown",
		stream: body.stream === true,
		session: sessionHeader,
		prompt: prompt === undefined ? null : spokenText(prompt),
		step: messages.slice(at + 1).filter((m) => m.role === "assistant").length,
		auxiliary: objects(body.tools).length === 0,
		schema: isObject(output.format) ? output.format.schema : null,
	};
}

/**
 * The words of a user message, or null. Claude Code wraps what it says itself in
 * `<system-reminder>`; tool results are blocks of their own. Several typed messages that were
 * queued behind one turn arrive as several blocks of one message.
 */
function spokenText(message: Json): string | null {
	if (message.role !== "user") return null;
	if (typeof message.content === "string") return message.content;
	const spoken = objects(message.content).flatMap((block) =>
		typeof block.text === "string" && !isReminder(block.text)
			? [block.text]
			: [],
	);
	return spoken.length === 0 ? null : spoken.join("\n");
}

function isReminder(text: string): boolean {
	return text.trimStart().startsWith("<system-reminder>");
}

function objects(list: unknown): Json[] {
	return Array.isArray(list) ? list.filter(isObject) : [];
}

function isObject(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
