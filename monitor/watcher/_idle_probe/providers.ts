/** What a report takes from the probe: its rows, the counts of the `workspace:` line, the full snapshot. Only the rows' own sweep writes. */
import { snapshotRow } from "../../_emit/full-state-rows.ts";
import { parseStagedIdle } from "../../_emit/idle-rows.ts";
import { idleRowsIn, idleSection } from "../../_emit/idle-section.ts";
import type { EmitPlace } from "../../_emit/place.ts";
import type {
	EmitProviders,
	ProviderRun,
	StagedRows,
} from "../../_emit/providers.ts";
import type { Render } from "../../_emit/run-bounded.ts";
import { tally } from "../../_emit/tally.ts";
import { followNotifications } from "../../_state/notifications.ts";
import { type AwaitingSettings, countAwaiting } from "./awaiting.ts";
import { freshFailure } from "./classify.ts";
import { shownName } from "./facts.ts";
import { lookAtWorkers } from "./look.ts";
import type { IdleSettings } from "./settings.ts";
import { learnIdle, sweepIdle } from "./sweep.ts";
import type { WorkerVerdict } from "./worker.ts";

/** Counts and snapshots are of the minute; they need no picture of their own when one was taken just now. */
const RECENT_MS = 10_000;

/** Rows learn when they are delivered; counts and snapshot write nothing of a worker. */
export function idleProviders(
	place: EmitPlace,
): Required<Pick<EmitProviders, "staged" | "prelude" | "fullState">> {
	const readNotifications = followNotifications();
	return {
		staged: [idleRows(place)],
		prelude: (run, dryRun) =>
			countWorkers(run, place, { readNotifications, dryRun }),
		fullState: (run) => snapshotWorkers(run, place),
	};
}

function idleRows(place: EmitPlace): StagedRows {
	const { stateDir, config } = place;
	return {
		id: "idle",
		task: "idle_section",
		render: async ({ doors, signal }) => {
			const swept = await sweepIdle(doors, place, { afterGap: false, signal });
			if (swept.kind === "ok") return swept.staged;
			doors.log.warn(`no idle rows: ${swept.why}`);
			return null;
		},
		section: ({ doors }, staged, live) => {
			const restat = config.MONITOR_IDLE_RESTAT_WINDOWS;
			const rows = parseStagedIdle(staged);
			const timeOf = (epoch: number) => doors.clock.iso(epoch).slice(11, 19);
			const { text, shown } = idleSection(rows, restat ? live : null, timeOf);
			return {
				text,
				commit: () => learnIdle(doors, stateDir, shown),
				commitTold: (body) =>
					learnIdle(doors, stateDir, idleRowsIn(body, shown, timeOf)),
			};
		},
	};
}

function countWorkers(
	{ doors }: ProviderRun,
	place: EmitPlace,
	{
		readNotifications,
		dryRun,
	}: Pick<AwaitingSettings, "readNotifications" | "dryRun">,
): Render {
	const { config, stateDir } = place;
	return async (sink, signal) => {
		const look = await recentLook(doors, place, signal);
		if (look.kind !== "ok") return 1;
		const { workers } = look;
		const counts = tally({
			workers: workers.length,
			classes: workers.flatMap((w) => w.row?.class ?? []),
			unprobed: workers.filter(isUnprobed).length,
			awaitingInput: countAwaiting(doors, stateDir, {
				maxBytes: config["monitor.notifications_log_max_bytes"],
				retentionDays: config["monitor.diff_retention_days"],
				readNotifications,
				dryRun: dryRun || config.MONITOR_PRELUDE_DRY_RUN,
			}),
		});
		sink(`${counts}\n`);
		return 0;
	};
}

function snapshotWorkers({ doors }: ProviderRun, place: EmitPlace): Render {
	return async (sink, signal) => {
		const look = await recentLook(doors, place, signal);
		if (look.kind !== "ok") return 1;
		const { workers, moment, settings } = look;
		for (const worker of workers) sink(rowOf(worker, moment.now, settings));
		return 0;
	};
}

function recentLook(
	doors: ProviderRun["doors"],
	place: EmitPlace,
	signal: AbortSignal,
) {
	return lookAtWorkers(doors, place, {
		afterGap: false,
		signal,
		maxAgeMs: RECENT_MS,
	});
}

/** Nobody could say what it does. */
function isUnprobed({ facts, row }: WorkerVerdict): boolean {
	return facts.pane.state === "unknown" && row === null;
}

function rowOf(w: WorkerVerdict, now: number, settings: IdleSettings): string {
	const { pane } = w.facts;
	return snapshotRow(
		{
			window: shownName(w.facts),
			state: pane.state,
			idleSeconds: w.age,
			resetAt: pane.limit?.resetAt ?? null,
			recovery: freshFailure(w.facts, now, settings)?.recovery ?? null,
			operatorAwaySeconds: w.marked
				? Math.max(0, now - w.next.mark.last)
				: null,
		},
		settings.engagedGrace,
	);
}
