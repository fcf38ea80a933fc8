/** Which workers a recovery resumes, and resuming them (contract 06 §5.4). */
import { TRANSIENT_PREFIX } from "../../_emit/bells.ts";
import { TMUX_HEADER } from "../../_emit/snapshot.ts";
import type { ActionEvent } from "../../_state/action-log.ts";
import { resolveWindowId } from "../../_sys/tmux-lookup.ts";
import { type RecoverContext, runProgram } from "./context.ts";

/** The events that tell a worker's life; what `selectWorkers` is to be given. */
export const LIFE_EVENTS = [
	"spawn",
	"wrap-up",
	"window-close",
	"window-retain",
] as const;

export interface Exclusions {
	/** Windows of the house: target, cockpit, watcher. */
	readonly house: ReadonlySet<string>;
	readonly services: ReadonlySet<string>;
}
export type WorkerPick =
	| { readonly kind: "pick"; readonly window: string }
	| { readonly kind: "skip"; readonly window: string; readonly why: string };

/**
 * Pure: one answer a window of the snapshot that is not of the house, in byte order. `events` oldest first. A worker that has wrapped up comes
 * back only when the operator himself was at work in its window.
 */
export function selectWorkers(
	snapshot: string,
	events: readonly ActionEvent[],
	engaged: ReadonlySet<string>,
	exclusions: Exclusions,
): readonly WorkerPick[] {
	const last = new Map<string, ActionEvent>();
	for (const e of events)
		if (e.window !== null && isOfLife(e)) last.set(e.window, e);
	const { house, services } = exclusions;
	const windows = snapshotWindows(snapshot).filter((w) => !house.has(w));
	return windows.map((window) => {
		const skip = (why: string): WorkerPick => ({ kind: "skip", window, why });
		if (services.has(window)) return skip("a registered service");
		const newest = last.get(window)?.event;
		if (newest === undefined) return skip("nobody spawned it");
		if (newest === "spawn" || engaged.has(window))
			return { kind: "pick", window };
		return skip(`its last event is ${newest}`);
	});
}

/** Names of the windows that a snapshot lists, sorted, each once. */
function snapshotWindows(snapshot: string): readonly string[] {
	const lines = snapshot.split("\n");
	const from = lines.indexOf(TMUX_HEADER) + 1;
	if (from === 0) return [];
	const to = lines.findIndex((line, i) => i >= from && line.startsWith("--- "));
	const names = lines
		.slice(from, to < 0 ? undefined : to)
		.map((line) => line.trim().split(/\s+/)[0] ?? "")
		.filter((name) => name !== "" && !name.startsWith(TRANSIENT_PREFIX));
	return [...new Set(names)].sort();
}

function isOfLife(e: ActionEvent): boolean {
	if (e.event === "window-retain")
		return e.field("reason")?.startsWith("wrap-up-") ?? false;
	return LIFE_EVENTS.some((name) => name === e.event);
}

export type WorkerFate =
	| "resumed"
	| "already-alive"
	| "session-unresolvable"
	| "workdir-unresolvable"
	| "resume-failed"
	| "could-not-look"
	| "dry-run"
	| "over-cap";

const LIMIT_MS = 5 * 60_000;

/** Resumes the picked ones in order, at most `recover.max_workers`. */
export async function resumeWorkers(
	ctx: RecoverContext,
	picks: readonly WorkerPick[],
): Promise<void> {
	const { doors, settings } = ctx;
	const { log } = doors;
	for (const pick of picks)
		if (pick.kind === "skip")
			log.info(`worker ${pick.window}: skipped: ${pick.why}`);
	const wanted = picks.filter((p) => p.kind === "pick").map((p) => p.window);
	const cap = settings.config["recover.max_workers"];
	const fates: WorkerFate[] = [];
	for (const [at, window] of wanted.entries()) {
		const fate = at < cap ? await resumeOne(ctx, window) : "over-cap";
		fates.push(fate);
		log.info(
			fate === "dry-run"
				? `worker ${window}: would resume`
				: `worker ${window}: ${fate}`,
		);
	}
	log.info(workersSummary(fates));
}

/** Pure. */
function workersSummary(fates: readonly WorkerFate[]): string {
	const count = (fate: WorkerFate) => fates.filter((f) => f === fate).length;
	const resumed = count("resumed");
	const alive = count("already-alive");
	const over = count("over-cap");
	const would = count("dry-run");
	const skipped = fates.length - resumed - alive - over - would;
	return `workers: ${fates.length} candidate(s) — ${resumed} resumed, ${alive} already alive, ${skipped} skipped, ${over} over cap${would === 0 ? "" : `, ${would} to resume`}`;
}

async function resumeOne(
	ctx: RecoverContext,
	window: string,
): Promise<WorkerFate> {
	const { proc, tmux } = ctx.doors;
	const found = resolveWindowId(await tmux.panes(), window);
	if (found.kind === "present") return "already-alive";
	if (found.kind !== "absent") return "could-not-look";
	if (ctx.dryRun) return "dry-run";
	const standIn = proc.env.RECOVER_SPAWN_WORKER_BIN;
	const rc = await runProgram(ctx, "spawnWorker", ["--resume", window], {
		limitMs: LIMIT_MS,
		...(standIn ? { standIn } : {}),
	});
	switch (rc) {
		case 0:
			return "resumed";
		case 11:
			return "session-unresolvable";
		case 12:
			return "workdir-unresolvable";
		case 13:
			return "already-alive";
		default:
			return "resume-failed";
	}
}
