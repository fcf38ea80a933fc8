/** Worktrees and sessions through thrum (contract 09 §5). */
import { numberAt, textAt } from "../../_state/json-object.ts";
import { fail, ok } from "../failure.ts";
import type { Fleet, FleetCaps, R } from "../fleet.ts";
import { branchExists } from "../git.ts";
import type { FleetDeps } from "../open.ts";
import type { FleetPlace } from "../paths.ts";
import { findSession, isRun, tagSession } from "../session-tags.ts";
import { ARGV } from "./argv.ts";
import { SLOW_MS, type Thrum } from "./call.ts";
import { CAP_NAMES } from "./caps.ts";
import { jsonIn, sessionsIn } from "./parse.ts";

type SessionCalls = Pick<
	Fleet,
	| "worktreeCreate"
	| "worktreeRemove"
	| "sessionCreate"
	| "sessionLaunch"
	| "sessionExists"
	| "sessionKill"
	| "sessionRestart"
>;
const SLOW = { timeoutMs: SLOW_MS };

/** Refused where the build cannot pin a model: the session would run on whatever the daemon likes. */
export function thrumSessions(
	{ doors }: FleetDeps,
	place: FleetPlace,
	thrum: Thrum,
	caps: () => R<FleetCaps>,
): SessionCalls {
	/** Without the pin a session would run on whatever the daemon likes. */
	async function pinned<T>(act: () => R<T>): R<T> {
		const can = await caps();
		if (can.kind !== "ok") return can;
		return can.value.modelPin
			? act()
			: fail("refused", `this thrum has no ${CAP_NAMES.modelPin}`);
	}

	return {
		worktreeCreate: async (name, o = {}) => {
			const branch = o.branch ?? `feature/${name}`;
			const stood = await branchExists(doors.proc, place.repoRoot, branch);
			if (stood.kind !== "ok") return stood;
			const made = await thrum(ARGV.worktreeCreate(name, o), SLOW);
			if (made.kind !== "ok") return made;
			const { stdout } = made.value;
			const json = jsonIn(stdout);
			const path = textAt(json, "worktree_path");
			if (path === null)
				return fail("failed", "thrum worktree create: no path in its answer");
			return ok({
				path,
				branch: textAt(json, "branch") ?? branch,
				reused: /^✓ Worktree reused/m.test(stdout),
				branchCreated: !stood.value,
			});
		},
		worktreeRemove: async (_worktree, name, { deleteBranch }) =>
			done(await thrum(ARGV.worktreeRemove(name, deleteBranch), SLOW)),
		sessionCreate: (s) =>
			pinned(async () => {
				const made = await thrum(ARGV.sessionCreate(s), SLOW);
				if (made.kind !== "ok") return made;
				const named = textAt(jsonIn(made.value.stdout), "session");
				return tagSession(doors.tmux, named ?? s.session, s.runId);
			}),
		sessionLaunch: (s) =>
			pinned(async () => {
				const started = await thrum(ARGV.sessionLaunch(s), SLOW);
				return started.kind === "ok" ? ok({}) : started;
			}),
		sessionExists: async (session) => {
			const asked = await thrum(ARGV.sessions);
			if (asked.kind !== "ok") return asked;
			const rows = sessionsIn(jsonIn(asked.value.stdout));
			return rows === null
				? fail("failed", "thrum tmux status: no session list in its answer")
				: ok(rows.some(({ name }) => name === session));
		},
		sessionKill: async (session, o = {}) => {
			if (o.onlyRunId !== undefined) {
				const found = await findSession(doors.tmux, session);
				if (found.kind !== "ok") return found;
				if (found.value === null || !isRun(found.value, o.onlyRunId))
					return ok(false);
			}
			const killed = await thrum(ARGV.sessionKill(session));
			if (killed.kind === "not-found") return ok(false);
			return killed.kind === "ok" ? ok(true) : killed;
		},
		sessionRestart: (session, o) =>
			pinned(async () => {
				const begun = await thrum(ARGV.sessionRestart(session, o), SLOW);
				if (begun.kind !== "ok") return begun;
				const lines = numberAt(jsonIn(begun.value.stdout), "snapshot_lines");
				return ok({ snapshotLines: lines ?? 0 });
			}),
	};
}

function done(called: Awaited<ReturnType<Thrum>>): Awaited<R<void>> {
	return called.kind === "ok" ? ok(undefined) : called;
}
