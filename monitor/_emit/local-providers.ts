/** The sources that need nothing but disk and tmux: decisions, requests, the notice of archived reports. */
import type { Sweep } from "../_pane/sweep.ts";
import type { StateDoors } from "../_state/damaged.ts";
import { engagedWindows } from "../_state/engaged-windows.ts";
import { removeMarker } from "../_state/one-shot-marker.ts";
import { parkedWindows } from "../_state/parked-windows.ts";
import { readReportsRollNotice } from "../_state/reports-roll-notice.ts";
import {
	checkRequestsDir,
	type RequestsDir,
	requestsDir,
} from "../_state/requests-dir.ts";
import { stateDirOf } from "../_state/state-dir.ts";
import type { Doors, PaneRows } from "../_sys/doors.ts";
import { oneLine } from "./clean-text.ts";
import { reportsRollBody } from "./notices.ts";
import {
	commitPendingDecisions,
	type DecisionsConfig,
	type DecisionsLook,
	type PaneLineOf,
	renderPendingDecisions,
} from "./pending-decisions.ts";
import {
	commitPendingRequests,
	type RequestsConfig,
	renderPendingRequests,
} from "./pending-requests.ts";
import type { EmitPlace } from "./place.ts";
import type {
	EmitProviders,
	SectionProvider,
	StagedRows,
} from "./providers.ts";

function decisionRows(place: EmitPlace): StagedRows {
	return {
		id: "decisions",
		task: "pending_decisions",
		render: async ({ doors }) =>
			renderPendingDecisions(doors, await decisionsLook(doors, place, false)),
		section: ({ doors }, staged) => ({
			text: staged,
			commit: (body) => commitPendingDecisions(doors, place.stateDir, body),
		}),
	};
}

/** What the decision rows depend on beside their records: which windows there are, who works in them, what their panes do. */
export async function decisionsLook(
	doors: StateDoors & Pick<Doors, "proc">,
	place: EmitPlace,
	afterGap: boolean,
): Promise<DecisionsLook> {
	const { config, stateDir, panesThisTick, fleetThisTick } = place;
	const panes = await panesThisTick();
	return {
		stateDir,
		config: decisionsConfig(config),
		panes,
		afterGap,
		engaged: () =>
			engagedWindows(
				doors,
				stateDir,
				config["monitor.operator_engaged_change_ttl_seconds"],
			).union(parkedNow(doors, place, panes)),
		...(config.MONITOR_PENDING_PANE_GATE && {
			paneLines: async () => paneLinesOf(await fleetThisTick()),
		}),
	};
}

function parkedNow(
	doors: StateDoors & Pick<Doors, "proc">,
	place: EmitPlace,
	panes: PaneRows,
): ReadonlySet<string> {
	const { config, stateDir } = place;
	const inbox = requestInbox(doors, place);
	return parkedWindows(doors, {
		stateDir,
		panes,
		inbox: inbox.kind === "ok" ? inbox.dir : null,
		hangSeconds: config["monitor.skeptic.await_hang_seconds"],
		graceSeconds: config["monitor.skeptic.orphan_grace_seconds"],
	});
}

/** Of two windows of one name the first; a fleet that could not be looked at has no lines. */
function paneLinesOf(sweep: Sweep): PaneLineOf {
	const panes = sweep.kind === "ok" ? sweep.panes : [];
	return (window) =>
		panes.find((pane) => oneLine(pane.row.windowName) === window)?.line ?? null;
}

function requestRows(place: EmitPlace): StagedRows {
	return {
		id: "requests",
		task: "requests_poll",
		render: async ({ doors }) => {
			const found = requestInbox(doors, place);
			return found.kind === "refused"
				? null
				: renderPendingRequests(doors, {
						stateDir: place.stateDir,
						inbox: found.dir,
						config: requestsConfig(place.config),
						everything: true,
						afterGap: false,
					});
		},
		section: ({ doors }, staged) => ({
			text: staged,
			commit: (body) => commitPendingRequests(doors, place.stateDir, body),
		}),
	};
}

function reportsRollSection(place: EmitPlace): SectionProvider {
	return {
		id: "reportsRoll",
		oneShot: true,
		render: ({ doors }) => {
			const notice = readReportsRollNotice(doors.files, place.stateDir);
			return {
				text: reportsRollBody(notice),
				commit: () => {
					if (notice !== null) removeMarker(doors.files, notice);
				},
			};
		},
	};
}

function decisionsConfig(config: EmitPlace["config"]): DecisionsConfig {
	return {
		cooldownSeconds: config.DECISION_REEMIT_COOLDOWN_SECONDS,
		skipDeadWindows: config["monitor.pending_decisions.skip_dead_windows"],
		reapDeadWindows: config.MONITOR_PENDING_REAP_DEAD_WINDOWS,
		reapMinAgeSeconds: config.MONITOR_PENDING_REAP_MIN_AGE_SECONDS,
	};
}

/** The keys of `monitor.requests.*` in the shape of the inbox's decisions; times in seconds. */
export function requestsConfig(config: EmitPlace["config"]): RequestsConfig {
	return {
		enabled: config["monitor.requests.enabled"],
		cooldownSeconds: config["monitor.requests.reemit_cooldown_seconds"],
		backoffMaxSeconds: config.MONITOR_REQUESTS_REEMIT_BACKOFF_MAX_SECONDS,
		maxPerEmit: config["monitor.requests.max_per_emit"],
		fairness: config["monitor.requests.fairness"],
		maxAgeSeconds: config["monitor.requests.max_age_seconds"],
		intermediateMaxAgeSeconds:
			config.MONITOR_REQUESTS_INTERMEDIATE_MAX_AGE_SECONDS,
		retentionSeconds: config["monitor.requests.retention_seconds"],
		repliedRetentionSeconds: config.MONITOR_REQUESTS_REPLIED_RETENTION_SECONDS,
	};
}

/** Where this watcher's requests arrive. */
export function requestInbox(
	doors: Pick<Doors, "files" | "proc">,
	{ config, root, stateDir }: Pick<EmitPlace, "config" | "root" | "stateDir">,
): RequestsDir {
	const dir = config["monitor.requests.dir"];
	const fromEnv = config.source("monitor.requests.dir") === "env";
	return checkRequestsDir(
		doors.files,
		requestsDir({
			env: fromEnv ? dir : null,
			configured: fromEnv ? null : dir,
			home: doors.proc.env.HOME ?? "",
			stateDir,
			liveStateDir: stateDirOf(root),
		}),
	);
}

/** All sources of a report: what disk and tmux give, and `others`. */
export function providersOf(
	place: EmitPlace,
	others: Partial<EmitProviders> = {},
): EmitProviders {
	return {
		...others,
		sections: [...(others.sections ?? []), reportsRollSection(place)],
		staged: [...(others.staged ?? []), decisionRows(place), requestRows(place)],
	};
}
