/** Who is in a fleet that thrum keeps (contract 09 §5). */
import { fail, ok } from "../failure.ts";
import type { Fleet, FleetCaps, Member, R } from "../fleet.ts";
import { ARGV } from "./argv.ts";
import type { Thrum } from "./call.ts";
import { jsonIn, memberOf, membersIn } from "./parse.ts";

type TeamCalls = Pick<Fleet, "whoami" | "team" | "member">;

/** Offline members are in a team unless they are asked to be left out. */
export function thrumTeam(thrum: Thrum, caps: () => R<FleetCaps>): TeamCalls {
	async function listed(argv: readonly string[]): R<readonly Member[]> {
		const asked = await thrum(argv);
		if (asked.kind !== "ok") return asked;
		const members = membersIn(jsonIn(asked.value.stdout));
		return members === null
			? fail("failed", "thrum team: no member list in its answer")
			: ok(members);
	}
	async function everybody(): R<readonly Member[]> {
		const can = await caps();
		return can.kind === "ok" ? listed(ARGV.team(can.value.scopedTeam)) : can;
	}

	return {
		whoami: async () => {
			const asked = await thrum(ARGV.whoami);
			if (asked.kind === "ok") {
				const json = jsonIn(asked.value.stdout);
				return json === undefined
					? fail("failed", "thrum whoami: no JSON in its answer")
					: ok(memberOf(json));
			}
			const nobody =
				asked.kind === "not-found" || /identity/i.test(asked.stderr);
			return nobody ? ok(null) : asked;
		},
		team: async (o = {}) => {
			const all = await everybody();
			if (all.kind !== "ok" || (o.includeOffline ?? true)) return all;
			return ok(all.value.filter((m) => !isOffline(m)));
		},
		member: async (agentId) => {
			const can = await caps();
			if (can.kind !== "ok") return can;
			const scoped = can.value.scopedTeam
				? await listed(ARGV.member(agentId))
				: await everybody();
			if (scoped.kind === "not-found") return ok(null);
			// A build that does not know the scope: the whole team says it too.
			const all = scoped.kind === "usage" ? await everybody() : scoped;
			if (all.kind !== "ok") return all;
			return ok(all.value.find((m) => m.agentId === agentId) ?? null);
		},
	};
}

function isOffline({ state, tmuxState }: Member): boolean {
	return state === undefined
		? tmuxState === "dead"
		: /^(?:offline|dead)$/.test(state);
}
