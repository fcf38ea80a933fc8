/** Who is in the fleet already, and what has the name of the new one (contract 09 §10.1). */
import { failureText } from "../../monitor/_fleet/failure.ts";
import type { Done, Fleet } from "../../monitor/_fleet/fleet.ts";
import { branchExists } from "../../monitor/_fleet/git.ts";
import { findSession } from "../../monitor/_fleet/session-tags.ts";
import { isUser, sessionNameOf } from "../../monitor/_state/fleet/names.ts";
import { startJournalPath } from "../../monitor/_state/fleet/start-journal.ts";
import { watchParamsPath } from "../../monitor/_state/fleet/watch-params.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { branchOf, monitorNameOf } from "./plan.ts";
import type { MemberLook } from "./preflight.ts";

/** What has the name, or why nobody could tell. */
export async function takenBy(
	{ files, tmux, proc }: Doors,
	fleet: Fleet,
	name: string,
	worktree: Done<string>,
): Promise<readonly string[]> {
	const session = sessionNameOf(name);
	const params = watchParamsPath(fleet.thrumDir, name);
	const branch = branchOf(name);
	const is = <T>(
		what: string,
		asked: Done<T>,
		taken: (value: T) => string | null,
	) => {
		if (asked.kind !== "ok")
			return [`could not look for ${what}: ${failureText(asked)}`];
		const found = taken(asked.value);
		return found === null ? [] : [found];
	};
	const exists = (what: string) => (there: boolean) =>
		there ? `${what} exists` : null;
	const sessions = await findSession(tmux, session);
	const known = await fleet.sessionExists(session);
	const anySession: Done<boolean> =
		known.kind === "ok" && sessions.kind === "ok"
			? { kind: "ok", value: known.value || sessions.value !== null }
			: known.kind === "ok"
				? { kind: "ok", value: known.value }
				: known;
	const taken = [
		...is(`agent ${name}`, await fleet.member(name), (member) =>
			member === null ? null : `agent ${name} is in the team (${member.role})`,
		),
		...is(`session ${session}`, anySession, exists(`session ${session}`)),
		...(files.lstat(params).kind === "absent" ? [] : [`${params} exists`]),
		...is("the worktree's path", worktree, (path) =>
			files.lstat(path).kind === "absent" ? null : `${path} exists`,
		),
		...is(
			`branch ${branch}`,
			await branchExists(proc, fleet.repoRoot, branch),
			exists(`branch ${branch}`),
		),
		...is(
			"monitors",
			await fleet.monitorShow(monitorNameOf(name)),
			(view) => view && `monitor ${view.name} exists (${view.status})`,
		),
	];
	// Of a start that was killed, or could not undo all.
	const journal = startJournalPath(fleet.thrumDir, name);
	return taken.length > 0 && files.lstat(journal).kind === "ok"
		? [...taken, `an earlier start of ${name} left what ${journal} lists`]
		: taken;
}

/** The team is asked once; whoever it does not show is asked for by name, with the reason when that fails. */
export async function membersOf(
	fleet: Fleet,
	names: readonly string[],
): Promise<ReadonlyMap<string, MemberLook>> {
	const team = await fleet.team({ includeOffline: true });
	const listed = team.kind === "ok" ? team.value : [];
	const looks = new Map<string, MemberLook>();
	for (const name of new Set(names)) {
		const own = listed.filter(({ agentId }) => agentId === name);
		const [only] = own;
		if (only !== undefined && own.length === 1) {
			looks.set(name, { kind: "found", role: only.role });
			continue;
		}
		const asked = await fleet.member(name);
		if (asked.kind !== "ok" && isUser(name))
			looks.set(name, { kind: "absent" });
		else if (asked.kind !== "ok")
			looks.set(name, { kind: "unknown", why: failureText(asked) });
		else if (asked.value === null) looks.set(name, { kind: "absent" });
		else looks.set(name, { kind: "found", role: asked.value.role });
	}
	return looks;
}
