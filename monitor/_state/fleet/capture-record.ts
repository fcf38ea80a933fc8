/** `archive/records/…json`: how one member's picture came about (contract 09 §12.3). Pure. */
import { createHash } from "node:crypto";
import { isObject, type JsonObject, parseObject } from "../json-object.ts";

const RECORD_SCHEMA = "roster-capture-archive-v2";
export type CaptureRoute = "primary" | "ssh_fallback" | "both_failed";

const GEOMETRY_KEYS = [
	"pane_width",
	"pane_height",
	"cursor_x",
	"cursor_y",
	"pane_in_mode",
	"source",
];

/** One member's section of a capture file. Lines count from 1. */
export interface CaptureSection {
	readonly index: number;
	readonly lineStart: number | null;
	readonly lineEnd: number | null;
}
/** The whole capture file that a section stands in. */
export interface CaptureSource {
	readonly path: string;
	readonly bytes: Uint8Array;
}
export interface AgentCapture {
	readonly agent: string;
	readonly raw: Uint8Array;
	readonly captureId: string;
	/** ISO 8601, UTC. */
	readonly at: string;
	readonly runtime: string | null;
	/** Machine on which the pane lives. */
	readonly box: string | null;
	readonly requestedLines: number;
	readonly geometry: JsonObject | null;
	readonly captureRc: number;
	readonly finalRc: number;
	readonly primaryRc: number | null;
	readonly sshRc: number | null;
	readonly route: CaptureRoute;
	readonly section: CaptureSection;
	/** Null: the picture was taken by itself. */
	readonly source: CaptureSource | null;
}
export interface CaptureRecord extends JsonObject {
	readonly agent: string;
	readonly capture_timestamp_utc: string;
	readonly section_index: number;
	readonly source_file_sha256: string | null;
	readonly raw_response_sha256: string;
}

/**
 * The JSON object as it is written. Hashes are SHA-256 of the very bytes; an excerpt of at most 240 characters only
 * where it failed.
 */
export function captureRecord(x: AgentCapture): CaptureRecord {
	const text = new TextDecoder().decode(x.raw);
	const failure = classifyFailureState(text, x.captureRc);
	const raw = sha256(x.raw);
	const source = x.source === null ? null : sha256(x.source.bytes);
	const hasSource = x.source !== null;
	return {
		schema_version: RECORD_SCHEMA,
		capture_id: x.captureId,
		capture_timestamp_utc: x.at,
		agent: x.agent,
		runtime: x.runtime,
		box: x.box,
		requested_lines: x.requestedLines,
		line_semantics: "tmux_joined_logical_lines",
		geometry: x.geometry,
		geometry_provenance: x.geometry === null ? "unmeasured" : "measured",
		capture_rc: x.captureRc,
		final_rc: x.finalRc,
		primary_rc: x.primaryRc,
		ssh_rc: x.sshRc,
		capture_route: x.route,
		failure_state: failure,
		error_excerpt:
			failure === "success" ? null : [...text.trim()].slice(0, 240).join(""),
		section_index: x.section.index,
		line_start: x.section.lineStart,
		line_end: x.section.lineEnd,
		split_provenance: hasSource ? "assembled_by_this_pass" : "direct",
		split_reliable: true,
		source_file: x.source?.path ?? null,
		source_file_name: x.source?.path.split("/").at(-1) ?? null,
		source_file_sha256: source,
		source_blob: source === null ? null : sourceBlob(source),
		raw_response_sha256: raw,
		raw_response_bytes: x.raw.length,
		raw_response_blob: rawBlob(raw),
		joined_logical_line_count: lineCount(text),
	};
}

/** Of equal captures the names are equal. */
export function recordFilename(r: CaptureRecord): string {
	const stamp = fileWord(r.capture_timestamp_utc.replace(/[-:]/g, ""));
	const index = String(r.section_index).padStart(4, "0");
	const source = r.source_file_sha256?.slice(0, 12) ?? "direct";
	const raw = r.raw_response_sha256.slice(0, 16);
	return `${stamp}_${index}_${fileWord(r.agent)}_${source}_${raw}.json`;
}

export type FailureState =
	| "success"
	| "capture_failed"
	| "error_text"
	| "degraded_known"
	| "fallback_skipped"
	| "fallback_deferred";

const STATES: readonly (readonly [RegExp, FailureState])[] = [
	[/error: tmux\.capture|failed to connect to daemon/i, "error_text"],
	[/degraded-known/i, "degraded_known"],
	[/fallback skipped/i, "fallback_skipped"],
	[/fallback deferred/i, "fallback_deferred"],
	[/capture failed/i, "capture_failed"],
];

/** A capture that failed says nothing of the pane. Else the first known text on the screen; `success` when none is. */
export function classifyFailureState(text: string, rc: number): FailureState {
	if (rc !== 0) return "capture_failed";
	return STATES.find(([words]) => words.test(text))?.[1] ?? "success";
}

export type Geometry =
	| { readonly kind: "ok"; readonly geometry: JsonObject }
	| { readonly kind: "bad"; readonly why: string };

/** As it came on a command line; it holds known keys alone. */
export function parseGeometry(text: string): Geometry {
	const geometry = parseObject(text);
	if (geometry === null) return { kind: "bad", why: "no JSON object" };
	const stranger = Object.keys(geometry).find(
		(key) => !GEOMETRY_KEYS.includes(key),
	);
	return stranger === undefined
		? { kind: "ok", geometry }
		: { kind: "bad", why: `unknown key ${stranger}` };
}

/** Keys sorted, no blanks, letters as they are. */
export function renderRecord(record: JsonObject): string {
	return `${JSON.stringify(sorted(record))}\n`;
}

/** A name as part of a file's name. */
export function fileWord(name: string): string {
	return name.replace(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 80);
}

/** Below the archive; named by its content, so that the same screen is kept once. */
export function rawBlob(sha: string): string {
	return `raw/${sha}.bin`;
}

/** As `rawBlob`, for the whole snapshot that a picture was cut from. */
export function sourceBlob(sha: string): string {
	return `sources/${sha}.txt`;
}

/** In hex; of a text its UTF-8 bytes. */
export function sha256(bytes: Uint8Array | string): string {
	return createHash("sha256").update(bytes).digest("hex");
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value;
	const keys = Object.keys(value).sort();
	return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

function lineCount(text: string): number {
	if (text === "") return 0;
	return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
