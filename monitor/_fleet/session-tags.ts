/** Which sessions are ours: user options that tmux keeps with a session (contract 09 §5, §6.3). */
import type { SessionRow, Tmux, TmuxFailure } from "../_sys/doors.ts";
import { tmuxFailureText } from "../_sys/tmux-lookup.ts";
import { fail, ok } from "./failure.ts";
import type { R } from "./fleet.ts";

const RUN_TAG = "@fleet-run";
export const MANAGED_TAG = "@thrum-managed";
export const DIR_TAG = "@thrum-thrum-dir";
const TAGS = [RUN_TAG, MANAGED_TAG, DIR_TAG] as const;

/** By exact name, with its tags; null: tmux answered, and there is none. */
export async function findSession(
	tmux: Tmux,
	name: string,
): R<SessionRow | null> {
	const listed = await listSessions(tmux);
	if (listed.kind !== "ok") return listed;
	return ok(listed.value.find((row) => row.session === name) ?? null);
}

/** Without a server there are no sessions; any other failure is "could not look". */
export async function listSessions(tmux: Tmux): R<readonly SessionRow[]> {
	const listed = await tmux.sessions(TAGS);
	if (listed.kind === "ok") return ok(listed.rows);
	return isNoServer(listed)
		? ok([])
		: fail("unreachable", tmuxFailureText(listed));
}

/** tmux says itself that nothing of it runs; every other failure is "could not look". */
export function isNoServer(failure: TmuxFailure): boolean {
	return (
		failure.kind === "failed" &&
		/^no server running|^error connecting to .*\(No such file or directory\)/m.test(
			failure.stderr,
		)
	);
}

/** The very run, not another session of that name. */
export function isRun(row: SessionRow, runId: string): boolean {
	return row.options[RUN_TAG] === runId;
}

/** A tag that does not stick fails: nobody could tell later whose session it is. */
export async function tagSession(
	tmux: Tmux,
	session: string,
	runId: string,
	tags: Readonly<Record<string, string>> = {},
): R<void> {
	const found = await findSession(tmux, session);
	if (found.kind !== "ok") return found;
	if (found.value === null) return fail("failed", `no session ${session}`);
	const target = found.value.sessionId;
	for (const [name, value] of Object.entries({ ...tags, [RUN_TAG]: runId })) {
		const set = await tmux.run({
			kind: "set-option",
			scope: "session",
			target,
			name,
			value,
		});
		if (set.kind !== "ok") return fail("failed", tmuxFailureText(set));
	}
	const again = await findSession(tmux, session);
	if (again.kind !== "ok") return again;
	return again.value !== null && isRun(again.value, runId)
		? ok(undefined)
		: fail("failed", `the tag ${RUN_TAG} of ${session} does not stick`);
}
