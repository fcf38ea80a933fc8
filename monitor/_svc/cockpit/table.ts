/** The cockpit as text and as JSON (contract 06 §7.1). Pure. */
import { masked } from "../../_sys/control-characters.ts";
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
	const table = tableWith(head, rows, { colour, following: null });
	return [...table.head, ...rows.flatMap(table.linesOf)];
}

/** A table whose columns fit all of `rows`; each row's lines on their own, for who shows a part of them. */
export function tableWith(
	head: TableHead,
	rows: readonly Row[],
	look: {
		readonly colour: boolean;
		/** Name of the row that gets a `>` in the gutter. */
		readonly following: string | null;
	},
): {
	readonly head: readonly string[];
	readonly linesOf: (row: Row) => readonly string[];
} {
	const width = Math.max(12, ...rows.map((r) => r.name.length));
	const line = (gutter: string, cells: Omit<Row, "alarming" | "notes">) =>
		`${gutter}${cells.key.padEnd(2)} ${cells.name.padEnd(width)} ${cells.status.padEnd(8)} ${cells.supervisor.padEnd(10)} ${masked(cells.detail)}`.trimEnd();
	return {
		head: [
			`nexus service cockpit  ${head.iso.slice(0, 19).replace("T", " ")}`,
			`registry: ${head.registry}`,
			"",
			line(" ", COLUMNS),
		],
		linesOf: (row) => [
			painted(
				line(row.name === look.following ? ">" : " ", row),
				look.colour && row.alarming,
			),
			...row.notes.map((note) => painted(`    ${masked(note)}`, look.colour)),
		],
	};
}

/** In red, where there are colours. */
export function painted(text: string, red: boolean): string {
	return red ? `${RED}${text}${PLAIN}` : text;
}

const COLUMNS = {
	key: "#",
	name: "SERVICE",
	status: "STATUS",
	supervisor: "SUPERVISOR",
	detail: "DETAIL",
};

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
