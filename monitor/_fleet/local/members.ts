/** Who is in a local fleet: what is registered, and the windows of the project's own session (contract 09 §6.2). Pure. */
import type { Entry } from "../../_state/fleet/entries.ts";
import { agentIdOfWindow } from "../../_state/fleet/names.ts";
import type { RegistryEntry } from "../../_state/fleet/registry.ts";
import { isoSeconds } from "../../_state/fleet/time.ts";
import type { Looked, PaneRow, PaneRows, ProcStat } from "../../_sys/doors.ts";
import { sameServer } from "../../_sys/tmux-lookup.ts";
import type { Member } from "../fleet.ts";

export interface TeamFacts {
	readonly registered: readonly Entry<RegistryEntry>[];
	readonly panes: PaneRows;
	readonly targetWindow: string;
	readonly isAgentWindow: (window: string) => boolean;
	readonly stat: (pid: number) => Looked<ProcStat>;
	/** A description: the same folder is never the same agent. */
	readonly cwd: (pid: number) => string | undefined;
	readonly inboxTotal: (agent: string) => number;
}
/** A member, and the pane that it lives in; null: it has none, or nobody could look. */
export interface Located {
	readonly member: Member;
	readonly pane: PaneRow | null;
}

/** In the order of the registry, then of the windows. An entry wins over a window of the same id. */
export function decideTeam(facts: TeamFacts): readonly Located[] {
	const own = facts.registered.map((entry) => registeredMember(facts, entry));
	const taken = new Set(own.map(({ member }) => member.agentId));
	const windows = projectWindows(facts)
		.map((pane) => windowMember(facts, pane))
		.filter(({ member }) => !taken.has(member.agentId));
	return [...own, ...windows];
}

/** The pane of a registered agent: its own while it stands, else the active one of its session. */
export function paneOfSession(
	rows: readonly PaneRow[],
	entry: Pick<RegistryEntry, "tmuxSession" | "tmuxPane" | "tmuxServer">,
): PaneRow | null {
	const all = rows.filter((row) => row.session === entry.tmuxSession);
	const { tmuxPane, tmuxServer } = entry;
	const own = all.find(
		(row) =>
			row.paneId === tmuxPane &&
			tmuxServer !== null &&
			sameServer(row.server, tmuxServer),
	);
	return (
		own ??
		all.find((row) => row.windowActive && row.paneActive) ??
		all[0] ??
		null
	);
}

function registeredMember(
	facts: TeamFacts,
	entry: Entry<RegistryEntry>,
): Located {
	// Its name stays taken.
	if (entry.kind === "damaged")
		return {
			pane: null,
			member: {
				agentId: entry.name,
				role: "unknown",
				isLocal: true,
				tmuxState: "dead",
			},
		};
	const e = entry.value;
	const { panes } = facts;
	const pane = panes.kind === "ok" ? paneOfSession(panes.rows, e) : null;
	return {
		pane,
		member: {
			agentId: e.agentId,
			role: e.role,
			module: e.module,
			runtime: e.runtime,
			worktree: e.worktree,
			branch: e.branch ?? undefined,
			isLocal: true,
			tmuxTarget: pane?.paneId,
			tmuxSession: e.tmuxSession,
			tmuxState: stateOf(facts, e, pane),
			agentPid: e.agentPid ?? undefined,
			agentStart: e.agentStart ?? undefined,
			sessionId: e.sessionId ?? undefined,
			lastSeen: lastSeen(pane),
			inboxTotal: facts.inboxTotal(e.agentId),
		},
	};
}

function stateOf(
	{ panes, stat }: TeamFacts,
	entry: RegistryEntry,
	pane: PaneRow | null,
): Member["tmuxState"] {
	if (panes.kind !== "ok") return "unknown";
	if (pane === null || pane.paneDead === "1") return "dead";
	if (entry.agentPid === null) return "alive";
	const now = stat(entry.agentPid);
	if (now.kind === "absent") return "stale";
	const isAnother =
		now.kind === "ok" &&
		entry.agentStart !== null &&
		now.value.startTicks !== entry.agentStart;
	return isAnother ? "stale" : "alive";
}

/** The active pane of each window in the session that holds the target window; a session that only shows it is not asked. */
function projectWindows(facts: TeamFacts): readonly PaneRow[] {
	const { panes, targetWindow, isAgentWindow } = facts;
	if (panes.kind !== "ok") return [];
	const home = panes.rows.find((row) => row.windowName === targetWindow);
	if (home === undefined) return [];
	return panes.rows.filter(
		(row) =>
			row.sessionId === home.sessionId &&
			row.paneActive &&
			isAgentWindow(row.windowName),
	);
}

function windowMember(facts: TeamFacts, pane: PaneRow): Located {
	const agentId = agentIdOfWindow(pane.windowName);
	const isTarget = pane.windowName === facts.targetWindow;
	return {
		pane,
		member: {
			agentId,
			role: isTarget ? "orchestrator" : "worker",
			runtime: "claude",
			worktree: pane.panePid === null ? undefined : facts.cwd(pane.panePid),
			isLocal: true,
			tmuxTarget: pane.paneId,
			tmuxSession: pane.session,
			tmuxState: pane.paneDead === "1" ? "dead" : "alive",
			lastSeen: lastSeen(pane),
			inboxTotal: facts.inboxTotal(agentId),
		},
	};
}

function lastSeen(pane: PaneRow | null): string | undefined {
	const at = pane?.windowActivity;
	return at ? isoSeconds(at * 1000) : undefined;
}
