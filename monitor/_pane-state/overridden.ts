/** Witnesses of a live pane or a fixture, with what the caller knows better in their place (contract 03 §2). */
import {
	captureWitness,
	type HookFiles,
	hookFilesOf,
	joinWitnesses,
	type PaneToRead,
	type ReaderDeps,
} from "../_pane/gather.ts";
import {
	type BackgroundShells,
	NO_SHELLS,
	type ProcView,
} from "../_pane/process.ts";
import { lookAtProcess, type ProcessLook } from "../_pane/process-look.ts";
import {
	judgeSession,
	NO_SESSION,
	type SessionProcess,
	type SessionWitness,
	startOf,
} from "../_pane/session.ts";
import { lookAtSession } from "../_pane/session-look.ts";
import type { CaptureWitness, Witnesses } from "../_pane/witnesses.ts";
import type { Fixture, Overrides } from "./request.ts";

/** `--now` stands in for the clock, given horizons for the configured ones. */
export function depsWith(deps: ReaderDeps, o: Overrides): ReaderDeps {
	const { now } = o;
	const { doors, settings } = deps;
	const horizons = { ...settings.horizons, ...o.horizons };
	return {
		...deps,
		doors:
			now === null
				? doors
				: { ...doors, clock: { ...doors.clock, now: () => now } },
		settings: { ...settings, horizons },
	};
}

/** `view` null: the process table could not be read. A session file that is named is read as the pane's own. */
export function liveWitnesses(
	deps: ReaderDeps,
	view: ProcView | null,
	pane: PaneToRead,
	capture: CaptureWitness,
	o: Overrides,
): Witnesses {
	const { doors } = deps;
	const processes = lookAtProcess(doors, view, pane.panePid, pane.server);
	const session = sessionOf(deps, processes, o);
	return joined(deps, pane, o, { processes, session, capture });
}

/** A fixture's session file counts as that of a live, matching process, unless a pid is given or it is said to be dead. */
export function fixtureWitnesses(
	deps: ReaderDeps,
	view: ProcView | null,
	fixture: Fixture,
	text: string,
	o: Overrides,
): Witnesses {
	const { doors } = deps;
	const pane = { windowName: fixture.name };
	const capture = captureWitness(text);
	if (fixture.panePid !== null) {
		const processes = lookAtProcess(doors, view, fixture.panePid);
		const session = sessionOf(deps, processes, o);
		return joined(deps, pane, o, { processes, session, capture });
	}
	const session =
		o.sessionFile === null
			? NO_SESSION
			: assumedSession(deps, o.sessionFile, o);
	const processes: ProcessLook = {
		witness: session.live ? { kind: "assumed-live" } : { kind: "none" },
		shells: NO_SHELLS,
		session: null,
	};
	return joined(deps, pane, o, { processes, session, capture });
}

function sessionOf(
	deps: ReaderDeps,
	processes: ProcessLook,
	o: Overrides,
): SessionWitness {
	return o.sessionFile === null
		? lookAtSession(deps.doors, processes.session)
		: sessionAt(deps, o.sessionFile, o.sessionDead ? null : processes.session);
}

function joined(
	deps: ReaderDeps,
	pane: Pick<PaneToRead, "windowName" | "paneDead">,
	o: Overrides,
	known: {
		readonly processes: ProcessLook;
		readonly session: SessionWitness;
		readonly capture: CaptureWitness;
	},
): Witnesses {
	return joinWitnesses(deps, pane, {
		capture: known.capture,
		session: known.session,
		process: known.processes.witness,
		shells: shellsWith(known.processes.shells, o),
		files: filesWith(hookFilesOf(deps.stateDir, pane.windowName), o),
	});
}

/** A number of shells pretends that a reliable walk saw them; a processor time alone leaves the walk as it is. */
function shellsWith(seen: BackgroundShells, o: Overrides): BackgroundShells {
	const cpuTicks = o.bgCpu ?? (o.bgShells === null ? seen.cpuTicks : 0);
	const oldestStart =
		o.bgOldestStart ?? (o.bgShells === null ? seen.oldestStart : 0);
	return o.bgShells === null
		? { ...seen, cpuTicks, oldestStart }
		: { reliable: true, count: o.bgShells, cpuTicks, oldestStart };
}

function filesWith(files: HookFiles, o: Overrides): HookFiles {
	return {
		heartbeat: o.heartbeatFile ?? files.heartbeat,
		stamp: o.overLimitFile ?? files.stamp,
	};
}

function sessionAt(
	{ doors }: ReaderDeps,
	path: string,
	process: SessionProcess | null,
): SessionWitness {
	const read = doors.files.read(path);
	return read.kind === "ok" ? judgeSession(read.text, process) : NO_SESSION;
}

function assumedSession(
	deps: ReaderDeps,
	path: string,
	o: Overrides,
): SessionWitness {
	const read = deps.doors.files.read(path);
	if (read.kind !== "ok") return NO_SESSION;
	return judgeSession(read.text, o.sessionDead ? null : startOf(read.text));
}
