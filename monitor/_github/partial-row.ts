/** The row that says what of a search is missing (contract 02 §7.3). */
import { mayLog } from "../_state/github-throttle.ts";
import type { Surface } from "../_state/graphql-backoff.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import type { Doors } from "../_sys/doors.ts";

export type PartialReason =
	| "partial_resolution"
	| "malformed_page"
	| "budget_exhausted"
	| "page_cap";

/** The remedy of a page that is too much for GitHub, or of too many pages. */
export const PAGE_SIZE_KEY = "monitor.graphql.search_page_size";

/** Once in ten minutes for each surface and reason. */
export function notePartial(
	doors: Pick<Doors, "clock" | "files">,
	stateDir: string,
	surface: Surface,
	reason: PartialReason,
	detail: string,
): void {
	if (!mayLog(doors, stateDir, { of: "partial", surface, reason })) return;
	const remedy =
		reason === "partial_resolution" ? `; lower ${PAGE_SIZE_KEY}` : "";
	appendAlert(
		doors,
		stateDir,
		"WARN",
		`${surface} graphql_partial_walk reason=${reason} ${detail}${remedy}`,
	);
}
