/** Is everybody on the roster somebody? A name that nobody has is watched by nobody (contract 09 §12.2 step 2). */
import type { Fleet, Member } from "../../monitor/_fleet/fleet.ts";
import type { RosterEntry } from "../../monitor/_state/fleet/watch-params.ts";

export interface RosterCheck {
	/** `unknown`: of some the fleet could not say; nothing is claimed of them. */
	readonly kind: "ok" | "failed" | "unknown";
	readonly line: string;
	readonly members: ReadonlyMap<string, Member>;
}

/** The team at one go; who is not in it is asked for by name. */
export async function checkRoster(
	fleet: Pick<Fleet, "team" | "member">,
	roster: readonly RosterEntry[],
): Promise<RosterCheck> {
	const team = await fleet.team({ includeOffline: true });
	const known = team.kind === "ok" ? team.value : [];
	const members = new Map(known.map((member) => [member.agentId, member]));
	const strangers: string[] = [];
	const unclear: string[] = [];
	for (const { agentId } of roster) {
		if (members.has(agentId)) continue;
		const found = await fleet.member(agentId);
		if (found.kind !== "ok") unclear.push(agentId);
		else if (found.value === null) strangers.push(agentId);
		else members.set(agentId, found.value);
	}
	if (strangers.length > 0)
		return {
			kind: "failed",
			line: `ROSTER-CHECK FAIL: no such agent(s): ${strangers.join(" ")} — remove or fix before trusting this run's coverage`,
			members,
		};
	if (unclear.length > 0)
		return {
			kind: "unknown",
			line: `ROSTER-CHECK UNKNOWN: the fleet could not be asked for: ${unclear.join(" ")}`,
			members,
		};
	const line = `ROSTER-CHECK OK: ${roster.length} entries resolve`;
	return { kind: "ok", line, members };
}
