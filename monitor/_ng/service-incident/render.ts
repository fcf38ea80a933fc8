/** The text of an incident (contract 05 §14.2). Pure. What the machine knows is quoted from its files; nothing is invented. */
import type { Kv } from "../../_state/kv.ts";
import { shellWord } from "../../_sys/shell-quote.ts";

export interface Incident {
	readonly service: string;
	readonly state: Kv;
	/** Verbatim; null: no such file. */
	readonly events: string | null;
	readonly logTail: string | null;
	readonly root: string;
	/** `monitor/svc.ts`. */
	readonly svc: string;
	readonly statePath: string;
	readonly eventsPath: string;
}

/** Markdown lines. A field that the file does not hold is `unknown` or a dash. */
export function renderIncident(i: Incident): readonly string[] {
	const { service, state, svc } = i;
	const status = of(state, "status", "unknown");
	const since =
		state.get("first_unhealthy_iso") ||
		of(state, "first_inconsistent_iso", "unknown");
	return [
		`# Service incident: ${service}`,
		"",
		`> **What it is:** ${service} is a service that this nexus looks after.`,
		`> **Now:** ${nowLine(status)}`,
		`> **The one thing to do:** ${toDo(status)}`,
		"",
		"To restart it by hand:",
		"",
		"```sh",
		`cd ${shellWord(i.root)}`,
		`${svc} restart ${shellWord(service)}`,
		"```",
		"",
		"---",
		"",
		`Facts from \`${i.statePath}\`.`,
		"",
		"## Failure report",
		"",
		`- Service: ${service}`,
		`- First unhealthy: ${since}`,
		`- Restored: ${of(state, "recovered_at_iso", "—")}`,
		`- Healthcheck: \`${of(state, "health_cmd", "unknown")}\``,
		`- Status: ${status}`,
		`- Policy: ${of(state, "policy", "unknown")}`,
		"- Impact: _(who noticed, and what did not work)_",
		`- Note: ${of(state, "note", "—")}`,
		"",
		"## Immediate response",
		"",
		`- Watcher: ${outcome(state)}`,
		"- Restart by hand: _(when, by whom, what came of it)_",
		"",
		"## Root-cause fix",
		"",
		"- What: _(what was wrong)_",
		"- Where: _(file, host, setting)_",
		"- How to undo: _(the way back)_",
		"- Why it will not recur: _(what keeps it from doing so)_",
		"",
		"## References",
		"",
		`- State file: \`${i.statePath}\``,
		`- Events file: \`${i.eventsPath}\``,
		`- Logfile: \`${of(state, "logfile", "—")}\``,
		"- Related: _(issues, reports)_",
		"",
		...quoted("### Recorded event timeline (verbatim)", i.events),
		...quoted(`### Logfile tail (last ${TAIL_LINES} lines)`, i.logTail),
		"## Worker report",
		"",
		"_(link of the report)_",
	];
}

export const TAIL_LINES = 40;

/** What became of it without anybody's hand. */
export function outcome(state: Kv): string {
	const status = of(state, "status", "unknown");
	const attempts = of(state, "restart_attempts", "0");
	switch (status) {
		case "recovered": {
			const via = of(state, "recovered_via", "");
			if (via.startsWith("self-healed"))
				return `recovered (${via}); the watcher did not restart it`;
			// Somebody else's rescue is not to be credited to the watcher.
			return attempts === "0" && via !== ""
				? `recovered (${via}); no restart by the watcher`
				: `recovered; the auto-restart held after ${attempts} attempts`;
		}
		case "flapping":
			return `not recovered: ${attempts} attempts did not hold; escalated`;
		case "recovering":
			return `in progress: ${attempts} restarts issued, awaiting the check after ${of(state, "last_check_iso", "unknown")}`;
		case "emit-only":
			return "not recovered, and not auto-restarted, by policy";
		case "grace":
			return `in grace, within the ${of(state, "grace_seconds", "0")} s window; no action yet`;
		case "down":
			return `auto-restart under way (${attempts})`;
		case "inconsistent":
			return `none needed: the healthcheck passes, but its supervisor is gone (${of(state, "supervisor", "unknown")})`;
		default:
			return `status ${status}, ${attempts} restart attempts`;
	}
}

function nowLine(status: string): string {
	switch (status) {
		case "recovered":
		case "reconciled":
			return "it works again.";
		case "inconsistent":
			return "it works, and nothing would bring it back.";
		case "unknown":
			return "its state is not known.";
		default:
			return `it does not work reliably (${status}).`;
	}
}

function toDo(status: string): string {
	switch (status) {
		case "recovered":
			return "find the cause, so that it does not come back.";
		case "flapping":
			return "look at it yourself: restarting alone does not hold.";
		case "emit-only":
			return "restart it by hand; the policy keeps the watcher from it.";
		case "inconsistent":
			return "restart it, so that it is supervised again.";
		case "recovering":
		case "grace":
		case "down":
			return "wait for the next check; then restart it by hand.";
		default:
			return "look at its log, then restart it.";
	}
}

function of(state: Kv, key: string, otherwise: string): string {
	return state.get(key)?.trim() || otherwise;
}

/** Fenced by more backticks than the text holds. */
function quoted(title: string, text: string | null): readonly string[] {
	if (text === null) return [];
	const runs = text.match(/`+/g) ?? [];
	const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
	return [title, "", fence, text.replace(/\n+$/, ""), fence, ""];
}
