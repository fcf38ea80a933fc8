/** From one pane and its capture to everything that is known of it. Files are read after the capture, so that a file can only be newer than the picture (contract 03 §5). */

import { heartbeatPath, readHeartbeatAt } from "../_state/heartbeat.ts";
import { orchestratorTurnEndAt } from "../_state/orchestrator-heartbeat.ts";
import {
	overLimitStampPath,
	readOverLimitStampAt,
	removeOverLimitStamp,
} from "../_state/over-limit-stamp.ts";
import type { Doors, PaneRow } from "../_sys/doors.ts";
import { readScreen } from "./facts.ts";
import { judgeHeartbeat } from "./heartbeat.ts";
import type { ProcView } from "./process.ts";
import { lookAtProcess } from "./process-look.ts";
import { lookAtSession } from "./session-look.ts";
import type { ReaderSettings } from "./settings.ts";
import { judgeStamp } from "./stamp.ts";
import type { CaptureWitness, Witnesses } from "./witnesses.ts";

export type ReaderDoors = Pick<
	Doors,
	"clock" | "files" | "proc" | "tmux" | "log"
>;
export interface ReaderDeps {
	readonly doors: ReaderDoors;
	readonly stateDir: string;
	readonly settings: ReaderSettings;
}
/** What must be known of a pane; a whole `PaneRow` says more and is used where given. */
export type PaneToRead = Pick<
	PaneRow,
	"paneId" | "windowId" | "windowIndex" | "windowName" | "panePid"
> &
	Partial<Pick<PaneRow, "windowActive" | "paneDead" | "width" | "server">>;

/** Reads a capture's text; `width` in columns. */
export function captureWitness(text: string, width?: number): CaptureWitness {
	const facts = readScreen(text, width);
	return facts === null ? { kind: "blank" } : { kind: "ok", facts };
}

/** Where the hooks' files of a window lie; null for a name that is no file name. */
export interface HookFiles {
	readonly heartbeat: string | null;
	readonly stamp: string | null;
}

/** Null for a window whose name is no file name. */
export function hookFilesOf(stateDir: string, window: string): HookFiles {
	if (window === "" || window.includes("/"))
		return { heartbeat: null, stamp: null };
	return {
		heartbeat: heartbeatPath(stateDir, window),
		stamp: overLimitStampPath(stateDir, window),
	};
}

/** `view` null: the process table could not be read, and the process witness is blind. */
export function gatherWitnesses(
	deps: ReaderDeps,
	view: ProcView | null,
	pane: PaneToRead,
	capture: CaptureWitness,
): Witnesses {
	const { doors, stateDir } = deps;
	const processes = lookAtProcess(doors, view, pane.panePid, pane.server);
	return joinWitnesses(deps, pane, {
		capture,
		process: processes.witness,
		shells: processes.shells,
		session: lookAtSession(doors, processes.session),
		files: hookFilesOf(stateDir, pane.windowName),
	});
}

/**
 * Adds heartbeat and stamp to what is known already. A stamp that is over is removed: left behind,
 * it would suspend the window of the next session of that name.
 */
export function joinWitnesses(
	{ doors, stateDir, settings }: ReaderDeps,
	pane: Pick<PaneToRead, "windowName" | "paneDead">,
	known: Pick<Witnesses, "capture" | "process" | "shells" | "session"> & {
		readonly files: HookFiles;
	},
): Witnesses {
	const { files, ...seen } = known;
	const now = doors.clock.now();
	const { sessionId } = seen.session;
	const beat =
		files.heartbeat === null
			? null
			: readHeartbeatAt(doors.files, files.heartbeat);
	const heartbeat = judgeHeartbeat(beat, now, sessionId, settings.horizons);
	const isOrchestrator = pane.windowName === settings.targetWindow;
	const stamp = judgeStamp(
		files.stamp === null
			? null
			: readOverLimitStampAt(doors.files, files.stamp),
		{
			now,
			sessionId,
			heartbeat: heartbeat.beat,
			orchestratorSeenAt:
				isOrchestrator && beat === null
					? orchestratorTurnEndAt(doors.files, stateDir)
					: null,
			ttlSeconds: settings.stampTtl,
		},
	);
	const isOver = stamp.kind === "expired" || stamp.kind === "superseded";
	if (isOver && files.stamp !== null)
		removeOverLimitStamp(doors.files, files.stamp);
	return {
		...seen,
		now,
		paneDead: pane.paneDead === "1",
		heartbeat,
		stamp,
		bootGraceSeconds: settings.bootGrace,
	};
}
