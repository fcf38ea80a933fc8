/** The scripted model of the tests: the demo's, on the real clock. Stops with the test that started it. */

import type {
	ModelRule,
	ModelScript,
} from "../../monitor/_nexus/demo/model/script.ts";
import {
	type ModelServer,
	startModelServer,
} from "../../monitor/_nexus/demo/model/server.ts";

export type {
	ModelReply,
	ModelRule,
	ModelScript,
} from "../../monitor/_nexus/demo/model/script.ts";
export type { ModelServer };

const sleep = (ms: number, signal?: AbortSignal) =>
	new Promise<"slept" | "aborted">((resolve) => {
		const timer = setTimeout(() => resolve("slept"), ms);
		signal?.addEventListener("abort", () => {
			clearTimeout(timer);
			resolve("aborted");
		});
	});

/** Says `Understood.` to everything no rule matches. */
export function scriptOf(
	rules: readonly ModelRule[] = [],
	otherwise = "Understood.",
): ModelScript {
	return { rules, otherwise };
}

export function startTestModel(
	rules: readonly ModelRule[] = [],
	otherwise?: string,
): ModelServer {
	return startModelServer({
		script: scriptOf(rules, otherwise),
		clock: { sleep },
	});
}
