/** `tmux restart` of the shim; also of the session that it is called in (contract 09 §5, §14.7). */
import type { Pin } from "../../monitor/_fleet/fleet.ts";
import { callerName } from "../../monitor/_fleet/local/context.ts";
import { ARGV } from "../../monitor/_fleet/thrum/argv.ts";
import { ownRestartLogPath } from "../../monitor/_state/fleet/shim.ts";
import { programArgv } from "../../monitor/_sys/names.ts";
import {
	type Answer,
	answer,
	type Command,
	error,
	failed,
	JSON_FLAG,
	PIN,
	PINNED,
	type ShimContext,
	said,
} from "./command.ts";
import { json } from "./print.ts";

/** In the environment of the process that does it from outside. */
const OUTSIDE = "NEXUS_FLEET_RESTART";

export const RESTART_COMMAND: Command = {
	words: "tmux restart",
	args: "SESSION --model MODEL --effort EFFORT [--runtime RUNTIME] [--json]",
	flags: { ...PIN, ...JSON_FLAG },
	required: PINNED,
	needs: 1,
	run: async (ctx, call) => {
		const session = call.first;
		const pin: Pin = {
			model: call.value("--model") ?? "",
			effort: call.value("--effort") ?? "",
			runtime: call.value("--runtime"),
		};
		const { env } = ctx.local.doors.proc;
		if (env[OUTSIDE] === undefined) {
			const own = await livesIn(ctx, session);
			if (own.kind !== "ok") return failed(own);
			if (own.value) return fromOutside(ctx, session, pin);
		}
		const begun = await ctx.fleet.sessionRestart(session, pin);
		return answer(begun, ({ snapshotLines, warning }) => ({
			exitCode: 0,
			out: call.on("--json")
				? json({ session, snapshot_lines: snapshotLines, warning })
				: `session ${session} restarted`,
			...(warning === undefined ? {} : { err: `warning: ${warning}` }),
		}));
	},
};

/** Does the caller live in this session? It would die with it, and nobody would be left to start it again. */
async function livesIn({ fleet, local }: ShimContext, session: string) {
	const me = callerName(local);
	const team = await fleet.team({ includeOffline: false });
	if (team.kind !== "ok") return team;
	const own = team.value.find(({ agentId }) => agentId === me);
	return { kind: "ok", value: own?.tmuxSession === session } as const;
}

function fromOutside(
	{ local, cwd }: ShimContext,
	session: string,
	pin: Pin,
): Answer {
	const { proc } = local.doors;
	const env = Object.entries(proc.env).filter(
		(pair): pair is [string, string] => pair[1] !== undefined,
	);
	const log = ownRestartLogPath(local.place.thrumDir, session);
	const begun = proc.spawnDetached({
		argv: programArgv(
			proc.execPath,
			"thrumShim",
			ARGV.sessionRestart(session, pin),
		),
		cwd,
		log,
		env: { ...Object.fromEntries(env), [OUTSIDE]: "1" },
	});
	return begun.kind === "ok"
		? said(`session ${session}, your own, is restarted now; see ${log}`)
		: error(begun.reason);
}
