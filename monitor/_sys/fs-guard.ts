/**
 * A disk that turned read-only or full: noticed on the edge, told once, and written down OUTSIDE the
 * tree, where it can still be written (contract 00 R8, 01 §2.2).
 */
import { ageSeconds } from "./age.ts";
import { bell } from "./bell.ts";
import type { Doors, WriteResult } from "./doors.ts";
import { fsStatusPath, readFsStatus, writeFsStatus } from "./fs-status.ts";

export type FsMode = "ok" | "degraded";
/** `unknown`: this process has not looked yet. */
export type KnownFsMode = FsMode | "unknown";

export interface FsFacts {
	/** What this process saw last. */
	readonly previous: KnownFsMode;
	readonly probe: WriteResult;
	/** From the status file, which other processes write too. */
	readonly status: {
		readonly mode: FsMode;
		readonly alarmedAt: number | null;
	} | null;
	readonly now: number;
	readonly throttleSeconds: number;
}
export interface FsDecision {
	readonly mode: FsMode;
	readonly edge: "to-degraded" | "to-ok" | null;
	/** Log and notify: an edge, unless somebody rang within the throttle. */
	readonly alarm: boolean;
	readonly writeStatus: boolean;
}

/** Pure. */
export function decideFsGuard(facts: FsFacts): FsDecision {
	const { previous, status, now, throttleSeconds } = facts;
	if (facts.probe.kind === "ok") {
		const was =
			previous === "degraded" ||
			(previous === "unknown" && status?.mode === "degraded");
		const edge = was ? "to-ok" : null;
		return { mode: "ok", edge, alarm: false, writeStatus: was };
	}
	const edge = previous === "degraded" ? null : "to-degraded";
	const rang = ageSeconds(now, status?.alarmedAt, throttleSeconds);
	const rangLately = rang !== null && rang < throttleSeconds;
	return {
		mode: "degraded",
		edge,
		alarm: edge !== null && !rangLately,
		writeStatus: true,
	};
}

/** One step: probe `dir`, tell, write the status. Returns the mode for the next step's `previous`. */
export async function fsGuardStep(
	doors: Pick<Doors, "files" | "proc" | "clock" | "log">,
	place: {
		/** The folder that must be writable. */
		readonly dir: string;
		/** Real path of the root: names the status file. */
		readonly root: string;
		readonly throttleSeconds: number;
	},
	previous: KnownFsMode,
): Promise<FsMode> {
	const probe = doors.files.probeWritable(place.dir);
	const path = fsStatusPath(doors.proc.env, doors.proc.uid, place.root);
	// A healthy disk costs one probe an iteration and nothing more.
	if (probe.kind === "ok" && previous === "ok") return "ok";
	const status = readFsStatus(doors.files, path, doors.proc.uid);
	const now = doors.clock.now();
	const { throttleSeconds } = place;
	const facts = { previous, probe, status, now, throttleSeconds };
	const decided = decideFsGuard(facts);
	const reason = probe.kind === "ok" ? "" : probe.reason;
	const text = `${place.dir} is not writable (${reason}); nothing can be recorded until it is`;
	if (decided.edge === "to-ok")
		doors.log.info(`${place.dir} is writable again`);
	if (decided.alarm) doors.log.warn(text);
	if (decided.writeStatus)
		writeFsStatus(doors.files, path, doors.proc.uid, {
			mode: decided.mode,
			updated: now,
			reason,
			alarmedAt: decided.alarm ? now : (status?.alarmedAt ?? null),
		});
	if (decided.alarm) await bell(doors.proc, `CRITICAL: ${text}`);
	return decided.mode;
}
