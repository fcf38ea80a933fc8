/** The waits behind a row: the heartbeat's list, or what the row's display of it still tells (contract 08 §4.3). Pure. */
import type { Wait } from "../../_state/heartbeat.ts";

export interface WaitList {
	readonly waits: readonly Wait[];
	/** There may be more than these. */
	readonly isTruncated: boolean;
}

/** `declared`: the heartbeat's list; null when there is no heartbeat to read. */
export function waitsBehind(
	declared: readonly Wait[] | null,
	display: string,
): WaitList {
	if (declared !== null) return { waits: declared, isTruncated: false };
	const tokens = display.split(",").filter((token) => token !== "");
	const waits = tokens.flatMap((token) => {
		const at = token.indexOf(":");
		return at <= 0 || token.includes("…")
			? []
			: [{ kind: token.slice(0, at), id: token.slice(at + 1) }];
	});
	const isTruncated = tokens.length === 0 || waits.length < tokens.length;
	return { waits, isTruncated };
}
