/** The team of a local fleet as it stands now, and finding one member of it (contract 09 §6.2). */
import { listInbox } from "../../_state/fleet/inbox.ts";
import { bareName } from "../../_state/fleet/names.ts";
import { listRegistered } from "../../_state/fleet/registry.ts";
import { fail, ok } from "../failure.ts";
import type { Fleet, R } from "../fleet.ts";
import { callerName, type LocalContext } from "./context.ts";
import { decideTeam, type Located } from "./members.ts";

export async function locateAll(ctx: LocalContext): R<readonly Located[]> {
	const { doors, hands, settings, place } = ctx;
	const { thrumDir } = place;
	const registered = listRegistered(doors, thrumDir);
	if (registered.kind === "unreadable") return fail("failed", registered.why);
	const { stat, cwd } = doors.proc;
	return ok(
		decideTeam({
			registered: registered.entries,
			panes: await doors.tmux.panes(),
			targetWindow: settings.targetWindow,
			isAgentWindow: hands.isAgentWindow,
			stat: (pid) => stat(pid),
			cwd: (pid) => {
				const found = cwd(pid);
				return found.kind === "ok" ? found.value : undefined;
			},
			inboxTotal: (agent) => {
				const box = listInbox(doors.files, thrumDir, agent);
				return box.kind === "ok" ? box.letters.length : 0;
			},
		}),
	);
}

/** Null: no such agent. Two windows of one name are refused: nobody could say which is meant. */
export async function locate(
	ctx: LocalContext,
	agent: string,
): R<Located | null> {
	const all = await locateAll(ctx);
	if (all.kind !== "ok") return all;
	const name = bareName(agent);
	const own = all.value.filter(({ member }) => member.agentId === name);
	if (own.length > 1) return fail("refused", `ambiguous name: @${name}`);
	const [only = null] = own;
	return ok(only);
}

export function localTeam(
	ctx: LocalContext,
): Pick<Fleet, "whoami" | "team" | "member"> {
	return {
		whoami: async () => {
			const name = callerName(ctx);
			if (name === null) return ok(null);
			const found = await locate(ctx, name);
			if (found.kind !== "ok") return found;
			// Registered or not, it is who calls.
			const unknown = {
				role: "",
				isLocal: true,
				tmuxState: "unknown",
			} as const;
			return ok(found.value?.member ?? { agentId: name, ...unknown });
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
