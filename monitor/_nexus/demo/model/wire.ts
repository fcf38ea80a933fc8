/** The model API's bytes: server-sent events, whole messages and errors. Pure. */
import type { ErrorStatus, ModelReply } from "./script.ts";

export interface WireMessage {
	readonly id: string;
	readonly model: string;
}
type Block =
	| { readonly type: "text"; readonly text: string }
	| {
			readonly type: "tool_use";
			readonly id: string;
			readonly name: string;
			readonly input: unknown;
	  };

const ERROR_TYPES: Readonly<Record<ErrorStatus, string>> = {
	400: "invalid_request_error",
	401: "authentication_error",
	429: "rate_limit_error",
	500: "api_error",
	529: "overloaded_error",
};

/** Body of an error answer. */
export function errorBody(status: ErrorStatus, message?: string): object {
	const type = ERROR_TYPES[status];
	return { type: "error", error: { type, message: message ?? type } };
}

/** The content blocks of a reply (an error has none). */
export function blocksOf(reply: ModelReply, message: WireMessage): Block[] {
	switch (reply.kind) {
		case "text":
		case "gate":
			return [{ type: "text", text: reply.text }];
		case "hang":
			return [{ type: "text", text: reply.text ?? "" }];
		case "error":
			return [];
		case "tool": {
			const id = `toolu_${message.id}`;
			const call: Block = {
				type: "tool_use",
				id,
				name: reply.name,
				input: reply.input,
			};
			return reply.text === undefined
				? [call]
				: [{ type: "text", text: reply.text }, call];
		}
	}
}

/** The answer to a request that did not ask for a stream. */
export function wholeMessage(reply: ModelReply, message: WireMessage): object {
	return {
		...skeleton(message),
		content: blocksOf(reply, message),
		stop_reason: stopReason(reply),
	};
}

/** First event of a stream. */
export function startEvent(message: WireMessage): string {
	return event("message_start", { message: skeleton(message) });
}

/** One block as events: its opening, its pieces (a text's words, a call's whole input), its end. */
export function blockEvents(block: Block, index: number): string[] {
	const delta = (d: object) =>
		event("content_block_delta", { index, delta: d });
	const opening =
		block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
	const pieces =
		block.type === "text"
			? (block.text.match(/\s*\S+\s*/g) ?? []).map((text) =>
					delta({ type: "text_delta", text }),
				)
			: [
					delta({
						type: "input_json_delta",
						partial_json: JSON.stringify(block.input),
					}),
				];
	return [
		event("content_block_start", { index, content_block: opening }),
		...pieces,
		event("content_block_stop", { index }),
	];
}

/** Last events of a stream. */
export function endEvents(reply: ModelReply): string {
	const delta = { stop_reason: stopReason(reply), stop_sequence: null };
	return (
		event("message_delta", { delta, usage: { output_tokens: 8 } }) +
		event("message_stop", {})
	);
}

function stopReason(reply: ModelReply): string {
	return reply.kind === "tool" ? "tool_use" : "end_turn";
}

function skeleton(message: WireMessage): object {
	return {
		id: message.id,
		type: "message",
		role: "assistant",
		model: message.model,
		content: [],
		stop_reason: null,
		stop_sequence: null,
		usage: { input_tokens: 12, output_tokens: 1 },
	};
}

function event(type: string, data: object): string {
	return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
