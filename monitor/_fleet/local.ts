/** A fleet with nothing but tmux, git and files (contract 09 §6). */
import { listStateScopes, readStateRow } from "../_state/fleet/state-row.ts";
import { fail, ok } from "./failure.ts";
import type { Fleet, FleetCaps } from "./fleet.ts";
import { localCapture } from "./local/capture.ts";
import type { LocalContext } from "./local/context.ts";
import { localInput } from "./local/input.ts";
import { localMail } from "./local/mail.ts";
import { localMonitors } from "./local/monitors.ts";
import { localSessions } from "./local/session.ts";
import { localTeam } from "./local/team.ts";
import { localWorktrees } from "./local/worktree.ts";
import type { FleetDeps } from "./open.ts";
import type { FleetPlace } from "./paths.ts";
import { detectPermission } from "./permission.ts";

const CAPS: FleetCaps = {
	keys: true,
	notifyOnSuccess: true,
	detect: true,
	scopedTeam: true,
	captureFormats: true,
	captureByAgent: true,
	modelPin: true,
	state: true,
};

/** Files are read anew at each call: there is no daemon, and another process may have written. */
export function localFleet(deps: FleetDeps, place: FleetPlace): Fleet {
	const ctx: LocalContext = { ...deps, place };
	const { files } = deps.doors;
	return {
		backend: "local",
		...place,
		caps: async () => ok(CAPS),
		...localTeam(ctx),
		...localWorktrees(ctx),
		...localSessions(ctx),
		...localCapture(ctx),
		...localInput(ctx),
		...localMail(ctx),
		...localMonitors(ctx),
		detect: async (paneText, runtime) =>
			ok(detectPermission(runtime, paneText, deps.hands.question)?.id ?? null),
		stateGet: async (kind, scope) => {
			const row = readStateRow(files, place.thrumDir, kind, scope);
			if (row.kind === "damaged") return fail("failed", row.why);
			return ok(row.kind === "ok" ? row.value : null);
		},
		stateScopes: async (kind) => {
			const scopes = listStateScopes(files, place.thrumDir, kind);
			return scopes === null
				? fail("failed", `the state rows of ${kind} cannot be listed`)
				: ok(scopes);
		},
	};
}
