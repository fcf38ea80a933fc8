/** `team`, `whoami`, `worktree …` and `tmux …` of the shim, but what is typed and seen in panes (contract 09 §5). */
import { ok } from "../../monitor/_fleet/failure.ts";
import type { Member, R } from "../../monitor/_fleet/fleet.ts";
import { listWorktrees } from "../../monitor/_fleet/git.ts";
import { worktreePath } from "../../monitor/_fleet/local/worktree.ts";
import { bareName } from "../../monitor/_state/fleet/names.ts";
import {
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
import { json, memberLine, memberRow } from "./print.ts";
import { RESTART_COMMAND } from "./restart.ts";

export const AGENT_COMMANDS: readonly Command[] = [
	{
		words: "team",
		args: "[@AGENT] [--offline|--all] [--json]",
		flags: { "--offline": "switch", "--all": "switch", ...JSON_FLAG },
		takes: 1,
		run: async ({ fleet }, call) => {
			const includeOffline = call.on("--offline") || call.on("--all");
			const team = await fleet.team({ includeOffline });
			const wanted = bareName(call.first);
			return answer(team, (all) => {
				const shown = all.filter((m) => wanted === "" || m.agentId === wanted);
				if (wanted !== "" && shown.length === 0)
					return error(`agent @${wanted} not found`);
				return call.on("--json")
					? said(json({ team: { members: shown.map(memberRow) } }))
					: said(shown.map(memberLine).join("\n"));
			});
		},
	},
	{
		words: "whoami",
		args: "[--json]",
		flags: JSON_FLAG,
		run: async ({ fleet }, call) =>
			answer(await fleet.whoami(), (me) => {
				if (me === null) return error("no agent identity");
				return call.on("--json")
					? said(json({ ...memberRow(me), pid: me.agentPid }))
					: said(memberLine(me));
			}),
	},
	{
		words: "worktree create",
		args: "NAME [-b BRANCH] [--base REF] [--json]",
		flags: { "--branch": "value", "--base": "value", ...JSON_FLAG },
		aliases: { "-b": "--branch" },
		needs: 1,
		creates: true,
		run: async ({ fleet }, call) => {
			const made = await fleet.worktreeCreate(call.first, {
				branch: call.value("--branch"),
				base: call.value("--base"),
			});
			return answer(made, ({ path, branch, reused }) => {
				const line = `✓ Worktree ${reused ? "reused" : "created"}: ${path} (branch ${branch})`;
				const row = { worktree_path: path, branch };
				return said(call.on("--json") ? `${line}\n${json(row)}` : line);
			});
		},
	},
	{
		words: "worktree teardown",
		args: "NAME [--delete-branch]",
		flags: { "--delete-branch": "switch" },
		needs: 1,
		run: async (ctx, call) => {
			const name = call.first;
			const place = await standingWorktree(ctx, name);
			if (place.kind !== "ok") return failed(place);
			const member = await ctx.fleet.member(name);
			if (member.kind !== "ok") return failed(member);
			const session = member.value?.tmuxSession;
			if (session !== undefined && member.value?.tmuxState !== "dead") {
				const killed = await ctx.fleet.sessionKill(session);
				if (killed.kind !== "ok") return failed(killed);
			}
			const worktree = { ...place.value, reused: false, branchCreated: false };
			const deleteBranch = call.on("--delete-branch");
			const gone = await ctx.fleet.worktreeRemove(worktree, name, {
				deleteBranch,
			});
			return answer(gone, () => said(`✓ Worktree removed: ${worktree.path}`));
		},
	},
	{
		words: "tmux create",
		args: "SESSION --cwd FOLDER --name AGENT --role ROLE --module MODULE --model MODEL --effort EFFORT [--intent TEXT] [--runtime RUNTIME] [--json]",
		flags: {
			"--cwd": "value",
			"--name": "value",
			"--role": "value",
			"--module": "value",
			"--intent": "value",
			...PIN,
			...JSON_FLAG,
		},
		required: ["--cwd", "--name", "--role", "--module", ...PINNED],
		needs: 1,
		creates: true,
		run: async ({ fleet, local }, call) => {
			const flag = (name: string) => call.value(name) ?? "";
			const made = await fleet.sessionCreate({
				session: call.first,
				cwd: flag("--cwd"),
				agent: bareName(flag("--name")),
				role: flag("--role"),
				module: flag("--module"),
				model: flag("--model"),
				effort: flag("--effort"),
				intent: call.value("--intent"),
				runtime: call.value("--runtime"),
				runId: `shim-${local.doors.random.hex(12)}`,
			});
			return answer(made, () =>
				said(
					call.on("--json")
						? json({ session: call.first })
						: `session ${call.first} created`,
				),
			);
		},
	},
	{
		words: "tmux launch",
		args: "SESSION --model MODEL --effort EFFORT [--runtime RUNTIME] [--json]",
		flags: { ...PIN, ...JSON_FLAG },
		required: PINNED,
		needs: 1,
		run: async ({ fleet }, call) => {
			const live = await liveSessions(fleet);
			if (live.kind !== "ok") return failed(live);
			const session = call.first;
			const member = live.value.find((m) => m.tmuxSession === session);
			const runtime = call.value("--runtime") ?? member?.runtime ?? "claude";
			const pin = {
				model: call.value("--model") ?? "",
				effort: call.value("--effort") ?? "",
			};
			const begun = await fleet.sessionLaunch({ session, runtime, ...pin });
			return answer(begun, ({ warning }) => ({
				exitCode: 0,
				out: call.on("--json")
					? json({ session, runtime, warning })
					: `${runtime} runs in ${session}`,
				...(warning === undefined ? {} : { err: `warning: ${warning}` }),
			}));
		},
	},
	RESTART_COMMAND,
	{
		words: "tmux kill",
		args: "SESSION",
		needs: 1,
		run: async ({ fleet }, call) =>
			answer(await fleet.sessionKill(call.first), (wasThere) =>
				wasThere
					? said(`session ${call.first} ended`)
					: error(`session ${call.first} not found`),
			),
	},
	{
		words: "tmux status",
		args: "[--json]",
		flags: JSON_FLAG,
		run: async ({ fleet }, call) =>
			answer(await liveSessions(fleet), (members) => {
				const rows = members.map((m) => ({
					name: m.tmuxSession,
					agent: m.agentId,
					role: m.role,
					state: m.tmuxState,
					runtime: m.runtime,
				}));
				return call.on("--json")
					? said(json({ sessions: rows }))
					: said(members.map(memberLine).join("\n"));
			}),
	},
];

/** Members whose session stands. */
async function liveSessions(fleet: ShimContext["fleet"]): R<readonly Member[]> {
	const team = await fleet.team({ includeOffline: false });
	if (team.kind !== "ok") return team;
	const members = team.value.filter((m) => m.tmuxSession !== undefined);
	return members.some((m) => m.tmuxState === "unknown")
		? {
				kind: "unreachable",
				exitCode: 1,
				stderr: "tmux could not be asked for its sessions",
			}
		: ok(members);
}

/** What stands where a worktree of this name would be, on its branch. */
async function standingWorktree(
	{ local }: ShimContext,
	name: string,
): R<{ readonly path: string; readonly branch: string }> {
	const path = await worktreePath(local, name);
	if (path.kind !== "ok") return path;
	const { proc, files } = local.doors;
	const trees = await listWorktrees(proc, local.place.repoRoot);
	if (trees.kind !== "ok") return trees;
	const real = files.realpath(path.value) ?? path.value;
	const own = trees.value.find((tree) => tree.path === real);
	return ok({ path: path.value, branch: own?.branch ?? `feature/${name}` });
}
