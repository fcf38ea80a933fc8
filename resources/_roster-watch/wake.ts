/** The lines of a pass that a monitor reads (contract 09 §12.2, §12.5). Pure. */
import { QUIET_MARKER } from "../../monitor/_fleet/job-outcome.ts";

export interface Wake {
	readonly file: string;
	/** UTC, with microseconds. */
	readonly at: string;
	readonly degraded: readonly string[];
	readonly failed: readonly string[];
	/** Who could not be seen in the pass before; null: nobody. */
	readonly failedBefore: string | null;
	/** What could not be archived. */
	readonly archiveTrouble: readonly string[];
	readonly checkFailed: boolean;
	readonly checkLog: string;
	/** Null: the filter is off. */
	readonly filter:
		| { readonly kind: "ok"; readonly attention: number }
		| { readonly kind: "not-ok" }
		| null;
}

/** In their order; the wake line last, behind it at most the quiet marker. */
export function wakeDecision(x: Wake): readonly string[] {
	const degraded =
		x.degraded.length === 0
			? []
			: [
					`DEGRADED-KNOWN: tmux capture capability-denied/empty binding for ${x.degraded.join(" ")} but LIVE by independent fallback proof; inspect ${x.file}`,
				];
	const incident = incidentLine(x.failed.join(" "), x.failedBefore, x.file);
	return [...degraded, ...(incident === null ? [] : [incident]), ...ready(x)];
}

/** Null: nobody failed, now or before. The same failures do not wake again. */
export function incidentLine(
	current: string,
	before: string | null,
	file: string,
): string | null {
	if (current === "")
		return before === null
			? null
			: `roster incident cleared for ${before}; inspect ${file}`;
	return current === before
		? `roster incident persists unchanged for ${current}; inspect ${file}`
		: `ROSTER INCIDENT: tmux capture failed for ${current}; inspect ${file}`;
}

function ready(x: Wake): readonly string[] {
	const head = `roster capture ready: ${x.file} (${x.at})`;
	if (x.archiveTrouble.length > 0)
		return [
			`${head} — ARCHIVE-DEGRADED: ${x.archiveTrouble.join(" ")}; inspect archive/health and archive-errors.log`,
		];
	const plain = [`${head} — reconcile roster state and linked queue waits`];
	if (x.filter === null) return plain;
	if (x.checkFailed)
		return [`${head} - ROSTER-CHECK FAIL; inspect ${x.checkLog}`];
	if (x.failed.length === 0 && x.failedBefore !== null)
		return [`${head} - roster incident cleared; inspect ${x.file}`];
	if (x.filter.kind === "not-ok") return plain;
	if (x.filter.attention > 0)
		return [
			`${head} — active permission prompt or blocking user choice (${x.filter.attention} agent(s)); decisions archived`,
		];
	if (x.failed.length + x.degraded.length > 0) return plain;
	return [
		`roster capture archived, jev filter found no watcher-needed panes: ${x.file} (${x.at})`,
		QUIET_MARKER,
	];
}
