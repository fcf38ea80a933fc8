/** `T/agents/<watcher>/watch_params.json`: whom a standing watcher looks after, and how (contract 09 §9). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import {
	isObject,
	type JsonObject,
	parseObject,
	textAt,
} from "../json-object.ts";
import { bareName } from "./names.ts";
import { agentDir } from "./store.ts";
import { parseIso } from "./time.ts";
import { paramProblems } from "./watch-params-check.ts";

export const WATCH_PARAMS_SCHEMA = "watch-params-v1";

export interface RosterEntry {
	readonly agentId: string;
	/** Together with `tmuxSession`: where it is to be found over SSH, whatever others say. */
	readonly hostname?: string;
	readonly tmuxSession?: string;
	readonly runtime?: string;
}
/** A temporary widening of the cadence. */
export interface Override {
	readonly cadenceIdle: string | null;
	readonly cadenceActive: string | null;
	readonly reason: string;
	readonly setBy: string;
	readonly expires: string;
}
/** A field that is missing or of a wrong type has its default; `problems` names it. */
export interface WatchParams {
	readonly watcher: string;
	readonly role: string;
	readonly parent: string;
	readonly owner: string;
	readonly roster: readonly RosterEntry[];
	readonly model: string;
	readonly effort: string;
	readonly runtime: string;
	readonly cadenceActive: string;
	readonly cadenceIdle: string;
	readonly restartCtxPct: number;
	readonly override: Override | null;
	/** Declared absent on purpose. */
	readonly expectedInactive: readonly string[];
	readonly sleeping: readonly string[];
	readonly useJev: boolean;
	/** Agent: the daemon that is asked for its pane (`thrum` alone). */
	readonly daemonOverrides: Readonly<Record<string, string>>;
}
export type ParsedParams =
	/** `problems` is what a strict reader refuses; a script goes on with the roster. */
	| {
			readonly kind: "ok";
			readonly params: WatchParams;
			readonly problems: readonly string[];
	  }
	/** No JSON object, or one without a readable roster. */
	| { readonly kind: "bad"; readonly why: string };

/** One file a watcher; written at its start, edited by its parent. */
export function watchParamsPath(thrumDir: string, watcher: string): string {
	return join(agentDir(thrumDir, watcher), "watch_params.json");
}

/** `bad` with a sentence that names the file, whatever is the matter: without them a watcher must not run. */
export function readWatchParams(
	files: Pick<Files, "read">,
	thrumDir: string,
	watcher: string,
): ParsedParams {
	const path = watchParamsPath(thrumDir, watcher);
	const read = files.read(path);
	switch (read.kind) {
		case "absent":
			return { kind: "bad", why: `${path} is not there` };
		case "unreadable":
			return { kind: "bad", why: `${path}: ${read.reason}` };
		case "ok": {
			const parsed = parseWatchParams(read.text);
			return parsed.kind === "ok"
				? parsed
				: { kind: "bad", why: `${path} ${parsed.why}` };
		}
	}
}

/** Never throws. */
export function parseWatchParams(text: string): ParsedParams {
	const json = parseObject(text);
	if (json === null) return { kind: "bad", why: "holds no JSON object" };
	if (!Array.isArray(json.roster))
		return { kind: "bad", why: "has no roster list" };
	return {
		kind: "ok",
		params: paramsOf(json),
		problems: paramProblems(json, WATCH_PARAMS_SCHEMA),
	};
}

/** Entries without a name are dropped; of duplicates the first stays. */
export function normalizeRoster(roster: unknown): readonly RosterEntry[] {
	const entries = Array.isArray(roster) ? roster.flatMap(rosterEntry) : [];
	const seen = new Set<string>();
	return entries.filter(({ agentId }) => {
		const isNew = !seen.has(agentId);
		seen.add(agentId);
		return isNew;
	});
}

