/** What is to be made for a watcher, as values (contract 09 §10.2). Pure. */
import { dirname, join } from "node:path";
import type { BackendName, MonitorSpec } from "../../monitor/_fleet/fleet.ts";
import { copyArgv, KITS } from "../../monitor/_fleet/install.ts";
import { sessionNameOf } from "../../monitor/_state/fleet/names.ts";
import { agentDir, binDir } from "../../monitor/_state/fleet/store.ts";
import {
	parseDuration,
	type RosterEntry,
	renderWatchParams,
	watchParamsPath,
} from "../../monitor/_state/fleet/watch-params.ts";
import type { Args } from "./args.ts";
import { cadenceToCron } from "./cadence.ts";

/** What is known when all checks have passed. */
export interface Ground {
	readonly backend: BackendName;
	readonly thrumDir: string;
	/** Where the worktree will stand. */
	readonly worktree: string;
	readonly owner: string;
	readonly roster: readonly RosterEntry[];
	/** Text of `watch_params.template.json`. */
	readonly template: string;
	/** Absolute path of the skill that the agent works by. */
	readonly skill: string;
	readonly bun: string;
	/** Of whoever starts it. */
	readonly path: string;
	/** What the installed copies cannot read from a configuration file, and is not the default. */
	readonly copyEnv: Readonly<Record<string, string>>;
	readonly createdBy: string;
	/** ISO 8601. */
	readonly createdAt: string;
	readonly runId: string;
}
export interface Plan extends Ground {
	readonly args: Args;
	readonly session: string;
	readonly branch: string;
	/** Of its files: params, copies, brief. */
	readonly dir: string;
	readonly params: string;
	readonly brief: string;
	readonly intent: string;
	readonly monitor: MonitorSpec;
	/** For each member of a steward's roster. */
	readonly message: string;
}

/** Values only; paths and names follow from the watcher's name. */
export function planOf(args: Args, ground: Ground): Plan {
	const dir = agentDir(ground.thrumDir, args.name);
	return {
		...ground,
		args,
		dir,
		session: sessionNameOf(args.name),
		branch: branchOf(args.name),
		params: paramsOf(args, ground),
		brief: briefOf(args, ground),
		intent: `Work by the skill persistent-watcher-archetype (${ground.skill}) as @${args.name}`,
		monitor: monitorOf(args, ground, dir),
		message: messageOf(args, ground),
	};
}

/** The branch of its worktree. */
export function branchOf(name: string): string {
	return `feature/${name}`;
}

/** The job that wakes it. */
export function monitorNameOf(name: string): string {
	return `${name}-pane-watch`;
}

/** A plain name stays one. */
function rosterRow(entry: RosterEntry) {
	const { agentId, hostname, tmuxSession, runtime } = entry;
	const more = { hostname, tmux_session: tmuxSession, runtime };
	const given = Object.entries(more).filter(([, v]) => v !== undefined);
	return given.length === 0
		? agentId
		: { agent_id: agentId, ...Object.fromEntries(given) };
}

function paramsOf(args: Args, ground: Ground): string {
	return renderWatchParams(ground.template, {
		watcher: args.name,
		role: args.role,
		parent: args.parent,
		owner: ground.owner,
		roster: ground.roster.map(rosterRow),
		model: args.model,
		effort: args.effort,
		runtime: args.runtime,
		cadence_active: args.cadenceActive,
		cadence_idle: args.cadenceIdle,
		restart_ctx_pct: Number(args.restartCtxPct),
		created_at: ground.createdAt,
		created_by: ground.createdBy,
	});
}

/** The repository's own root, which outlives whatever worktree this was called from. A job's own PATH is bare. */
function monitorOf(args: Args, ground: Ground, dir: string): MonitorSpec {
	const { thrumDir, bun, backend } = ground;
	const front = backend === "local" ? [binDir(thrumDir)] : [];
	const [program] = KITS["pane-watch"];
	return {
		name: monitorNameOf(args.name),
		argv: copyArgv(bun, join(dir, program)),
		match: "^watch-tick: (cycle done|RESOLUTION-FAIL)",
		to: args.name,
		cwd: dirname(thrumDir),
		env: {
			PATH: [...front, dirname(bun), ground.path].join(":"),
			AGENT_NAME: args.name,
			...ground.copyEnv,
		},
		schedule: cadenceToCron(parseDuration(args.cadenceIdle) ?? 0),
		notifyOnSuccess: true,
	};
}

function briefOf(args: Args, ground: Ground): string {
	const { name, role, parent } = args;
	const params = watchParamsPath(ground.thrumDir, name);
	return [
		`You are @${name}, a standing ${role}. Read ${ground.skill} now, and work by it.`,
		`Your params: ${params}. You report to ${parent}; the human is ${ground.owner}.`,
		`Each tick of the monitor ${monitorNameOf(name)} reaches you as a message (\`thrum inbox --unread\`), and starts a cycle.`,
		"Begin with one cycle now; then wait for the ticks.",
		"",
	].join("\n");
}

function messageOf(args: Args, { owner }: Ground): string {
	const { name } = args;
	return [
		`steward: @${name}`,
		"",
		`@${name} looks after you from now on. A question for ${owner} goes to @${name}, as a message whose first line is`,
		"`NEED [<topic>]:` followed by the question and its options. The answer comes back as a reply to that message.",
		"",
		`    thrum send --to ${name} "NEED [<topic>]: <question> Options: <one> | <other>"`,
	].join("\n");
}
