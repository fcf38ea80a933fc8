/** Undoes what a start made, in reverse, and nothing else (contract 09 §10.3). */
import { failureText } from "../../monitor/_fleet/failure.ts";
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import {
	branchExists,
	listWorktrees,
	ownCommits,
} from "../../monitor/_fleet/git.ts";
import { findSession } from "../../monitor/_fleet/session-tags.ts";
import { sessionNameOf } from "../../monitor/_state/fleet/names.ts";
import type {
	JournalEntry,
	Thing,
} from "../../monitor/_state/fleet/start-journal.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";

export interface RollbackReport {
	readonly removed: readonly string[];
	readonly left: readonly { readonly thing: string; readonly why: string }[];
}
export interface RollbackHands {
	readonly doors: Pick<Doors, "files" | "proc" | "tmux">;
	readonly fleet: Fleet;
	readonly name: string;
	/** Null: done, or there was nothing to take back. */
	readonly distrust: (folder: string) => Promise<string | null>;
}

/** Each undo is tried once; one that fails keeps none behind it from being tried. */
export async function rollback(
	entries: readonly JournalEntry[],
	hands: RollbackHands,
): Promise<RollbackReport> {
	const removed: string[] = [];
	const left: RollbackReport["left"][number][] = [];
	for (const entry of entries.toReversed()) {
		const undone = await undo(entry, hands).catch((cause) =>
			stays(entry.thing.step, String(cause)),
		);
		removed.push(...undone.removed);
		left.push(...undone.left);
	}
	return { removed, left };
}

const NOTHING: RollbackReport = { removed: [], left: [] };

function gone(...removed: readonly string[]): RollbackReport {
	return { removed, left: [] };
}
function stays(thing: string, why: string): RollbackReport {
	return { removed: [], left: [{ thing, why }] };
}

async function undo(
	{ thing, done }: JournalEntry,
	hands: RollbackHands,
): Promise<RollbackReport> {
	switch (thing.step) {
		case "tell":
			return thing.told.length === 0
				? NOTHING
				: stays(
						`messages to ${thing.told.join(", ")}`,
						"what was told cannot be recalled",
					);
		case "monitor":
			return undoMonitor(thing, hands.fleet);
		case "scripts": {
			const count = thing.files.length;
			const what = `scripts (${count} file${count === 1 ? "" : "s"})`;
			return removeFiles(hands, thing.files, what);
		}
		case "launch":
			return removeFiles(hands, thing.files, null);
		case "session":
			return undoSession(thing, hands.fleet);
		case "params":
			return undoParams(thing, hands);
		case "worktree":
			return withoutTrust(thing, await undoWorktree(thing, done, hands), hands);
	}
}

/** A deletion: one that is only stopped keeps its name. */
async function undoMonitor(
	{ name, target }: Extract<Thing, { step: "monitor" }>,
	fleet: Fleet,
): Promise<RollbackReport> {
	const what = `monitor ${name}`;
	const shown = await fleet.monitorShow(name);
	if (shown.kind !== "ok") return stays(what, failureText(shown));
	if (shown.value === null) return NOTHING;
	if (shown.value.target !== target)
		return stays(what, `it tells @${shown.value.target}: not ours`);
	const deleted = await fleet.monitorDelete(name);
	return deleted.kind === "ok" ? gone(what) : stays(what, failureText(deleted));
}

/** By the tag of this run: never a session of the same name that somebody else made. */
async function undoSession(
	{ session, runId }: Extract<Thing, { step: "session" }>,
	fleet: Fleet,
): Promise<RollbackReport> {
	const what = `session ${session}`;
	const killed = await fleet.sessionKill(session, { onlyRunId: runId });
	if (killed.kind !== "ok") return stays(what, failureText(killed));
	if (killed.value) return gone(what);
	const stands = await fleet.sessionExists(session);
	if (stands.kind !== "ok") return stays(what, failureText(stands));
	return stands.value
		? stays(what, "it does not carry the tag of this run")
		: NOTHING;
}

function undoParams(
	{ files: paths, dir, dirMade }: Extract<Thing, { step: "params" }>,
	hands: RollbackHands,
): RollbackReport {
	const { files } = hands.doors;
	const undone = removeFiles(hands, paths, "params");
	const inside = files.list(dir);
	if (!dirMade || inside.kind !== "ok") return undone;
	if (inside.names.length === 0) {
		files.removeTree(dir);
		return undone;
	}
	const why = `it holds what the start did not make: ${inside.names.join(", ")}`;
	return { ...undone, left: [...undone.left, { thing: dir, why }] };
}

