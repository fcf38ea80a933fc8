/** S13: keys that an agent of the fleet chose for a dialog of another (contract 09 §6.5). The judgement is its own; the looks are ours. */
import type { LookResult } from "../_pane/types.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { type AgentKeyFacts, agentKey, dialogIdentity } from "./agent-key.ts";
import { type PressDeps, press } from "./press.ts";

export type AgentKeysEnd =
	| { readonly kind: "sent"; readonly sent: readonly string[] }
	| {
			/** `withheld`: a draft, or another dialog than at the start. `unknown`: could not look. */
			readonly kind: "withheld" | "unknown" | "failed" | "gone";
			readonly why: string;
			readonly sent: readonly string[];
	  };

/** One key at a time, with a look before each; no implicit Enter, ever. The caller holds the window's paste lock. */
export async function pressAgentKeys(
	deps: PressDeps,
	pane: PaneRow,
	keys: readonly string[],
	signal?: AbortSignal,
): Promise<AgentKeysEnd> {
	const sent: string[] = [];
	const first = await deps.lookAt(pane, signal);
	if (first.kind !== "ok") return { ...unseen(first), sent };
	const startDialog = dialogIdentity(first.look);
	for (const [index, key] of keys.entries()) {
		const facts: AgentKeyFacts = { index, startDialog };
		const done = await press(deps, pane, agentKey(key, facts), facts, {
			signal,
		});
		switch (done.kind) {
			case "pressed":
				sent.push(key);
				break;
			case "refused":
				return { ...refusedKey(done.why), sent };
			case "aborted":
				return { kind: "failed", why: "aborted", sent };
			case "failed":
				return { kind: "failed", why: done.why, sent };
		}
	}
	return { kind: "sent", sent };
}

/** `press` says why it looked in vain with the kind of the look. */
function refusedKey(why: string) {
	if (why === "unreadable") return unseen({ kind: why, reason: why });
	if (why === "gone") return unseen({ kind: why, evidence: why });
	return { kind: "withheld", why } as const;
}

function unseen(seen: Exclude<LookResult, { readonly kind: "ok" }>) {
	return seen.kind === "gone"
		? ({ kind: "gone", why: "no live agent in the pane" } as const)
		: ({ kind: "unknown", why: `could not look: ${seen.reason}` } as const);
}
