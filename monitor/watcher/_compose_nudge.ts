/**
 * After each tick: has something arrived that needs somebody now? (contract 01 §5.) Comments, decisions, requests and an
 * agent that stands still before a question pull the next emit forward; other idle rows, bells, reports and git ride the
 * cadence, because every emit costs the orchestrator a turn.
 */
import { hasWaitingQuestion } from "../_emit/idle-rows.ts";
import { deliveriesQueuePath } from "../_state/deliveries-queue.ts";
import { stagedOutPath } from "../_state/staging.ts";
import type { Files } from "../_sys/doors.ts";
import type { SchedulerPort, WatcherContext } from "./context.ts";

export type Lane = "comments" | "compose";

export interface NudgeSource {
	readonly path: string;
	readonly lane: Lane;
	/** What of its text cannot wait; without it all of it. */
	readonly isUrgent?: (text: string) => boolean;
}

/** What the disk says of one source; an absent file has mtime 0, one without anything urgent size 0. */
export interface Seen {
	readonly mtimeMs: number;
	readonly size: number;
}

/** The last seen mtime of each source, by path; a source without one was never seen. */
export type NudgeMemory = ReadonlyMap<string, number>;

export interface NudgeDecision {
	readonly comments: boolean;
	readonly compose: boolean;
	readonly next: NudgeMemory;
}

const HURRY = { intervalSeconds: 5, durationSeconds: 60 };

/**
 * A source nudges when it is newer than remembered and not empty; the memory advances either way. A file that
 * is gone for a while is remembered: what was put back is no news.
 */
export function nudgeDecision(
	prev: NudgeMemory,
	seen: readonly (readonly [NudgeSource, Seen])[],
): NudgeDecision {
	const fresh = seen.filter(
		([source, { mtimeMs, size }]) =>
			size > 0 && mtimeMs > (prev.get(source.path) ?? 0),
	);
	const has = (lane: Lane) => fresh.some(([source]) => source.lane === lane);
	return {
		comments: has("comments"),
		compose: has("compose"),
		next: new Map(
			seen.map(([{ path }, { mtimeMs }]) => {
				const isGone = mtimeMs === 0;
				return [path, isGone ? (prev.get(path) ?? 0) : mtimeMs] as const;
			}),
		),
	};
}

/** Comments have a lane of their own; a staged idle section is urgent only where somebody waits before a question. */
export function nudgeSources({
	stateDir,
	stageDir,
}: Pick<WatcherContext, "stateDir" | "stageDir">): readonly NudgeSource[] {
	return [
		{ path: deliveriesQueuePath(stateDir), lane: "comments" },
		{ path: stagedOutPath(stageDir, "github_poll"), lane: "comments" },
		{ path: stagedOutPath(stageDir, "requests_poll"), lane: "compose" },
		{ path: stagedOutPath(stageDir, "pending_decisions"), lane: "compose" },
		{
			path: stagedOutPath(stageDir, "idle_section"),
			lane: "compose",
			isUrgent: hasWaitingQuestion,
		},
	];
}

/** The post-tick hook. The memory is the process's, so what a predecessor left nudges once. */
export function composeNudge(
	files: Files,
	sources: readonly NudgeSource[],
	scheduler: SchedulerPort & { readonly wake: () => void },
): () => void {
	let memory: NudgeMemory = new Map();
	return () => {
		const decision = nudgeDecision(
			memory,
			sources.map((source) => [source, look(files, source, memory)] as const),
		);
		memory = decision.next;
		if (decision.comments)
			hurry(
				scheduler,
				scheduler.isRegistered("comment_surface")
					? "comment_surface"
					: "compose_emit",
			);
		if (decision.compose) hurry(scheduler, "compose_emit");
		if (decision.comments || decision.compose) scheduler.wake();
	};
}

/** Fires a task now and keeps it quick for a minute, for what follows (contract 01 §5). */
function hurry(
	scheduler: Pick<SchedulerPort, "fireNow" | "override">,
	task: string,
): void {
	scheduler.fireNow(task);
	scheduler.override(task, HURRY.intervalSeconds, HURRY.durationSeconds);
}

function look(
	files: Files,
	{ path, isUrgent }: NudgeSource,
	memory: NudgeMemory,
): Seen {
	const found = files.stat(path);
	if (found.kind !== "ok") return { mtimeMs: 0, size: 0 };
	const { mtimeMs, size } = found.stat;
	const isKnown = isUrgent === undefined || mtimeMs <= (memory.get(path) ?? 0);
	if (isKnown || size === 0) return { mtimeMs, size };
	const read = files.read(path);
	const urgent = read.kind === "ok" && isUrgent(read.text);
	return { mtimeMs, size: urgent ? size : 0 };
}
