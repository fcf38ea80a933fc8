/** Scheduled jobs of a local fleet: their specs; the watcher runs them (contract 09 §7). */

import type { Entry } from "../../_state/fleet/entries.ts";
import { removeRuns } from "../../_state/fleet/monitor-log.ts";
import { readRuntime, removeRuntime } from "../../_state/fleet/monitor-run.ts";
import { type JobSpec, jobSpecs } from "../../_state/fleet/monitor-spec.ts";
import { bareName, isMonitorName } from "../../_state/fleet/names.ts";
import { sortableId } from "../../_state/fleet/sortable-id.ts";
import { isoSeconds } from "../../_state/fleet/time.ts";
import { nextFire, readCron } from "../cron.ts";
import { fail, ok } from "../failure.ts";
import type { Fleet, MonitorSpec, MonitorView, R } from "../fleet.ts";
import { compileMatch } from "../job-lines.ts";
import type { LocalContext } from "./context.ts";

export const MAX_MONITORS = 100;

/**
 * Only specs are changed here; a stopped one keeps its name. A run that is under way when its spec goes is dropped at
 * its end.
 */
export function localMonitors(
	ctx: LocalContext,
): Pick<
	Fleet,
	| "monitorStart"
	| "monitorList"
	| "monitorShow"
	| "monitorStop"
	| "monitorDelete"
> {
	const { doors, place } = ctx;
	const { thrumDir } = place;
	return {
		monitorStart: async (m) => start(ctx, m),
		monitorList: async (o = {}) => {
			const views = allViews(ctx);
			if (views.kind !== "ok") return views;
			return ok(
				o.all ? views.value : views.value.filter((v) => v.status !== "stopped"),
			);
		},
		monitorShow: async (nameOrId) => {
			const views = allViews(ctx);
			return views.kind === "ok" ? ok(pick(views.value, nameOrId)) : views;
		},
		monitorStop: async (nameOrId) => {
			const spec = specOf(ctx, nameOrId);
			if (spec.kind !== "ok") return spec;
			const updatedAt = isoSeconds(doors.clock.nowMs());
			const stopped = { ...spec.value, stopped: true, updatedAt };
			const written = jobSpecs.write(doors, thrumDir, stopped);
			return written.kind === "ok"
				? ok(undefined)
				: fail("failed", written.reason);
		},
		monitorDelete: async (nameOrId) => {
			const views = allViews(ctx);
			if (views.kind !== "ok") return views;
			const found = pick(views.value, nameOrId);
			if (found === null) return notFound(nameOrId);
			const gone = jobSpecs.remove(doors, thrumDir, found.name);
			removeRuns(doors.files, thrumDir, found.name);
			// A run that is under way finds its generation gone, and its result is dropped.
			removeRuntime(doors.files, thrumDir, found.name);
			return gone.kind === "ok" ? ok(undefined) : fail("failed", gone.reason);
		},
	};
}

/** Why a job cannot be scheduled so; null: it can. */
export function specProblem(m: MonitorSpec): string | null {
	if (!isMonitorName(m.name)) return `no name for a monitor: ${m.name}`;
	if (m.schedule === "")
		return "a monitor needs --schedule: continuous ones are not kept here";
	const cron = readCron(m.schedule);
	if (cron.kind === "bad") return cron.why;
	if (compileMatch(m.match) === null)
		return `invalid match pattern: ${m.match}`;
	if (m.argv.length === 0 || m.argv[0] === "") return "no program to run";
	return m.cwd.startsWith("/") ? null : `not an absolute folder: ${m.cwd}`;
}

function start(
	{ doors, place }: LocalContext,
	m: MonitorSpec,
): Awaited<R<{ readonly id: string }>> {
	const why = specProblem(m);
	if (why !== null) return fail("usage", why);
	const taken = jobSpecs.read(doors, place.thrumDir, m.name);
	if (taken.kind === "unreadable") return fail("failed", taken.why);
	if (taken.kind !== "absent")
		return fail("exists", `monitor name already in use: ${m.name}`);
	const all = jobSpecs.list(doors, place.thrumDir);
	if (all.kind === "unreadable") return fail("failed", all.why);
	if (all.entries.length >= MAX_MONITORS)
		return fail("refused", `there are ${MAX_MONITORS} monitors already`);
	if (!m.notifyOnSuccess)
		// Delivered all the same here; elsewhere it would not be.
		doors.log.warn("warning: --schedule without --notify-on-success");
	const at = isoSeconds(doors.clock.nowMs());
	const spec: JobSpec = {
		...m,
		id: sortableId("mon", doors.clock, doors.random),
		to: bareName(m.to),
		stopped: false,
		createdAt: at,
		updatedAt: at,
	};
	const written = jobSpecs.write(doors, place.thrumDir, spec);
	return written.kind === "ok"
		? ok({ id: spec.id })
		: fail("failed", written.reason);
}

function allViews({
	doors,
	place,
}: LocalContext): Awaited<R<readonly MonitorView[]>> {
	const listed = jobSpecs.list(doors, place.thrumDir);
	if (listed.kind === "unreadable") return fail("failed", listed.why);
	const now = new Date(doors.clock.nowMs());
	return ok(
		listed.entries.map((entry) => {
			const runtime = readRuntime(doors.files, place.thrumDir, entry.name);
			return {
				...viewOf(entry, now),
				pid: runtime.running?.pid,
				lastExitCode: runtime.lastExitCode ?? undefined,
				lastExitAt: runtime.lastExitAt ?? undefined,
			};
		}),
	);
}

function viewOf(entry: Entry<JobSpec>, now: Date): MonitorView {
	if (entry.kind === "damaged")
		return {
			id: "",
			name: entry.name,
			argv: [],
			match: "",
			target: "",
			cwd: "",
			envKeys: [],
			schedule: "",
			status: "dead",
			createdAt: "",
			updatedAt: "",
		};
	const { to, env, stopped, notifyOnSuccess: _, ...spec } = entry.value;
	const cron = readCron(spec.schedule);
	const fires = cron.kind === "ok" && nextFire(cron.cron, now) !== null;
	return {
		...spec,
		target: to,
		envKeys: Object.keys(env),
		status: stopped ? "stopped" : fires ? "running" : "dead",
	};
}

function pick(
	views: readonly MonitorView[],
	nameOrId: string,
): MonitorView | null {
	const own = (v: MonitorView) => v.name === nameOrId || v.id === nameOrId;
	return views.find(own) ?? null;
}

function specOf(
	{ doors, place }: LocalContext,
	nameOrId: string,
): Awaited<R<JobSpec>> {
	const listed = jobSpecs.list(doors, place.thrumDir);
	if (listed.kind === "unreadable") return fail("failed", listed.why);
	for (const entry of listed.entries) {
		if (
			entry.name !== nameOrId &&
			(entry.kind !== "ok" || entry.value.id !== nameOrId)
		)
			continue;
		return entry.kind === "ok"
			? ok(entry.value)
			: fail("refused", `monitor ${entry.name} is damaged: ${entry.why}`);
	}
	return notFound(nameOrId);
}

function notFound(nameOrId: string) {
	return fail("not-found", `no monitor ${nameOrId}`);
}
