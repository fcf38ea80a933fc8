/** From one pane and its capture to everything that is known of it. Files are read after the capture, so that a file can only be newer than the picture (contract 03 §5). */

import { readHeartbeat } from "../_state/heartbeat.ts";
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

export function gatherWitnesses(
	{ doors, stateDir, settings }: ReaderDeps,
	view: ProcView | null,
	pane: PaneToRead,
	capture: CaptureWitness,
): Witnesses {
	const { files, clock } = doors;
	const now = clock.now();
	const processes = lookAtProcess(doors, view, pane.panePid, pane.server);
	const session = lookAtSession(doors, processes.session);
	const beat = readHeartbeat(files, stateDir, pane.windowName);
	const heartbeat = judgeHeartbeat(
		beat,
		now,
		session.sessionId,
		settings.horizons,
	);
	const isOrchestrator = pane.windowName === settings.targetWindow;
	const stampPath = stampPathOf(stateDir, pane.windowName);
	const stamp = judgeStamp(
		stampPath === null ? null : readOverLimitStampAt(files, stampPath),
		{
			now,
			sessionId: session.sessionId,
			heartbeat: heartbeat.beat,
			orchestratorSeenAt:
				isOrchestrator && beat === null
					? orchestratorTurnEndAt(files, stateDir)
					: null,
			ttlSeconds: settings.stampTtl,
		},
	);
	if (
		stampPath !== null &&
		(stamp.kind === "expired" || stamp.kind === "superseded")
	)
		removeOverLimitStamp(files, stampPath);
	return {
		now,
		paneDead: pane.paneDead === "1",
		process: processes.witness,
		shells: processes.shells,
		session,
		heartbeat,
		stamp,
		capture,
		bootGraceSeconds: settings.bootGrace,
	};
}

/** null for a name that is no file name. */
function stampPathOf(stateDir: string, window: string): string | null {
	if (window === "" || window.includes("/")) return null;
	return overLimitStampPath(stateDir, window);
}
