/** The cockpit's rows (contract 06 §7.1). Pure. */
import { isArmed } from "../../_liveness/supervisor-text.ts";
import type { Verdict } from "../../_liveness/verdict.ts";
import { formatAge } from "../../_sys/age.ts";
import { programName } from "../../_sys/names.ts";
import type { CoreFacts, StackFacts } from "./facts.ts";
import { type Row, row } from "./row.ts";
import { serviceRows } from "./service-rows.ts";

export type { Row };

/** fs, watcher, duplicates, supervisor; the target window; the services. */
export function buildRows(f: StackFacts): readonly Row[] {
	return [...coreRows(f), targetRow(f), ...serviceRows(f.services)];
}

/** Disk, watcher, a second watcher where there is one, supervisor. */
export function coreRows(f: CoreFacts): readonly Row[] {
	return [fsRow(f), watcherRow(f), ...groupRows(f), supervisorRow(f)];
}

/** 1 = disk read-only, 6 = more than one live watcher group or a leaderless one, else 0. */
export function exitCodeFor(rows: readonly Row[]): 0 | 1 | 6 {
	if (rows.some((r) => r.status === "READ-ONLY")) return 1;
	return rows.some((r) => r.status === "DUP" || r.status === "DECAP") ? 6 : 0;
}

/** Below 120 s `Ns`, because a heartbeat is seconds old; then the house form. */
export function fmtAge(seconds: number): string {
	const age = Math.max(0, Math.floor(seconds));
	return age < 120 ? `${age}s` : formatAge(age);
}

function fsRow(f: CoreFacts): Row {
	if (f.fs.kind === "ok") return row("", "fs", "OK", "", f.stateDir);
	return {
		...row("", "fs", "READ-ONLY", "", f.fs.reason),
		alarming: true,
		notes: [
			"the disk takes no writes: every row below is stale",
			"nothing here can repair it; restart from outside",
		],
	};
}

function watcherRow(f: CoreFacts): Row {
	const { verdict } = f;
	const supervisor =
		f.pidLives && verdict.pid !== null ? `pid:${verdict.pid}` : "-";
	return {
		...row("0", "watcher", verdict.state, supervisor, watcherDetail(f)),
		alarming: verdict.state === "DOWN" || verdict.state === "WEDGED",
	};
}

function watcherDetail({ verdict, target, stopped }: CoreFacts): string {
	switch (verdict.state) {
		case "UP":
			return `heartbeat ${age(verdict.heartbeatAge)} ago, loop ${verdict.periodSeconds === 0 ? "not measured yet" : `${verdict.periodSeconds}s`}, target ${target}`;
		case "BUSY":
			return `${movement(verdict)}: slow, not down`;
		case "WEDGED":
			return `${movement(verdict)}; revive it: ${programName("revive")}`;
		case "DOWN":
			return stopped ? `stopped on purpose; ${verdict.reason}` : verdict.reason;
	}
}

function movement(v: Verdict): string {
	return `progress ${age(v.progressAge)} ago, cycle ${age(v.cycleAge)} ago`;
}

function groupRows(f: CoreFacts): readonly Row[] {
	const groups = f.groups ?? [];
	const ids = (leader: "live" | "dead") =>
		groups.filter((g) => g.leader === leader).map((g) => g.pgid);
	const live = ids("live");
	const dead = ids("dead");
	const rows: Row[] = [];
	if (live.length > 1)
		rows.push({
			...row(
				"!",
				"watcher-dup",
				"DUP",
				`${live.length}x`,
				`process groups ${live.join(", ")}; \`${programName("svc")} restart watcher\` leaves one`,
			),
			alarming: true,
		});
	if (dead.length > 0)
		rows.push({
			...row(
				"!",
				"watcher-orphan",
				"DECAP",
				"-",
				`process group ${dead.join(", ")} has no leader; \`${programName("svc")} restart watcher\` ends it`,
			),
			alarming: true,
		});
	return rows;
}

function supervisorRow(f: CoreFacts): Row {
	const beat = f.supervisorBeatAt;
	const armed = isArmed({ ...f, staleSeconds: f.supervisorStaleSeconds });
	const detail =
		beat === null ? "never armed" : `last look ${fmtAge(f.now - beat)} ago`;
	return row(
		"-",
		"watcher-sup",
		armed ? "ARMED" : "UNARMED",
		armed ? "monitor" : "-",
		detail,
	);
}

/** The orchestrator's window. */
export function targetRow(f: CoreFacts): Row {
	const status = { up: "UP", down: "DOWN", unknown: "UNKNOWN" }[
		f.targetPresence
	];
	const turn =
		f.turnEndAt === null
			? "no turn-end heartbeat"
			: `last turn ${fmtAge(f.now - f.turnEndAt)} ago`;
	return {
		...row(
			"-",
			f.target,
			status,
			"watcher",
			f.targetPresence === "unknown" ? `tmux does not answer; ${turn}` : turn,
		),
		alarming: f.targetPresence === "down",
		...(f.targetPresence === "down" &&
			f.diesAtStart && {
				notes: [
					"it ended right after each start: watcher.log has its last words",
				],
			}),
	};
}

function age(seconds: number | null): string {
	return seconds === null ? "?" : fmtAge(seconds);
}
