/**
 * A model API on 127.0.0.1 that plays a script, so that the real Claude Code runs with no account
 * and no network: `POST /v1/messages` (streamed or whole) and `/v1/messages/count_tokens`.
 */
import type { Clock } from "../../../_sys/doors.ts";
import { type ModelRequest, readModelRequest } from "./request.ts";
import { chooseReply, type ModelReply, type ModelScript } from "./script.ts";
import {
	blockEvents,
	blocksOf,
	endEvents,
	errorBody,
	startEvent,
	wholeMessage,
} from "./wire.ts";

export interface ModelServer {
	readonly port: number;
	/** For `ANTHROPIC_BASE_URL`. */
	readonly url: string;
	/** Every messages request so far, oldest first. */
	readonly requests: readonly ModelRequest[];
	/** The script from the next request on. */
	play(script: ModelScript): void;
	/** Ends the turns that wait at this gate, and those that will come to it. */
	release(gate: string): void;
	stop(): Promise<void>;
}

/** Starts the server on a free port. Throws when no port can be had. */
export function startModelServer(opts: {
	readonly script: ModelScript;
	readonly clock: Pick<Clock, "sleep">;
}): ModelServer {
	let script = opts.script;
	const requests: ModelRequest[] = [];
	const gates = makeGates();
	const listener = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		idleTimeout: 0,
		async fetch(http) {
			const path = new URL(http.url).pathname;
			if (path.endsWith("/count_tokens"))
				return Response.json({ input_tokens: 12 });
			const request = path.endsWith("/v1/messages")
				? readModelRequest(
						await http.json().catch(() => null),
						http.headers.get("x-claude-code-session-id"),
					)
				: null;
			if (request === null)
				return Response.json(errorBody(400), { status: 404 });
			requests.push(request);
			const reply = chooseReply(script, request);
			const message = { id: `msg_${requests.length}`, model: request.model };
			if (reply.kind === "error")
				return Response.json(errorBody(reply.status, reply.message), {
					status: reply.status,
				});
			if (!request.stream) return Response.json(wholeMessage(reply, message));
			// Claude Code reads to the end of the connection, so each answer closes its own.
			return new Response(
				stream(reply, message, opts.clock, gates, http.signal),
				{
					headers: { "content-type": "text/event-stream", connection: "close" },
				},
			);
		},
	});
	const port = listener.port ?? 0;
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		requests,
		play: (next) => {
			script = next;
		},
		release: (gate) => gates.open(gate),
		stop: () => listener.stop(true),
	};
}

async function* stream(
	reply: ModelReply,
	message: { readonly id: string; readonly model: string },
	clock: Pick<Clock, "sleep">,
	gates: Gates,
	hungUp: AbortSignal,
): AsyncGenerator<string> {
	yield startEvent(message);
	const gate = "gate" in reply ? reply.gate : undefined;
	if (gate !== undefined) await gates.passed(gate, hungUp);
	const pace = reply.kind === "text" ? (reply.paceMs ?? 0) : 0;
	for (const [index, block] of blocksOf(reply, message).entries()) {
		const events = blockEvents(block, index);
		if (reply.kind === "hang") events.pop();
		for (const event of events) {
			if (pace > 0) await clock.sleep(pace, hungUp);
			if (hungUp.aborted) return;
			yield event;
		}
	}
	if (reply.kind === "hang") await aborted(hungUp);
	else yield endEvents(reply);
}

function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}

interface Gates {
	open(gate: string): void;
	/** Resolves when the gate is open, or the client hung up. */
	passed(gate: string, hungUp: AbortSignal): Promise<void>;
}

function makeGates(): Gates {
	const open = new Set<string>();
	const waiting = new Map<string, (() => void)[]>();
	return {
		open(gate) {
			open.add(gate);
			for (const go of waiting.get(gate) ?? []) go();
			waiting.delete(gate);
		},
		passed(gate, hungUp) {
			if (open.has(gate)) return Promise.resolve();
			const opened = new Promise<void>((go) => {
				waiting.set(gate, [...(waiting.get(gate) ?? []), go]);
			});
			return Promise.race([opened, aborted(hungUp)]);
		},
	};
}
