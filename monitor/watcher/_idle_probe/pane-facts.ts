/** From a pane's reading to what the probe needs of it. Pure. */
import { verdictFields } from "../../_pane/line.ts";
import type { SessionWitness } from "../../_pane/session.ts";
import type { SweptPane } from "../../_pane/sweep.ts";
import type { PaneFacts } from "./facts.ts";

/** Taken from the verdict, not from its line: a window's name can hold text that looks like a field. */
export function paneFacts({ verdict, witnesses }: SweptPane): PaneFacts {
	const { answer } = verdict;
	const said = new Map(verdictFields(witnesses, verdict));
	const hash = said.get("content_hash");
	const { state, shells } = answer;
	const counted = shells?.reliable ?? false;
	return {
		state,
		overlay: answer.overlay ?? null,
		contentHash: hash === undefined ? null : String(hash),
		backgroundTicks: counted ? (shells?.cpuTicks ?? null) : null,
		children:
			counted && shells && state === "working-background"
				? { count: shells.count, oldestStart: shells.oldestStart }
				: null,
		limit:
			answer.limit === undefined
				? null
				: {
						resetAt: answer.limit.resetAt,
						flavour: answer.limit.flavour,
						words: said.has("limit_text") ? answer.limit.words : null,
					},
		orphanKinds: answer.orphanKinds ?? null,
		sessionId: witnesses.session.sessionId,
		askedAt: state === "blocked" ? askedAt(witnesses.session) : null,
	};
}

/** By Claude Code's own word alone: a heartbeat is written again while the same question stands. */
function askedAt({ says, statusUpdatedAt }: SessionWitness): number | null {
	return says === "blocked" && statusUpdatedAt !== null
		? Math.floor(statusUpdatedAt / 1000)
		: null;
}
