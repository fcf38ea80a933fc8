/** A new session of a local fleet: made, tagged, registered, or not there at all (contract 09 §6.3). */
import { writeIdentity } from "../../_state/fleet/identity.ts";
import { isAgentName, sessionNameOf } from "../../_state/fleet/names.ts";
import { type RegistryEntry, registry } from "../../_state/fleet/registry.ts";
import { isoSeconds } from "../../_state/fleet/time.ts";
import { tmuxFailureText } from "../../_sys/tmux-lookup.ts";
import { fail, ok } from "../failure.ts";
import type { FleetFailure, R, SessionRequest } from "../fleet.ts";
import { currentBranch } from "../git.ts";
import {
	DIR_TAG,
	listSessions,
	MANAGED_TAG,
	tagSession,
} from "../session-tags.ts";
import type { LocalContext } from "./context.ts";
import { sessionEnv } from "./environment.ts";
import { ensureFleetStore } from "./store.ts";

/** A detached session has no terminal to take its size from; 80 columns would wrap what is read. */
const SIZE = { width: 200, height: 50 };

/** What fails after the session was made takes it away again. */
export async function createSession(
	ctx: LocalContext,
	s: SessionRequest,
): R<void> {
	const why = await refusal(ctx, s);
	if (why !== null) return why;
	const { doors, place } = ctx;
	const store = await ensureFleetStore(ctx, place);
	if (store.kind !== "ok") return store;
	const { tmux, proc } = doors;
	const global = await tmux.globalEnvironment();
	const text = global.kind === "ok" ? global.stdout : "";
	const made = await tmux.run({
		kind: "new-session",
		name: s.session,
		// The name is the key of the paste lock.
		windowName: s.agent,
		cwd: s.cwd,
		...SIZE,
		env: sessionEnv(s, place.thrumDir, proc.env, text),
	});
	if (made.kind !== "ok") return fail("failed", tmuxFailureText(made));
	const [, sessionId = "", windowId] =
		/^(\$\d+)\|(@\d+)\|%\d+$/.exec(made.stdout.trim()) ?? [];
	const problem =
		(await keepName(ctx, windowId)) ??
		failureOf(
			await tagSession(tmux, s.session, s.runId, {
				[MANAGED_TAG]: "1",
				[DIR_TAG]: place.thrumDir,
			}),
		) ??
		(await register(ctx, s));
	if (problem === null) return ok(undefined);
	await tmux.run({ kind: "kill-session", target: sessionId });
	return problem;
}

/** Why the session must not be made; null: it may. */
async function refusal(
	ctx: LocalContext,
	s: SessionRequest,
): Promise<FleetFailure | null> {
	if (!isAgentName(s.agent)) return fail("usage", `no agent name: ${s.agent}`);
	if (sessionNameOf(s.session) !== s.session || s.session === "")
		return fail("usage", `no session name: ${s.session}`);
	const listed = await listSessions(ctx.doors.tmux);
	if (listed.kind !== "ok") return listed;
	if (listed.value.some((row) => row.session === s.session))
		return fail("exists", `session ${s.session} already exists`);
	const entries = registry.list(ctx.doors, ctx.place.thrumDir);
	if (entries.kind === "unreadable") return fail("failed", entries.why);
	const live = new Set(listed.value.map((row) => row.session));
	for (const entry of entries.entries) {
		if (entry.kind === "damaged") {
			if (entry.name === s.agent)
				return fail("exists", `the entry of @${s.agent} is damaged`);
			continue;
		}
		const { agentId, worktree, tmuxSession } = entry.value;
		if (!live.has(tmuxSession)) continue;
		if (agentId === s.agent || worktree === s.cwd)
			return fail("exists", `agent @${agentId} already lives in ${worktree}`);
	}
	return null;
}

/** The name that we know the window by stays, whatever runs in it. Null: done. */
async function keepName(
	{ doors }: LocalContext,
	windowId: string | undefined,
): Promise<FleetFailure | null> {
	if (windowId === undefined)
		return fail("failed", "new-session returned no id");
	for (const name of ["automatic-rename", "allow-rename"]) {
		const set = await doors.tmux.run({
			kind: "set-option",
			scope: "window",
			target: windowId,
			name,
			value: "off",
		});
		if (set.kind !== "ok") return fail("failed", tmuxFailureText(set));
	}
	return null;
}

async function register(
	{ doors, place }: LocalContext,
	s: SessionRequest,
): Promise<FleetFailure | null> {
	const at = isoSeconds(doors.clock.nowMs());
	const branch = await currentBranch(doors.proc, s.cwd);
	const known = {
		role: s.role,
		module: s.module,
		runtime: s.runtime ?? "claude",
		worktree: s.cwd,
		branch: branch.kind === "ok" ? branch.value : null,
		intent: s.intent ?? null,
		tmuxSession: s.session,
		agentPid: null,
	};
	const entry: RegistryEntry = {
		...known,
		agentId: s.agent,
		tmuxPane: null,
		tmuxServer: null,
		agentStart: null,
		sessionId: null,
		model: s.model,
		effort: s.effort,
		runId: s.runId,
		registeredAt: at,
	};
	const { thrumDir } = place;
	const before = registry.read(doors, thrumDir, s.agent);
	const written = registry.write(doors, thrumDir, entry);
	if (written.kind !== "ok") return fail("failed", written.reason);
	const identity = { ...known, name: s.agent, updatedAt: at };
	const signed = writeIdentity(doors.files, identity);
	if (signed.kind === "ok") return null;
	if (before.kind === "absent") registry.remove(doors, thrumDir, s.agent);
	return fail("failed", signed.reason);
}

function failureOf(
	done: { readonly kind: "ok" } | FleetFailure,
): FleetFailure | null {
	return done.kind === "ok" ? null : done;
}
