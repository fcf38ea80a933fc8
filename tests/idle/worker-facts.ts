/** One worker as the probe sees it: idle for two minutes, never wrapped up, nobody near. Tests change what they are about. */
import type { PaneStateName } from "../../monitor/_pane/types.ts";
import { NO_MARK } from "../../monitor/_state/operator-engaged.ts";
import type {
	PaneFacts,
	WorkerFacts,
} from "../../monitor/watcher/_idle_probe/facts.ts";
import {
	type IdleSettings,
	idleSettings,
} from "../../monitor/watcher/_idle_probe/settings.ts";
import {
	probeWorker,
	type WorkerVerdict,
} from "../../monitor/watcher/_idle_probe/worker.ts";
import { watcherConfig } from "../config/watcher-config.ts";

export const NOW = 1_800_000_000;

const IDLE_PANE: PaneFacts = {
	state: "idle",
	overlay: null,
	contentHash: null,
	backgroundTicks: null,
	children: null,
	limit: null,
	orphanKinds: null,
	sessionId: null,
	askedAt: null,
};

type Change = Partial<Omit<WorkerFacts, "pane" | "events">> & {
	readonly pane?: Partial<PaneFacts>;
	readonly events?: Partial<WorkerFacts["events"]>;
};

export function workerFacts({
	pane,
	events,
	...rest
}: Change = {}): WorkerFacts {
	return {
		window: "w",
		windowActivity: NOW - 120,
		engagedAt: NOW - 120,
		mark: NO_MARK,
		change: null,
		progress: null,
		childrenSince: null,
		prompt: null,
		machineInputAt: null,
		submittedPasteAt: null,
		machineSubmitAt: null,
		failure: null,
		hooksLive: true,
		ownSessionId: null,
		health: null,
		reportProblems: [],
		...rest,
		pane: { ...IDLE_PANE, ...pane },
		events: {
			spawnAt: null,
			spawnSessionId: null,
			engagedDoneAt: null,
			wrapUp: null,
			retain: null,
			pastedAt: null,
			submittedPasteAt: null,
			...events,
		},
	};
}

export const SETTINGS: IdleSettings = idleSettings(watcherConfig());

export interface Given extends Change {
	readonly cfg?: Partial<IdleSettings>;
	readonly afterGap?: boolean;
	readonly now?: number;
}

export function probe({ cfg, afterGap, now, ...change }: Given): WorkerVerdict {
	return probeWorker(
		workerFacts(change),
		{ now: now ?? NOW, afterGap: afterGap ?? false },
		{ ...SETTINGS, ...cfg },
	);
}

export const idle = (seconds: number) => ({ engagedAt: NOW - seconds });

export const wrapUp = (ago: number) => ({ at: NOW - ago, report: "r.md" });

export const pane = (state: PaneStateName) => ({ pane: { state } });

/** The operator's mark, on a pane that moves. */
export const marked = (since: number): Given => ({
	mark: {
		since: NOW - since,
		last: NOW - since,
		promptSeen: NOW - since,
		src: "submit",
		reminded: 0,
	},
	change: { hash: "1", at: NOW - 5 },
});