/** `what` names them; null: not worth a word when they go. */
function removeFiles(
	{ doors }: RollbackHands,
	paths: readonly string[],
	what: string | null,
): RollbackReport {
	const there = paths.filter((p) => doors.files.lstat(p).kind !== "absent");
	const left = there.flatMap((path) => {
		const done = doors.files.remove(path);
		return done.kind === "ok" ? [] : [{ thing: path, why: done.reason }];
	});
	const allGone = there.length > 0 && left.length === 0;
	return { removed: allGone && what !== null ? [what] : [], left };
}

/** Of a folder that stands, Claude Code may go on knowing what it was told. */
async function withoutTrust(
	{ path, newlyTrusted }: Extract<Thing, { step: "worktree" }>,
	undone: RollbackReport,
	{ doors, distrust }: RollbackHands,
): Promise<RollbackReport> {
	const isGone = doors.files.lstat(path).kind === "absent";
	const why = newlyTrusted && isGone ? await distrust(path) : null;
	if (why === null) return undone;
	const thing = `the trust of ${path} in Claude Code's configuration`;
	return { ...undone, left: [...undone.left, { thing, why }] };
}

/** A branch with commits of its own stays: the agent may have made them. */
async function undoWorktree(
	{
		path: planned,
		branch,
		branchCreated,
	}: Extract<Thing, { step: "worktree" }>,
	done: boolean,
	{ doors, fleet, name }: RollbackHands,
): Promise<RollbackReport> {
	const { proc, files } = doors;
	const { repoRoot } = fleet;
	const trees = await listWorktrees(proc, repoRoot);
	if (trees.kind !== "ok")
		return stays(`worktree ${planned}`, failureText(trees));
	// An act that died half way: it may stand elsewhere than was planned.
	const standing = trees.value.find((tree) => tree.branch === branch)?.path;
	const path = done ? planned : (standing ?? planned);
	const there = () => files.lstat(path).kind !== "absent";
	const stood = await branchExists(proc, repoRoot, branch);
	if (stood.kind !== "ok") return stays(`branch ${branch}`, failureText(stood));
	const wasThere = there();
	if (!wasThere && !stood.value) return NOTHING;
	const held = wasThere ? await heldBySession(doors, fleet, name) : null;
	if (held !== null) return stays(`worktree ${path}`, held);
	const own = stood.value ? await ownCommits(proc, repoRoot, branch) : null;
	const deleteBranch =
		branchCreated && own !== null && own.kind === "ok" && own.value === 0;
	const worktree = { path, branch, reused: false, branchCreated };
	const gone = await fleet.worktreeRemove(worktree, name, { deleteBranch });
	const why = gone.kind === "ok" ? "it still stands" : failureText(gone);
	const left = await branchExists(proc, repoRoot, branch);
	const removed = wasThere && !there() ? [`worktree ${path}`] : [];
	const stay = there() ? [{ thing: `worktree ${path}`, why }] : [];
	if (!stood.value || !branchCreated) return { removed, left: stay };
	return left.kind === "ok" && !left.value
		? { removed: [...removed, `branch ${branch}`], left: stay }
		: {
				removed,
				left: [...stay, { thing: `branch ${branch}`, why: whyKept(own, why) }],
			};
}

/** Thrum ends the session of a worktree that it removes; ours is gone by now, and another's must stand. Null: none does. */
async function heldBySession(
	{ tmux }: RollbackHands["doors"],
	fleet: Fleet,
	name: string,
): Promise<string | null> {
	if (fleet.backend !== "thrum") return null;
	const session = sessionNameOf(name);
	const stands = await findSession(tmux, session);
	if (stands.kind !== "ok") return failureText(stands);
	return stands.value !== null
		? `its removal would end the session ${session}, which is not of this run`
		: null;
}

function whyKept(
	own: Awaited<ReturnType<typeof ownCommits>> | null,
	why: string,
): string {
	if (own?.kind === "ok" && own.value > 0)
		return `it has ${own.value} commit(s) of its own`;
	return own !== null && own.kind !== "ok" ? failureText(own) : why;
}