/** Null: there is none, or its end has passed or cannot be read. `now`: epoch seconds. */
export function liveOverride(p: WatchParams, now: number): Override | null {
	const ends = parseIso(p.override?.expires);
	return ends !== null && ends > now * 1000 ? p.override : null;
}

/** The template with these values in place of its own; keys that it does not know are added, all others stay. */
export function renderWatchParams(
	template: string,
	values: JsonObject,
): string {
	const json = { ...parseObject(template), ...values };
	return `${JSON.stringify(json, null, 2)}\n`;
}

/** Makes the folder; `text` is written as it is. Flushed. */
export function writeWatchParams(
	files: Pick<Files, "mkdir" | "writeAtomic">,
	thrumDir: string,
	watcher: string,
	text: string,
): WriteResult {
	const made = files.mkdir(agentDir(thrumDir, watcher), 0o700);
	if (made.kind !== "ok") return made;
	const path = watchParamsPath(thrumDir, watcher);
	return files.writeAtomic(path, text, { mode: 0o600, fsync: true });
}

/** Seconds of `<int>(s|m|h|d)`; null for any other text. */
export function parseDuration(text: string): number | null {
	const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
	const seconds = UNITS.get(unit ?? "");
	return seconds === undefined ? null : Number(count) * seconds;
}
const UNITS = new Map([
	["s", 1],
	["m", 60],
	["h", 3600],
	["d", 86_400],
]);

function rosterEntry(entry: unknown): readonly RosterEntry[] {
	const named =
		typeof entry === "string"
			? entry
			: (textAt(entry, "agent_id") ??
				textAt(entry, "agent") ??
				textAt(entry, "name") ??
				"");
	// A name that breaks the line would forge what is told of it; as it is now it is nobody's, and is flagged.
	const agentId = bareName(named).replace(/\p{Cc}/gu, "\ufffd");
	if (agentId === "") return [];
	const hostname = textAt(entry, "hostname");
	const tmuxSession = textAt(entry, "tmux_session");
	const runtime = textAt(entry, "runtime");
	return [
		{
			agentId,
			...(hostname === null ? {} : { hostname }),
			...(tmuxSession === null ? {} : { tmuxSession }),
			...(runtime === null ? {} : { runtime }),
		},
	];
}

function paramsOf(json: JsonObject): WatchParams {
	const text = (key: string, otherwise = "") => textAt(json, key) ?? otherwise;
	const percent = json.restart_ctx_pct;
	return {
		watcher: text("watcher"),
		role: text("role"),
		parent: bareName(text("parent")),
		owner: bareName(text("owner")),
		roster: normalizeRoster(json.roster),
		model: text("model"),
		effort: text("effort"),
		runtime: text("runtime", "claude"),
		cadenceActive: text("cadence_active", "5m"),
		cadenceIdle: text("cadence_idle", "10m"),
		restartCtxPct: typeof percent === "number" ? percent : 50,
		override: overrideOf(json.override),
		expectedInactive: names(json.expected_inactive_roster),
		sleeping: names(json.sleeping_roster),
		useJev: json.use_jev === true,
		daemonOverrides: texts(json.capture_daemon_overrides),
	};
}

function overrideOf(said: unknown): Override | null {
	if (!isObject(said)) return null;
	return {
		cadenceIdle: textAt(said, "cadence_idle"),
		cadenceActive: textAt(said, "cadence_active"),
		reason: textAt(said, "reason") ?? "",
		setBy: textAt(said, "set_by") ?? "",
		expires: textAt(said, "expires") ?? "",
	};
}

function names(list: unknown): readonly string[] {
	if (!Array.isArray(list)) return [];
	return list.flatMap((name) =>
		typeof name === "string" && name !== "" ? [bareName(name)] : [],
	);
}

function texts(map: unknown): Readonly<Record<string, string>> {
	if (!isObject(map)) return {};
	return Object.fromEntries(
		Object.entries(map).flatMap(([agent, value]) =>
			typeof value === "string" && value !== ""
				? [[bareName(agent), value] as const]
				: [],
		),
	);
}
