/** Sessions of a local fleet: one agent, one tmux session with its tags (contract 09 §6.3). */
import { type RegistryEntry, registry } from "../../_state/fleet/registry.ts";
import { tmuxFailureText } from "../../_sys/tmux-lookup.ts";
import { fail, ok } from "../failure.ts";
import type { Fleet, FleetFailure, R, SessionRequest } from "../fleet.ts";
import { findSession, isRun } from "../session-tags.ts";
import type { LocalContext } from "./context.ts";
import { launch } from "./launch.ts";
import { createSession } from "./new-session.ts";

/** `onlyRunId` kills that very run and no later session of the name. */
export function localSessions(
	ctx: LocalContext,
): Pick<
	Fleet,
	| "sessionCreate"
	| "sessionLaunch"
	| "sessionExists"
	| "sessionKill"
	| "sessionRestart"
> {
	const { tmux } = ctx.doors;
	return {
		sessionCreate: (s) => createSession(ctx, s),
		sessionLaunch: async (s) => {
			const entry = entryOf(ctx, s.session);
			return entry.kind === "ok" ? launch(ctx, entry.value, s) : entry;
		},
		sessionExists: async (session) => {
			const found = await findSession(tmux, session);
			return found.kind === "ok" ? ok(found.value !== null) : found;
		},
		sessionKill: (session, o = {}) => kill(ctx, session, o.onlyRunId),
		/** Monitors and params outlive it; the conversation does not. */
		sessionRestart: async (session, pin) => {
			const found = entryOf(ctx, session);
			if (found.kind !== "ok") return found;
			const entry = found.value;
			const ended = await kill(ctx, session, undefined);
			if (ended.kind !== "ok") return ended;
			const runtime = pin.runtime ?? entry.runtime;
			const request = { ...requestOf(entry), ...pin, runtime };
			const made = await createSession(ctx, request);
			if (made.kind !== "ok") return made;
			const fresh = entryOf(ctx, session);
			if (fresh.kind !== "ok") return fresh;
			const begun = await launch(ctx, fresh.value, { ...request, runtime });
			return begun.kind === "ok"
				? ok({ snapshotLines: 0, ...begun.value })
				: begun;
		},
	};
}

/** False: there was no such session, or it is another run's. */
async function kill(
	{ doors }: LocalContext,
	session: string,
	onlyRunId: string | undefined,
): R<boolean> {
	const found = await findSession(doors.tmux, session);
	if (found.kind !== "ok") return found;
	if (found.value === null) return ok(false);
	if (onlyRunId !== undefined && !isRun(found.value, onlyRunId))
		return ok(false);
	const target = found.value.sessionId;
	const killed = await doors.tmux.run({ kind: "kill-session", target });
	const left = await findSession(doors.tmux, session);
	if (left.kind === "ok" && left.value === null) return ok(true);
	const why =
		killed.kind === "ok" ? "it still stands" : tmuxFailureText(killed);
	return fail("failed", `session ${session}: ${why}`);
}

function entryOf(
	{ doors, place }: LocalContext,
	session: string,
): { readonly kind: "ok"; readonly value: RegistryEntry } | FleetFailure {
	const listed = registry.list(doors, place.thrumDir);
	if (listed.kind === "unreadable") return fail("failed", listed.why);
	for (const entry of listed.entries)
		if (entry.kind === "ok" && entry.value.tmuxSession === session)
			return { kind: "ok", value: entry.value };
	return fail("not-found", `no agent with session ${session}`);
}

function requestOf(entry: RegistryEntry): SessionRequest {
	return {
		session: entry.tmuxSession,
		cwd: entry.worktree,
		agent: entry.agentId,
		role: entry.role,
		module: entry.module,
		...(entry.intent === null ? {} : { intent: entry.intent }),
		runtime: entry.runtime,
		model: entry.model,
		effort: entry.effort,
		runId: entry.runId,
	};
}
