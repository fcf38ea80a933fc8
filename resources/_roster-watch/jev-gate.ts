/** May the classifier keep a pass quiet? (contract 09 §12.5). */
import { join } from "node:path";
import {
	DEFAULT_FILTER,
	type FilterSummary,
	filterRows,
} from "../../monitor/_fleet/jev/filter.ts";
import { findKeys, type JevKeys } from "../../monitor/_fleet/jev/keys.ts";
import { isWakeClass } from "../../monitor/_fleet/jev/route.ts";
import {
	type ManifestRow,
	renderManifest,
	writeDecisions,
} from "../../monitor/_state/fleet/jev-decisions.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";

export type JevGate =
	| { readonly kind: "off" }
	| { readonly kind: "no-key" }
	| { readonly kind: "on"; readonly keys: JevKeys };
type FilterDoors = Pick<Doors, "files" | "clock" | "proc" | "net">;

/** `wanted`: the params say `use_jev: true`. `repoRoot`: whose `.env` may hold a key. */
export function openGate(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	wanted: boolean,
	repoRoot: string,
): JevGate {
	if (!wanted) return { kind: "off" };
	const envFile = proc.env.ROSTER_JEV_ENV_FILE || join(repoRoot, ".env");
	const keys = findKeys(files, proc.env, envFile);
	return keys === null ? { kind: "no-key" } : { kind: "on", keys };
}

export type Filtered =
	| { readonly kind: "ok"; readonly attention: number }
	| { readonly kind: "not-ok"; readonly why: string };

/** `dir` keeps the manifest and the decisions of this pass. */
export async function runGate(
	doors: FilterDoors,
	keys: JevKeys,
	rows: readonly ManifestRow[],
	roster: readonly string[],
	dir: string,
): Promise<Filtered> {
	const { files } = doors;
	files.mkdir(dir, 0o700);
	const manifest = join(dir, "manifest.jsonl");
	const kept = files.writeAtomic(manifest, renderManifest(rows), {
		mode: 0o600,
	});
	if (kept.kind !== "ok") return { kind: "not-ok", why: kept.reason };
	const asking = { doors, keys, ...DEFAULT_FILTER };
	const summary = await filterRows({ asking, files, ...DEFAULT_FILTER }, rows);
	const written = writeDecisions(files, dir, summary);
	if (written.kind !== "ok") return { kind: "not-ok", why: written.reason };
	return judgeSummary(summary, roster);
}

/** Pure. It covers exactly the roster, and every row is surely ordinary or surely one that wakes. */
export function judgeSummary(
	{ results }: Pick<FilterSummary, "results">,
	roster: readonly string[],
): Filtered {
	const judged = results.map(({ agent }) => agent).sort();
	if (judged.join("\n") !== [...roster].sort().join("\n"))
		return { kind: "not-ok", why: "it does not cover the roster" };
	const unsure = results.find(
		(row) =>
			row.status !== "ok" ||
			(row.route === "notify_watcher" && !isWakeClass(row.class)),
	);
	if (unsure !== undefined)
		return { kind: "not-ok", why: `${unsure.agent}: ${unsure.reason}` };
	const attention = results.filter((row) => row.route === "notify_watcher");
	return { kind: "ok", attention: attention.length };
}
