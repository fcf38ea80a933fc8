/** Which members of a roster need their watcher now (contract 09 §13): guards first, then the classifier, then the route. */
import type { Files } from "../../_sys/doors.ts";
import { sideBySide } from "../side-by-side.ts";
import { boundState } from "./bounds.ts";
import { type Asking, askProviders, largestBody } from "./providers.ts";
import { redact } from "./redact.ts";
import { type Decision, routeDecision } from "./route.ts";
import { type PaneState, paneStateOf } from "./state.ts";

export const MAX_CONCURRENCY = 4;
export const DEFAULT_FILTER = {
	timeoutMs: 8000,
	retries: 1,
	concurrency: MAX_CONCURRENCY,
	maxRequestBytes: 750_000,
} as const;

/** One line of the manifest. */
export interface FilterRow {
	readonly agent: string;
	readonly rawFile: string;
	readonly captureRc: number;
	/** The document of the capture; null: there is none. */
	readonly documentFile: string | null;
}
export interface Filter {
	readonly asking: Asking;
	readonly files: Pick<Files, "read">;
	readonly concurrency: number;
	readonly maxRequestBytes: number;
}
export interface FilterSummary {
	readonly schema_version: "watcher-filter-summary-v1";
	readonly total: number;
	readonly archive_only: number;
	/** Rows that notify. */
	readonly attention: number;
	readonly attention_agents: readonly string[];
	readonly results: readonly Decision[];
}

/**
 * Results in the order of `rows`; a row that fails notifies like one that is uncertain. At most `MAX_CONCURRENCY` at
 * once.
 */
export async function filterRows(
	filter: Filter,
	rows: readonly FilterRow[],
): Promise<FilterSummary> {
	const atOnce = Math.min(filter.concurrency, MAX_CONCURRENCY);
	const results = await sideBySide(rows, atOnce, (row) => decide(filter, row));
	const attention = results.filter(({ route }) => route === "notify_watcher");
	return {
		schema_version: "watcher-filter-summary-v1",
		total: results.length,
		archive_only: results.length - attention.length,
		attention: attention.length,
		attention_agents: attention.map(({ agent }) => agent),
		results,
	};
}

type Guarded =
	| { readonly kind: "ask"; readonly state: PaneState }
	| { readonly kind: "told"; readonly decision: Decision };

async function decide(filter: Filter, row: FilterRow): Promise<Decision> {
	const guarded = guard(filter, row);
	if (guarded.kind === "told") return guarded.decision;
	const said = await askProviders(filter.asking, guarded.state);
	const { captureRc } = row;
	return said.kind === "error"
		? routeDecision(row, null, {
				captureRc,
				error: "api_error",
				category: said.category,
			})
		: routeDecision(row, said.answer, { captureRc, provider: said.provider });
}

/** In the order of the contract; nothing has left the machine when one of them holds. */
function guard({ files, maxRequestBytes }: Filter, row: FilterRow): Guarded {
	const { captureRc } = row;
	const held = (error: string, category?: string): Guarded => ({
		kind: "told",
		decision: routeDecision(row, null, { captureRc, error, category }),
	});
	const whole = readDocument(files, row);
	const bounded = whole === null ? null : boundState(whole);
	if (bounded?.truncated) return held("capture_truncated");
	if (bounded === null) return held("provider_input_unavailable");
	const raw = files.read(row.rawFile);
	if (raw.kind !== "ok" || raw.text.trim() === "") return blank(row);
	if (captureRc !== 0) return held("capture_rc_nonzero");
	const { state, isSecret } = redact(bounded.state);
	if (isSecret) return held("api_error", "redaction_guard");
	if (largestBody(state) > maxRequestBytes) return held("input_too_large");
	return { kind: "ask", state };
}

/** Nobody needs to be asked what a blank capture is. */
function blank(row: FilterRow): Guarded {
	const answer = {
		choice: "failed_or_ambiguous_capture",
		confidence: null,
		probabilities: null,
	};
	return {
		kind: "told",
		decision: routeDecision(row, answer, { captureRc: 0 }),
	};
}

function readDocument(
	files: Pick<Files, "read">,
	{ agent, documentFile }: FilterRow,
): PaneState | null {
	const read = documentFile === null ? null : files.read(documentFile);
	if (read?.kind !== "ok") return null;
	try {
		return paneStateOf(JSON.parse(read.text), agent);
	} catch {
		return null;
	}
}
