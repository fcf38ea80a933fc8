/** The cockpit as text and as JSON (contract 06 §7.1). Pure. */
import type { StackFacts } from "./facts.ts";
import type { Row } from "./row.ts";
import type { ServiceLook } from "./services.ts";

const RED = "\u001b[31m";
const PLAIN = "\u001b[0m";

export interface TableHead {
	/** `YYYY-MM-DDTHH:MM:SS` with or without offset. */
	readonly iso: string;
	readonly registry: string;
}

/** Header, blank line, columns, one line a row and its notes. The detail comes last and is never cut. */
export function renderTable(
	head: TableHead,
	rows: readonly Row[],
	colour: boolean,
): readonly string[] {
	const width = Math.max(12, ...rows.map((r) => r.name.length));
	const line = (
		key: string,
		name: string,
		status: string,
		supervisor: string,
		detail: string,
	) =>
		` ${key.padEnd(2)} ${name.padEnd(width)} ${status.padEnd(8)} ${supervisor.padEnd(10)} ${printable(detail)}`.trimEnd();
	const red = (text: string, on: boolean) =>
		colour && on ? `${RED}${text}${PLAIN}` : text;
	return [
		`nexus service cockpit  ${head.iso.slice(0, 19).replace("T", " ")}`,
		`registry: ${head.registry}`,
		"",
		line("#", "SERVICE", "STATUS", "SUPERVISOR", "DETAIL"),
		...rows.flatMap((r) => [
			red(line(r.key, r.name, r.status, r.supervisor, r.detail), r.alarming),
			...r.notes.map((note) => red(`    ${printable(note)}`, true)),
		]),
	];
}

export interface JsonExtras {
	readonly at: string;
	readonly exit: number;
	readonly problems: readonly string[];
}

/** For programs: the rows as printed and the verdict behind the watcher's. */
export function renderJson(
	f: StackFacts,
	rows: readonly Row[],
	extras: JsonExtras,
): string {
	const { verdict } = f;
	const { services } = f;
	return JSON.stringify({
		at: extras.at,
		exit: extras.exit,
		state_dir: f.stateDir,
		registry: f.registry,
		config_problems: extras.problems,
		watcher: {
			state: verdict.state,
			bucket: verdict.bucket,
			pid: verdict.pid,
			heartbeat_age_seconds: verdict.heartbeatAge,
			progress_age_seconds: verdict.progressAge,
			cycle_age_seconds: verdict.cycleAge,
			period_seconds: verdict.periodSeconds,
			reason: verdict.reason,
			groups: f.groups?.map((g) => g.pgid) ?? null,
		},
		services: {
			registry: services.kind,
			...(services.kind === "unreadable" ? { error: services.error } : {}),
			warnings: services.kind === "rows" ? services.warnings : [],
			list: services.kind === "rows" ? services.looks.map(serviceJson) : [],
		},
		rows: rows.map(({ name, status, supervisor, detail }) => ({
			name,
			status,
			supervisor,
			detail,
		})),
	});
}

function serviceJson(look: ServiceLook) {
	const { row, verdict, supervisor, stopped } = look;
	return {
		name: row.name,
		health: verdict?.kind ?? "pending",
		supervisor: supervisor.kind,
		pid: supervisor.kind === "alive" ? supervisor.pid : null,
		stopped_on_purpose: stopped !== null,
		policy: row.policy,
		workdir: row.workdir,
		logfile: row.logfile,
		endpoint: look.endpoint,
	};
}

/** Details quote files and windows; none of that may steer the terminal. */
function printable(text: string): string {
	return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
}
