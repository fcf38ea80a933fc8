/** A scripted model: rules as data, chosen by what was said. Pure, so that a retry gets the same answer. */
import type { ModelRequest } from "./request.ts";

export type ModelReply =
	/** `paceMs` waits that long before each word: a slow stream. */
	| { readonly kind: "text"; readonly text: string; readonly paceMs?: number }
	| {
			readonly kind: "tool";
			readonly name: string;
			readonly input: Readonly<Record<string, unknown>>;
			/** Said before the call. */
			readonly text?: string;
			/** Busy until `ModelServer.release(gate)`, then calls. */
			readonly gate?: string;
	  }
	| {
			readonly kind: "error";
			readonly status: ErrorStatus;
			readonly message?: string;
	  }
	/** Says `text` and never ends: a busy pane, until the client hangs up. */
	| { readonly kind: "hang"; readonly text?: string }
	/** Busy until `ModelServer.release(gate)`, then ends its turn with `text`. */
	| { readonly kind: "gate"; readonly gate: string; readonly text: string };

export type ErrorStatus = 400 | 401 | 429 | 500 | 529;

export interface ModelRule {
	/** Substring of the prompt, or a pattern that it matches. */
	readonly when: string | RegExp;
	/** One answer a step; past the end `otherwise` is said. They may be made of what the pattern caught. */
	readonly replies:
		| readonly ModelReply[]
		| ((...caught: readonly string[]) => readonly ModelReply[]);
}

export interface ModelScript {
	/** The first rule that matches wins. */
	readonly rules: readonly ModelRule[];
	/** What is said where no rule matches, and after a rule's last reply. */
	readonly otherwise: string;
}

/** The answer to one request. */
export function chooseReply(
	script: ModelScript,
	request: ModelRequest,
): ModelReply {
	if (request.auxiliary) return { kind: "text", text: auxiliaryText(request) };
	const replies = repliesTo(script.rules, request.prompt ?? "");
	return replies[request.step] ?? { kind: "text", text: script.otherwise };
}

function repliesTo(
	rules: readonly ModelRule[],
	prompt: string,
): readonly ModelReply[] {
	for (const { when, replies } of rules) {
		const pattern = typeof when === "string" ? RegExp.escape(when) : when;
		const found = new RegExp(pattern).exec(prompt);
		if (found === null) continue;
		return typeof replies === "function" ? replies(...found.slice(1)) : replies;
	}
	return [];
}

function auxiliaryText(request: ModelRequest): string {
	return request.schema === null
		? "ok"
		: JSON.stringify(sampleOf(request.schema));
}

/** The smallest value that a JSON schema of the plain kind accepts. */
function sampleOf(schema: unknown): unknown {
	if (typeof schema !== "object" || schema === null) return null;
	if ("enum" in schema && Array.isArray(schema.enum)) return schema.enum[0];
	switch ("type" in schema ? schema.type : undefined) {
		case "object": {
			const props = "properties" in schema ? schema.properties : {};
			return Object.fromEntries(
				Object.entries(props ?? {}).map(([key, sub]) => [key, sampleOf(sub)]),
			);
		}
		case "array":
			return [];
		case "boolean":
			return false;
		case "integer":
		case "number":
			return 0;
		case "string":
			return "ok";
		default:
			return null;
	}
}
