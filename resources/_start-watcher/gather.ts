/** Finds out all that the checks of a start need; makes nothing (contract 09 §10.1). */
import { join } from "node:path";
import { failureText } from "../../monitor/_fleet/failure.ts";
import type { Done, Fleet } from "../../monitor/_fleet/fleet.ts";
import { type Bundle, bundleKit } from "../../monitor/_fleet/install.ts";
import { callerName } from "../../monitor/_fleet/local/context.ts";
import { worktreePath } from "../../monitor/_fleet/local/worktree.ts";
import { type FleetDeps, openFleet } from "../../monitor/_fleet/open.ts";
import { type FleetPlace, findPlace } from "../../monitor/_fleet/paths.ts";
import { CAP_NAMES } from "../../monitor/_fleet/thrum/caps.ts";
import {
	type FleetConfigRead,
	readFleetConfig,
} from "../../monitor/_state/fleet/fleet-config.ts";
import { schedulerBeatPath } from "../../monitor/_state/fleet/monitor-spec.ts";
import { parseObject } from "../../monitor/_state/json-object.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { plainGitEnv } from "../../monitor/_sys/git-env.ts";
import type { Args } from "./args.ts";
import { membersOf, takenBy } from "./looks.ts";
import type { Probe } from "./preflight.ts";
import { type RosterRead, readRoster } from "./roster.ts";
import { SCHEDULER_SECONDS } from "./warnings.ts";

export interface GatherContext {
	readonly doors: Doors;
	readonly cwd: string;
	readonly codeRoot: string;
	/** Lines on a configuration file that cannot be used, and what to open a fleet with. */
	readonly settings: () => Promise<{
		readonly problems: readonly string[];
		readonly deps: FleetDeps;
	}>;
}
export interface Gathered {
	readonly probe: Probe;
	/** Null where a check has failed that needs it. */
	readonly found: Found | null;
	readonly bundles: readonly Bundle[];
	readonly template: string;
	/** Who starts it, if that is known. */
	readonly caller: string | null;
}
export interface Found {
	readonly fleet: Fleet;
	readonly place: FleetPlace;
	readonly deps: FleetDeps;
	readonly worktree: string;
}

const GIT_MS = 10_000;

/** Everything that is wrong, not only the first thing; `found` is null where the checks must refuse. */
export async function gather(
	ctx: GatherContext,
	args: Args,
): Promise<Gathered> {
	const { doors, codeRoot } = ctx;
	const { problems, deps } = await ctx.settings();
	const roster = readRoster(doors.files, ctx.cwd, args.roster);
	const place = await findPlace(doors, ctx.cwd);
	const config: FleetConfigRead | null =
		place.kind === "ok"
			? readFleetConfig(doors.files, place.value.thrumDir)
			: null;
	const environment = [
		...problems,
		...(await placeProblems(ctx)),
		...(place.kind === "ok" ? [] : [failureText(place)]),
		...(config?.kind === "unusable" ? [config.why] : []),
	];
	const template = readTemplate(ctx);
	const kit = await bundleKit(doors, codeRoot, "pane-watch");
	const known = {
		environment,
		roster,
		supervisors:
			config?.kind === "ok" ? config.config.permissionSupervisors : [],
		runtimes: Object.keys(deps.settings.runtimes),
		kit: [
			...(template.kind === "ok" ? [] : [template.why]),
			...(kit.kind === "ok" ? [] : [kit.why]),
		],
	};
	const rest = {
		bundles: kit.kind === "ok" ? kit.bundles : [],
		template: template.kind === "ok" ? template.text : "",
	};
	if (place.kind !== "ok" || environment.length > 0)
		return {
			...rest,
			found: null,
			caller: null,
			probe: { ...known, ...unasked("not asked") },
		};
	const caller = callerName({ ...deps, place: place.value });
	// Whoever has no identity of its own speaks as the watcher that it starts.
	const speaking = { ...deps, as: caller ?? args.name };
	const asked = await askFleet(speaking, place.value, args, namesOf(roster));
	return {
		...rest,
		caller,
		found: asked.found,
		probe: { ...known, ...asked.facts },
	};
}

type FleetFacts = Pick<
	Probe,
	"backend" | "taken" | "members" | "schedulerAge" | "command"
>;

function unasked(backend: string): FleetFacts {
	const nothing = { taken: null, members: null, command: null };
	return { backend, ...nothing, schedulerAge: "not ours" };
}

async function askFleet(
	deps: FleetDeps,
	place: FleetPlace,
	args: Args,
	roster: readonly string[],
): Promise<{ readonly found: Found | null; readonly facts: FleetFacts }> {
	const { doors } = deps;
	const opened = await openAble(deps, place, args);
	if (opened.kind !== "ok")
		return { found: null, facts: unasked(failureText(opened)) };
	const fleet = opened.value;
	const path = await worktreePath({ ...deps, place }, args.name);
	const worktree = path.kind === "ok" ? path.value : "";
	const isOurs = fleet.backend === "local";
	return {
		found: { fleet, place, deps, worktree },
		facts: {
			backend: null,
			taken: await takenBy(doors, fleet, args.name, path),
			members: await membersOf(fleet, [args.parent, ...roster]),
			schedulerAge: isOurs ? beatAge(doors, fleet.thrumDir) : "not ours",
			command: isOurs ? (deps.settings.runtimes[args.runtime] ?? null) : null,
		},
	};
}

/** A fleet that answers, and can pin a model. */
async function openAble(
	deps: FleetDeps,
	place: FleetPlace,
	{ backend }: Args,
): Promise<Done<Fleet>> {
	const opened = await openFleet(deps, place, backend);
	if (opened.kind !== "ok") return opened;
	const { fleet } = opened.value;
	const caps = await fleet.caps();
	if (caps.kind !== "ok") return caps;
	if (!caps.value.modelPin)
		return {
			kind: "refused",
			exitCode: 1,
			stderr: `this thrum has no ${CAP_NAMES.modelPin}`,
		};
	const team = await fleet.team();
	return team.kind === "ok" ? { kind: "ok", value: fleet } : team;
}

async function placeProblems({ doors, cwd }: GatherContext) {
	const words = ["git", "rev-parse", "--show-toplevel"];
	const env = plainGitEnv(doors.proc.env);
	const top = await doors.proc.exec(words, { timeoutMs: GIT_MS, cwd, env });
	const inGit = top.kind === "exited" && top.rc === 0;
	return [
		...(inGit ? [] : [`${cwd} is in no git repository`]),
		...(doors.proc.which("tmux") === null ? ["no tmux on PATH"] : []),
	];
}

function readTemplate({ doors, codeRoot }: GatherContext) {
	const path = join(codeRoot, "resources/watch_params.template.json");
	const read = doors.files.read(path);
	if (read.kind !== "ok")
		return { kind: "bad", why: `${path} cannot be read` } as const;
	return parseObject(read.text) === null
		? ({ kind: "bad", why: `${path} holds no JSON object` } as const)
		: ({ kind: "ok", text: read.text } as const);
}

function namesOf(roster: RosterRead): readonly string[] {
	return roster.kind === "ok" ? roster.entries.map((e) => e.agentId) : [];
}

/** Seconds since a scheduler ticked; null: never, or by a stamp from too far ahead to be believed. */
function beatAge({ files, clock }: Doors, thrumDir: string): number | null {
	const beat = files.stat(schedulerBeatPath(thrumDir));
	if (beat.kind !== "ok") return null;
	const age = (clock.nowMs() - beat.stat.mtimeMs) / 1000;
	return age < -SCHEDULER_SECONDS ? null : Math.max(0, age);
}
