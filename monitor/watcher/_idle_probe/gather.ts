/** From one look at the fleet and the state files to the facts of each worker (contract 03 §12.3). Reads, writes nothing. */
import type { Sweep, SweptPane } from "../../_pane/sweep.ts";
import { listWorkers } from "../../_pane/workers.ts";
import type { ActionLogReader } from "../../_state/action-log.ts";
import { readChildrenSince } from "../../_state/background-children.ts";
import { readBackgroundProgress } from "../../_state/background-progress.ts";
import { readEngagementLog } from "../../_state/engagement-log.ts";
import { heartbeatPath } from "../../_state/heartbeat.ts";
import {
	type MachineInput,
	machineInputSeconds,
	newestOf,
	readMachineInput,
} from "../../_state/machine-input.ts";
import { readMachineSubmit } from "../../_state/machine-submit.ts";
import {
	NO_MARK,
	type OperatorMark,
	readOperatorEngaged,
} from "../../_state/operator-engaged.ts";
import { readPaneChange } from "../../_state/pane-change.ts";
import {
	readServiceNames,
	servicesRegistryPath,
} from "../../_state/services-registry.ts";
import { readTurnFailure } from "../../_state/turn-failure.ts";
import { readUserPrompt } from "../../_state/user-prompt.ts";
import { type WindowEvents, windowEvents } from "../../_state/window-events.ts";
import { spawnedSessionId } from "../../_state/window-provenance.ts";
import { readWorkerHealth } from "../../_state/worker-health.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { WorkerFacts } from "./facts.ts";
import { paneFacts } from "./pane-facts.ts";
import { reportProblems } from "./report-problems.ts";

export interface GatherPlace {
	readonly root: string;
	readonly stateDir: string;
	/** Of `WINDOW_EVENTS`. */
	readonly windowEventLog: ActionLogReader;
	/** The window that gets the reports. */
	readonly target: string;
	readonly servicesWindow: string;
	readonly reportMinBytes: number;
}

/** `failed`: nobody could look, and nothing may be concluded, forgotten or staged. */
export type Gathered =
	| { readonly kind: "ok"; readonly workers: readonly WorkerFacts[] }
	| { readonly kind: "failed"; readonly why: string };

/** Ends early when `signal` aborts. */
export function gatherWorkers(
	doors: Doors,
	place: GatherPlace,
	sweep: Sweep,
	signal?: AbortSignal,
): Gathered {
	if (sweep.kind !== "ok")
		return failed(`tmux does not answer (${sweep.failure.kind})`);
	const shared = readShared(doors, place);
	if (typeof shared === "string") return failed(shared);
	const byPane = new Map(sweep.panes.map((pane) => [pane.row.paneId, pane]));
	const rows = sweep.panes.map((pane) => pane.row);
	const workers: WorkerFacts[] = [];
	for (const row of listWorkers(rows, {
		...place,
		services: shared.services,
	})) {
		if (signal?.aborted) return failed("aborted");
		const pane = byPane.get(row.paneId);
		if (pane !== undefined) workers.push(factsOf(doors, place, shared, pane));
	}
	return { kind: "ok", workers };
}

/** What stands in one file for all windows. */
interface Shared {
	readonly services: ReadonlySet<string>;
	readonly engagedAt: ReadonlyMap<string, number>;
	readonly marks: ReadonlyMap<string, OperatorMark>;
	readonly inputs: ReadonlyMap<string, readonly MachineInput[]>;
	readonly eventsOf: (window: string) => WindowEvents;
}

/** Or why one of them could not be looked at. */
function readShared(doors: Doors, place: GatherPlace): Shared | string {
	const { files, proc } = doors;
	const { root, stateDir, windowEventLog } = place;
	// Without these names every service window would read as a dead worker.
	const registry = servicesRegistryPath(proc.env, root);
	const services = readServiceNames(files, registry);
	if (services.kind !== "ok")
		return `services registry not readable: ${services.why}`;
	const engaged = readEngagementLog(doors, stateDir);
	if (engaged.kind !== "ok") return `engagement log: ${engaged.why}`;
	const marks = readOperatorEngaged(doors, stateDir);
	if (marks.kind !== "ok") return `operator marks: ${marks.why}`;
	const inputs = readMachineInput(files, stateDir);
	if (inputs === null) return "machine input could not be read";
	const events = windowEventLog(doors, stateDir);
	if (events === null) return "the action log could not be read";
	return {
		services: services.names,
		engagedAt: new Map(engaged.rows.map((row) => [row.window, row.at])),
		marks: new Map(marks.rows.map(({ window, ...mark }) => [window, mark])),
		inputs: Map.groupBy(inputs, (row) => row.window),
		eventsOf: windowEvents(events),
	};
}

function factsOf(
	doors: Doors,
	{ root, stateDir, reportMinBytes }: GatherPlace,
	shared: Shared,
	pane: SweptPane,
): WorkerFacts {
	const { files } = doors;
	const { windowName: window, windowActivity } = pane.row;
	const events = shared.eventsOf(window);
	const inputs = shared.inputs.get(window) ?? [];
	const pastes = inputs.filter((row) => row.src === "paste-followup");
	const submitted = [secondsOf(pastes), events.submittedPasteAt];
	return {
		window,
		pane: paneFacts(pane),
		windowActivity,
		engagedAt: shared.engagedAt.get(window) ?? null,
		mark: shared.marks.get(window) ?? NO_MARK,
		change: readPaneChange(files, stateDir, window),
		progress: readBackgroundProgress(files, stateDir, window),
		childrenSince: readChildrenSince(files, stateDir, window),
		prompt: readUserPrompt(files, stateDir, window),
		machineInputAt: secondsOf(inputs),
		submittedPasteAt: latest(submitted),
		machineSubmitAt: readMachineSubmit(files, stateDir, window),
		failure: readTurnFailure(files, stateDir, window),
		hooksLive: hasHeartbeat(doors, stateDir, window),
		ownSessionId:
			spawnedSessionId(files, stateDir, window) ?? events.spawnSessionId,
		health: readWorkerHealth(files, stateDir, window),
		events,
		reportProblems:
			events.wrapUp === null
				? []
				: reportProblems(doors, root, events.wrapUp.report, reportMinBytes),
	};
}

function secondsOf(rows: readonly MachineInput[]): number | null {
	const newest = newestOf(rows);
	// Whole seconds, like the prompts that they are compared with.
	return newest === null ? null : Math.floor(machineInputSeconds(newest));
}

function latest(times: readonly (number | null)[]): number | null {
	const known = times.filter((at) => at !== null);
	return known.length === 0 ? null : Math.max(...known);
}

function hasHeartbeat(
	{ files }: Doors,
	stateDir: string,
	window: string,
): boolean {
	return (
		!window.includes("/") &&
		files.stat(heartbeatPath(stateDir, window)).kind === "ok"
	);
}

function failed(why: string): Gathered {
	return { kind: "failed", why };
}
