/** The team of a local fleet as it stands now, and finding one member of it (contract 09 §6.2). */
import { listInbox } from "../../_state/fleet/inbox.ts";
import { bareName, isAgentName } from "../../_state/fleet/names.ts";
import { registry } from "../../_state/fleet/registry.ts";
import type { PaneRows } from "../../_sys/doors.ts";
import { tmuxFailureText } from "../../_sys/tmux-lookup.ts";
import { fail, ok } from "../failure.ts";
import type { Fleet, R } from "../fleet.ts";
import { isNoServer } from "../session-tags.ts";
import { callerName, type LocalContext } from "./context.ts";
import { decideTeam, type Located, type TeamFacts } from "./members.ts";

type ListPanes = () => Promise<PaneRows>;

async function locateAll(ctx: LocalContext): R<readonly Located[]> {
	const listed = registry.list(ctx.doors, ctx.place.thrumDir);
	if (listed.kind === "unreadable") return fail("failed", listed.why);
	const panes = await ctx.doors.tmux.panes();
	return ok(decideTeam(factsOf(ctx, listed.entries, panes)));
}

/**
 * Null: no such agent. Two windows of one name are refused: nobody could say which is meant. Whoever only looks may give
 * a listing of a moment ago.
 */
export async function locate(
	ctx: LocalContext,
	agent: string,
	listPanes: ListPanes = () => ctx.doors.tmux.panes(),
): R<Located | null> {
	const name = bareName(agent);
	const entry = isAgentName(name)
		? registry.read(ctx.doors, ctx.place.thrumDir, name)
		: ({ kind: "absent" } as const);
	if (entry.kind === "unreadable") return fail("failed", entry.why);
	const registered = entry.kind === "absent" ? [] : [entry];
	const panes = await listPanes();
	// It may be a window of the project.
	const isUnseen = panes.kind !== "ok" && !isNoServer(panes);
	if (entry.kind === "absent" && isUnseen)
		return fail("unreachable", tmuxFailureText(panes));
	const all = decideTeam(factsOf(ctx, registered, panes));
	const own = all.filter(({ member }) => member.agentId === name);
	if (own.length > 1) return fail("refused", `ambiguous name: @${name}`);
	const [only = null] = own;
	return ok(only);
}

function factsOf(
	{ doors, hands, settings, place }: LocalContext,
	registered: TeamFacts["registered"],
	panes: PaneRows,
): TeamFacts {
	const { stat, cwd } = doors.proc;
	return {
		registered,
		panes,
		targetWindow: settings.targetWindow,
		isAgentWindow: hands.agentWindows(),
		stat: (pid) => stat(pid),
		cwd: (pid) => {
			const found = cwd(pid);
			return found.kind === "ok" ? found.value : undefined;
		},
		inboxTotal: (agent) => {
			const box = listInbox(doors.files, place.thrumDir, agent);
			return box.kind === "ok" ? box.letters.length : 0;
		},
	};
}

/** `whoami` knows a caller by his environment, registered or not; null for one who has no name. */
export function localTeam(
	ctx: LocalContext,
): Pick<Fleet, "whoami" | "team" | "member"> {
	return {
		whoami: async () => {
			const name = callerName(ctx);
			if (name === null) return ok(null);
			const found = await locate(ctx, name);
			if (found.kind !== "ok" && found.kind !== "unreachable") return found;
			const seen = found.kind === "ok" ? found.value : null;
			// Registered or not, it is who calls.
			const unknown = {
				role: "",
				isLocal: true,
				tmuxState: "unknown",
			} as const;
			return ok(seen?.member ?? { agentId: name, ...unknown });
		},
		team: async (o = {}) => {
			const all = await locateAll(ctx);
			if (all.kind !== "ok") return all;
			const members = all.value.map(({ member }) => member);
			return ok(
				(o.includeOffline ?? true)
					? members
					: members.filter(({ tmuxState }) => tmuxState !== "dead"),
			);
		},
		member: async (agentId) => {
			const found = await locate(ctx, agentId);
			return found.kind === "ok" ? ok(found.value?.member ?? null) : found;
		},
	};
}
