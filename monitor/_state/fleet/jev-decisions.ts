/** A manifest of captures for the filter, and what it decided: `summary.json`, `decisions.jsonl` (contract 09 §13). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { numberAt, parseObject, textAt } from "../json-object.ts";

export interface ManifestRow {
	readonly agent: string;
	readonly rawFile: string;
	readonly sourceFile: string;
	readonly captureId: string;
	/** ISO 8601, UTC. */
	readonly at: string;
	readonly captureRc: number;
	readonly captureRoute: string;
	/** The document of the capture; null: there is none. */
	readonly documentFile: string | null;
}
export type Manifest =
	| { readonly kind: "ok"; readonly rows: readonly ManifestRow[] }
	| { readonly kind: "bad"; readonly why: string };

/** A JSON object a line, in the order given; a document only where there is one. */
export function renderManifest(rows: readonly ManifestRow[]): string {
	return rows
		.map((row) =>
			JSON.stringify({
				agent: row.agent,
				raw_file: row.rawFile,
				source_file: row.sourceFile,
				capture_id: row.captureId,
				capture_timestamp_utc: row.at,
				capture_rc: row.captureRc,
				capture_route: row.captureRoute,
				...(row.documentFile === null
					? {}
					: {
							provider_input_file: row.documentFile,
							provider_input_source: "capture_json",
							capture_json_file: row.documentFile,
						}),
			}),
		)
		.map((line) => `${line}\n`)
		.join("");
}

/** A line that is none fails the whole: a member that is not judged must not look judged. */
export function parseManifest(text: string): Manifest {
	const rows: ManifestRow[] = [];
	for (const [at, line] of text.split("\n").entries()) {
		if (line.trim() === "") continue;
		const row = rowOf(line);
		if (row === null)
			return { kind: "bad", why: `line ${at + 1} is no row of a manifest` };
		rows.push(row);
	}
	return { kind: "ok", rows };
}

/** Private: they say what agents are at. */
export function writeDecisions(
	files: Pick<Files, "mkdir" | "writeAtomic">,
	dir: string,
	summary: { readonly results: readonly object[] },
): WriteResult {
	const made = files.mkdir(dir, 0o700);
	if (made.kind !== "ok") return made;
	const lines = summary.results.map((row) => `${JSON.stringify(row)}\n`);
	const decided = join(dir, "decisions.jsonl");
	const first = files.writeAtomic(decided, lines.join(""), { mode: 0o600 });
	if (first.kind !== "ok") return first;
	// Last: whoever finds it finds all.
	const text = `${JSON.stringify(summary, null, 2)}\n`;
	return files.writeAtomic(join(dir, "summary.json"), text, { mode: 0o600 });
}

function rowOf(line: string): ManifestRow | null {
	const json = parseObject(line);
	const agent = textAt(json, "agent");
	const rawFile = textAt(json, "raw_file");
	if (agent === null || rawFile === null) return null;
	return {
		agent,
		rawFile,
		sourceFile: textAt(json, "source_file") ?? "",
		captureId: textAt(json, "capture_id") ?? "",
		at: textAt(json, "capture_timestamp_utc") ?? "",
		// Not known to have succeeded.
		captureRc: numberAt(json, "capture_rc") ?? 1,
		captureRoute: textAt(json, "capture_route") ?? "",
		documentFile:
			textAt(json, "provider_input_file") ?? textAt(json, "capture_json_file"),
	};
}
