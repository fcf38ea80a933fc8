/** Asking the process table about one pane: the thin part of the first witness (contract 03 §9.4, §10). */
import type { Clock, PaneRow, Proc } from "../_sys/doors.ts";
import {
	type BackgroundShells,
	backgroundShells,
	NO_SHELLS,
	type ProcView,
	readTree,
	startEpoch,
} from "./process.ts";
import type { SessionProcess } from "./session.ts";
import type { ProcessWitness } from "./witnesses.ts";

export interface ProcessLook {
	readonly witness: ProcessWitness;
	readonly shells: BackgroundShells;
	/** The claude whose session file may speak, or null. */
	readonly session: SessionProcess | null;
}

/** Never throws. Without a pid, a view, or sight of the pane's processes it says just that. Ages in seconds. */
export function lookAtProcess(
	doors: { readonly proc: Proc; readonly clock: Clock },
	view: ProcView | null,
	panePid: number | null,
	server?: PaneRow["server"],
): ProcessLook {
	const nothing = { shells: NO_SHELLS, session: null };
	if (panePid === null) return { witness: { kind: "no-pid" }, ...nothing };
	if (view === null || isBlind(doors.proc, view, panePid, server))
		return { witness: blindWitness(panePid), ...nothing };
	const tree = readTree(view, panePid);
	const clock = {
		bootTime: doors.proc.bootTime(),
		ticksPerSecond: doors.proc.ticksPerSecond(),
	};
	const root = view.stat(panePid);
	const started = root === undefined ? null : startEpoch(root, clock);
	const { claude, ...rest } = tree;
	return {
		witness: {
			kind: "seen",
			pid: panePid,
			...rest,
			claudePid: claude?.pid ?? null,
			isStopped: claude !== null && /^[Tt]/.test(claude.state),
			blind: false,
			ageSeconds:
				started === null ? null : Math.max(0, doors.clock.now() - started),
		},
		shells: backgroundShells(view, panePid, clock),
		session: claude && {
			pid: claude.pid,
			startTicks: claude.startTicks,
			startedAt: startEpoch(claude, clock),
			pidNamespace: doors.proc.pidNamespace(),
		},
	};
}

/**
 * A table that lacks a process which must exist (ourselves, tmux, a pane's process that takes a
 * signal) is another container's or a filtered one: nothing in it is evidence.
 */
function isBlind(
	proc: Proc,
	view: ProcView,
	panePid: number,
	server: PaneRow["server"] | undefined,
): boolean {
	if (view.stat(proc.pid) === undefined) return true;
	if (server !== undefined && view.stat(server.pid) === undefined) return true;
	return view.stat(panePid) === undefined && proc.alive(panePid);
}

function blindWitness(pid: number): ProcessWitness {
	return {
		kind: "seen",
		pid,
		live: "unknown",
		claudePid: null,
		isStopped: false,
		exists: true,
		hasDescendant: false,
		unidentified: false,
		blind: true,
		ageSeconds: null,
	};
}
