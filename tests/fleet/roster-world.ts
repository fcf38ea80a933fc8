import { ok } from "../../monitor/_fleet/failure.ts";
import type {
	Fleet,
	FleetFailure,
	Member,
} from "../../monitor/_fleet/fleet.ts";
import { runRosterPass } from "../../resources/_roster-watch/pass.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { memberOf, type Pictures, stubFleet, unseen } from "./stub-fleet.ts";

export const T = "/srv/app/.thrum";
export const WORKTREE = "/srv/app/.worktrees/night";
export const OUT = `${T}/agents/night/watch-captures`;
/** 2026-01-01T12:30:15Z. */
export const START = 1_767_270_615;
export const AT = "2026-01-01T12:30:15.000000Z";
export const STAMP = "20260101-123015-000000";
export const FILE = `${OUT}/roster-capture-${STAMP}.txt`;
export const READY = `roster capture ready: ${FILE} (${AT})`;
export const PLAIN = `${READY} — reconcile roster state and linked queue waits`;
export const DENIED = unseen("caller lacks required capability tmux.capture");
export const GONE = unseen("no session");

export interface Setting {
	readonly params?: object | string;
	readonly pictures?: Pictures;
	readonly members?: Readonly<Record<string, Member | null | FleetFailure>>;
	readonly fleet?: Partial<Fleet>;
	readonly env?: Record<string, string>;
}

export function world({
	params,
	pictures = {},
	members = {},
	fleet: part,
	env = {},
}: Setting) {
	const doors = fakeDoors({ auto: true, now: START, proc: { env } });
	doors.files.seedDir(T);
	const text = typeof params === "string" ? params : JSON.stringify(params);
	if (params !== undefined)
		doors.files.seed(`${T}/agents/night/watch_params.json`, text);
	const fleet = stubFleet(pictures, {
		member: async (agent) => {
			const m = members[agent];
			if (m === undefined) return ok(memberOf(agent));
			return m !== null && "kind" in m ? m : ok(m);
		},
		...part,
	});
	const job = {
		doors,
		thrumDir: T,
		agent: "night",
		worktree: WORKTREE,
		open: async () => ({ kind: "ok", fleet }) as const,
	};
	const run = () => runRosterPass(job);
	return { doors, run, file: () => doors.files.text(FILE) };
}
