/** One try for one row: gather, decide, act (contract 08 §4.3). */
import { join } from "node:path";
import { parseLine } from "../../_pane/line.ts";
import type { LookAt } from "../../_pane/types.ts";
import { appendEvent } from "../../_state/action-log-append.ts";
import { type Heartbeat, readHeartbeat } from "../../_state/heartbeat.ts";
import { updateHeartbeat } from "../../_state/heartbeat-update.ts";
import { removeWait } from "../../_state/heartbeat-waits.ts";
import { appendMachineInput } from "../../_state/machine-input.ts";
import {
	changeOrphanRows,
	type OrphanRow,
	readOrphanWoken,
	writeOrphanWoken,
} from "../../_state/orphan-async.ts";
import type { WriteResult } from "../../_sys/doors.ts";
import { resolveActivePane } from "../../_sys/tmux-lookup.ts";
import type { TaskRun } from "../context.ts";
import { composeWakeBrief } from "./brief.ts";
import {
	type Action,
	decideByClock,
	decideOrphanRow,
	type OrphanSettings,
	type Probe,
} from "./decide.ts";
import { type ResolvedWait, resolveWait, type WaitSources } from "./resolve.ts";
import { waitsBehind } from "./waits.ts";

export interface WakeDeps {
	readonly stateDir: string;
	readonly scratchDir: string;
	readonly settings: OrphanSettings;
	readonly sources: (run: TaskRun) => WaitSources;
	readonly lookAt: (run: TaskRun) => LookAt;
	/** Puts the file's text into the window's pane; true when it arrived. */
	readonly deliver: (
		run: TaskRun,
		window: string,
		file: string,
	) => Promise<boolean>;
}

/** Source of the machine input, so that nobody takes the wake for an operator at the keyboard. */
const SOURCE = "orphan-async-wake";

/** True when a delivery was tried. */
export async function tryRow(
	deps: WakeDeps,
	run: TaskRun,
	row: OrphanRow,
): Promise<boolean> {
	const { files, clock } = run.doors;
	const { stateDir, settings } = deps;
	const wokenAt = readOrphanWoken(files, stateDir, row.window);
	const facts = { now: clock.now(), wokenAt, afterGap: run.afterGap };
	const early = decideByClock(row, facts, settings);
	if (early !== null) {
		await act(deps, run, row, early, null, []);
		return false;
	}
	const beat = readHeartbeat(files, stateDir, row.window);
	const list = waitsBehind(beat?.externalWaits ?? null, row.waits);
	const sources = deps.sources(run);
	const waits = await Promise.all(
		list.waits.map((wait) => resolveWait(wait, sources)),
	);
	const probe = await probeWindow(deps, run, row.window);
	if (run.signal.aborted) return false;
	const { isTruncated } = list;
	const action = decideOrphanRow({ waits, isTruncated, probe });
	await act(deps, run, row, action, beat, waits);
	return action.kind === "wake";
}

async function act(
	deps: WakeDeps,
	run: TaskRun,
	row: OrphanRow,
	action: Action,
	beat: Heartbeat | null,
	waits: readonly ResolvedWait[],
): Promise<void> {
	const { window } = row;
	switch (action.kind) {
		case "skip":
			return;
		case "hold":
			postpone(deps, run, window, 0);
			return;
		case "drop":
			run.log(`orphan-async: ${window}: dropped, ${action.why}`);
			return drop(deps, run, window);
		case "log-close":
			appendEvent(run.doors, deps.stateDir, {
				agent: "watcher",
				event: "window-close",
				extras: [
					["window", window],
					["reason", "pane-vanished-unlogged"],
					["source", "orphan-async"],
				],
			});
			run.log(`orphan-async: ${window}: its window was closed`);
			return drop(deps, run, window);
		case "wake":
			return wake(deps, run, row, beat, waits);
	}
}

async function wake(
	deps: WakeDeps,
	run: TaskRun,
	{ window, firstSeen }: OrphanRow,
	beat: Heartbeat | null,
	waits: readonly ResolvedWait[],
): Promise<void> {
	const { files, clock } = run.doors;
	const now = clock.now();
	// What cannot be written down would be pasted anew at every tick.
	if (postpone(deps, run, window, 0).kind === "failed")
		return run.log(
			`orphan-async: ${window}: not woken: its row cannot be written`,
		);
	const idleSince = beat?.lastTurnEnd ?? beat?.lastActivity ?? firstSeen;
	const file = join(deps.scratchDir, "orphan-async-brief.md");
	const brief = composeWakeBrief(Math.max(0, now - idleSince), waits);
	const written = files.writeAtomic(file, brief, { mode: 0o600 });
	if (written.kind === "failed") return;
	appendMachineInput(files, deps.stateDir, {
		window,
		stamp: now,
		src: SOURCE,
		flag: "",
	});
	const arrived = await deps.deliver(run, window, file);
	files.remove(file);
	if (!arrived) {
		run.log(`orphan-async: ${window}: the brief did not arrive`);
		postpone(deps, run, window, 1);
		return;
	}
	run.log(`orphan-async: ${window}: woken`);
	writeOrphanWoken(files, deps.stateDir, window, clock.now());
	drop(deps, run, window);
	await removeTerminal(deps, run, window, waits);
}

/** Only what is proven finished. One that is gone from the list by now was what we wanted. */
async function removeTerminal(
	{ stateDir }: WakeDeps,
	{ doors, log }: TaskRun,
	window: string,
	waits: readonly ResolvedWait[],
): Promise<void> {
	const over = waits.filter((wait) => wait.class === "terminal");
	if (over.length === 0) return;
	const done = await updateHeartbeat(doors, stateDir, window, (prior) =>
		prior === null
			? null
			: over.reduce((h, wait) => removeWait(h, wait).heartbeat, prior),
	);
	if (done.kind === "failed")
		log(`orphan-async: ${window}: its waits stay: ${done.reason}`);
}

async function probeWindow(
	deps: WakeDeps,
	run: TaskRun,
	window: string,
): Promise<Probe> {
	const rows = await run.doors.tmux.panes(run.signal);
	const found = resolveActivePane(rows, window);
	if (found.kind === "absent") return { kind: "absent" };
	if (found.kind !== "present") return { kind: "unknown", why: found.kind };
	const seen = await deps.lookAt(run)(found.value, run.signal);
	if (seen.kind === "unreadable") return { kind: "unknown", why: seen.reason };
	if (seen.kind === "gone")
		return { kind: "line", state: "absent", queued: false, conflict: null };
	const { state, line, queued } = seen.look;
	const conflict = parseLine(line)?.get("conflict") ?? null;
	return { kind: "line", state, queued, conflict };
}

function postpone(
	{ stateDir, settings }: WakeDeps,
	{ doors }: TaskRun,
	window: string,
	failed: 0 | 1,
): WriteResult {
	const nextAttempt = doors.clock.now() + settings.retry;
	return changeOrphanRows(doors, stateDir, (rows) =>
		rows.map((row) =>
			row.window === window
				? { ...row, nextAttempt, attempts: row.attempts + failed }
				: row,
		),
	);
}

function drop(
	{ stateDir }: WakeDeps,
	{ doors }: TaskRun,
	window: string,
): void {
	changeOrphanRows(doors, stateDir, (rows) =>
		rows.filter((row) => row.window !== window),
	);
}
