/** May the searches run at all: a token, and enough of the hour's points (contract 02 §7.1). */
import { mayLog } from "../_state/github-throttle.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import { at } from "./json-look.ts";
import type { SearchContext } from "./search.ts";
import { tokenProblemText } from "./token.ts";

const DEADLINE_MS = 30_000;

/** False: this fire is skipped, and a row says why. Back-offs of single surfaces do not count here. */
export async function graphqlPollingGate(
	ctx: Pick<
		SearchContext,
		"doors" | "gitHub" | "stateDir" | "config" | "signal"
	>,
): Promise<boolean> {
	const { doors, gitHub, stateDir, config, signal } = ctx;
	const got = await gitHub.tokens.installationToken(signal);
	if (signal.aborted) return false;
	if (got.kind !== "ok") {
		if (mayLog(doors, stateDir, { of: "mint" }))
			appendAlert(
				doors,
				stateDir,
				"WARN",
				`mint-token ${tokenProblemText(got)}; eligible comments will not surface until minting recovers`,
			);
		return false;
	}
	const answer = await gitHub.rest(
		"GET /rate_limit",
		{},
		{ deadlineMs: DEADLINE_MS, signal, read: readRemaining, free: true },
	);
	if (signal.aborted) return false;
	const skip = (kind: string, detail: string): false => {
		if (mayLog(doors, stateDir, { of: "gate", kind }))
			appendAlert(doors, stateDir, "WARN", `graphql_gate ${kind} ${detail}`);
		return false;
	};
	if (answer.kind === "failed")
		return answer.failure.kind === "malformed"
			? skip("probe_malformed", "no graphql.remaining in the answer")
			: skip("probe_failed", answer.failure.message);
	const threshold = config["monitor.graphql_threshold"];
	return answer.value.remaining >= threshold
		? true
		: skip(
				"below_floor",
				`graphql.remaining=${answer.value.remaining} threshold=${threshold}`,
			);
}

function readRemaining(data: unknown): { readonly remaining: number } | null {
	const remaining = at(data, "resources", "graphql", "remaining");
	return typeof remaining === "number" && Number.isInteger(remaining)
		? { remaining }
		: null;
}
