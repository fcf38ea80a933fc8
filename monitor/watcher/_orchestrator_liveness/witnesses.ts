/** Who speaks for an orchestrator beside its stamps: the transcripts, and the pane itself (contract 04 §16, 00 R6). */
import { mtimeOf } from "../../_state/peek.ts";
import type { TaskRun } from "../context.ts";
import {
	decideLiveness,
	type Liveness,
	type LivenessFacts,
	type LivenessLimits,
	verdict,
} from "./decide.ts";
import type { LivenessHands } from "./hands.ts";

/** Between a prompt's record and the stamp of its delivery. */
const CONFIRM_LAG_SECONDS = 2;

/**
 * A session that stamps and pin do not know (started by hand without hooks, or anew by /clear) answers in the transcript
 * of its own live session file. Where nothing can witness an answer, its absence says nothing.
 */
export async function witnessed(
	hands: LivenessHands,
	run: TaskRun,
	pin: string | null,
	facts: LivenessFacts,
	limits: LivenessLimits,
): Promise<Liveness> {
	const decided = decideLiveness(facts, limits);
	if (decided.word === "healthy") return decided;
	const seen = await hands.lookAtTarget(run);
	// A person's shell or editor is no wedged orchestrator, and is not closed for one: `target_window` looks after it.
	if (seen?.kind === "gone" || (seen?.kind === "unreadable" && seen.isForeign))
		return verdict("healthy", "no-agent");
	const live = seen?.kind === "ok" ? seen.look.sessionId : null;
	const own = live === null || live === pin ? [] : hands.transcripts(live);
	const { files } = run.doors;
	const pinned = pin === null ? [] : hands.transcripts(pin);
	const wrote = [...pinned, ...own].map((p) => mtimeOf(files, p));
	if (seen?.kind === "ok" && seen.look.state === "idle")
		if (wrote.some((at) => tookItAtOnce(at, facts.lastPaste)))
			return verdict("healthy", "answered-at-once");
	const signals = [
		...facts.signals,
		...tracesOf(own).map((p) => mtimeOf(files, p)),
	];
	if (signals.every((at) => at === null))
		return verdict("healthy", "no-witness");
	return decideLiveness({ ...facts, signals }, limits);
}

/** Paths that a session writes to while it works; Claude Code keeps large results in a folder beside the transcript. */
export function tracesOf(transcripts: readonly string[]): readonly string[] {
	return transcripts.flatMap((path) => [
		path,
		path.replace(/\.jsonl$/, "/tool-results"),
	]);
}

/** Taken and over before the paste was confirmed: the transcript moved with the paste, and the session is idle again. */
function tookItAtOnce(
	wroteAt: number | null,
	lastPaste: LivenessFacts["lastPaste"],
): boolean {
	return (
		wroteAt !== null &&
		typeof lastPaste === "number" &&
		wroteAt >= lastPaste - CONFIRM_LAG_SECONDS
	);
}
