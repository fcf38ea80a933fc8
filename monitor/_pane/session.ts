/** Second witness: what Claude Code itself wrote to `sessions/<pid>.json` (contract 03 §9.1, 00 C6). Pure. */
import {
	type JsonObject,
	numberAt,
	parseObject,
	textAt,
} from "../_state/json-object.ts";

/** The process that the file must belong to, as the process table has it. */
export interface SessionProcess {
	readonly pid: number;
	/** Field 22 of /proc/<pid>/stat, as text. */
	readonly startTicks: string;
	/** Epoch seconds, null when unknown. For platforms that write a date. */
	readonly startedAt: number | null;
	/** `pid:[…]` of the namespace our process numbers come from, or `unknown`. */
	readonly pidNamespace: string;
}
export type SessionWord = "busy" | "blocked" | "shell" | "idle" | "starting";

export interface SessionWitness {
	/** null: no statement. */
	readonly says: SessionWord | null;
	readonly why: string;
	/** The file is of the live process under the pane, whatever it says. */
	readonly live: boolean;
	readonly pid: number | null;
	readonly sessionId: string | null;
	readonly status: string | null;
	readonly waitingFor: string | null;
	readonly version: string | null;
	/** Epoch ms, as written. For people only: age decides nothing. */
	readonly statusUpdatedAt: number | null;
}

export const NO_SESSION: SessionWitness = {
	says: null,
	why: "no session file",
	live: false,
	pid: null,
	sessionId: null,
	status: null,
	waitingFor: null,
	version: null,
	statusUpdatedAt: null,
};

/** A larger file is none of Claude Code's. */
export const SESSION_FILE_MAX_BYTES = 65536;

/**
 * The file speaks only when it is provably of `process` (null: that process is gone). It is rewritten
 * only when a value changes, so a true `busy` may be hours old.
 */
export function judgeSession(
	text: string,
	process: SessionProcess | null,
): SessionWitness {
	const raw = parse(text);
	if (raw === null) return mute("not one JSON object");
	const said = fieldsOf(raw);
	const strange =
		process === null
			? `pid ${said.pid ?? "?"} is gone`
			: whyForeign(raw, process);
	if (strange !== null) return { ...said, sessionId: null, why: strange };
	const live = { ...said, live: true };
	if (raw.status === undefined)
		return { ...live, says: "starting", why: "no status yet" };
	const { status } = said;
	// A release to come may write something else than a word.
	if (status === null) return { ...live, why: "its status is no word" };
	const says = STATEMENTS.get(status) ?? null;
	const why = says === null ? `unknown status ${status}` : `status ${status}`;
	return { ...live, says, why };
}

/** The process that the file itself names: for a file that counts as a live process's own. null when torn. */
export function startOf(text: string): SessionProcess | null {
	const raw = parse(text);
	const pid = raw === null ? null : numberAt(raw, "pid");
	if (raw === null || pid === null) return null;
	return {
		pid,
		startTicks: textAt(raw, "procStart") ?? "",
		startedAt: null,
		pidNamespace: "unknown",
	};
}

/** Kind of dialog by `waitingFor`; a name from the screen wins over it. */
export function overlayOfWaiting(
	waitingFor: string | null,
): "permission" | "askuq" | "dialog" {
	if (waitingFor === "permission prompt") return "permission";
	return waitingFor === "input needed" ? "askuq" : "dialog";
}

/** A map: a word like `constructor` must not find what every object has. */
const STATEMENTS: ReadonlyMap<string, SessionWord> = new Map([
	["busy", "busy"],
	["waiting", "blocked"],
	["shell", "shell"],
	["idle", "idle"],
]);

function parse(text: string): JsonObject | null {
	if (text.length > SESSION_FILE_MAX_BYTES) return null;
	return parseObject(text);
}

function fieldsOf(raw: JsonObject): SessionWitness {
	return {
		...NO_SESSION,
		pid: numberAt(raw, "pid"),
		sessionId: textAt(raw, "sessionId"),
		status: textAt(raw, "status"),
		waitingFor: textAt(raw, "waitingFor"),
		version: textAt(raw, "version"),
		statusUpdatedAt: numberAt(raw, "statusUpdatedAt"),
	};
}

function mute(why: string): SessionWitness {
	return { ...NO_SESSION, why };
}

/** Why the file is not this process's own, or null when it is. */
function whyForeign(raw: JsonObject, process: SessionProcess): string | null {
	if (raw.pid !== process.pid)
		return `pid ${String(raw.pid)} is not ${process.pid}`;
	if (raw.kind !== "interactive")
		return `kind ${String(raw.kind)} is not interactive`;
	const procStart = textAt(raw, "procStart") ?? "none";
	if (!isSameStart(procStart, process))
		return `procStart ${procStart} is not ${process.startTicks}`;
	const namespace = /pid:\[\d+\]/.exec(textAt(raw, "pidDomain") ?? "")?.[0];
	const ours = process.pidNamespace;
	if (namespace !== undefined && ours !== "unknown" && namespace !== ours)
		return `${namespace} is not ${ours}`;
	return null;
}

/** Ticks against ticks, as text; a date against the start in UTC, to the second. */
function isSameStart(procStart: string, process: SessionProcess): boolean {
	if (/^\d+$/.test(procStart)) return procStart === process.startTicks;
	const ms = Date.parse(
		/Z|UTC|GMT|[+-]\d\d:?\d\d$/.test(procStart)
			? procStart
			: `${procStart} UTC`,
	);
	return process.startedAt !== null && ms === process.startedAt * 1000;
}
