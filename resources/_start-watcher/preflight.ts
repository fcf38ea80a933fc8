/** May this watcher be started? All checks, each with its answer (contract 09 §10.1). Pure. */
import { isUser, isWatcherName } from "../../monitor/_state/fleet/names.ts";
import { parseDuration } from "../../monitor/_state/fleet/watch-params.ts";
import { type Args, userName } from "./args.ts";
import type { RosterRead } from "./roster.ts";

export type CheckId =
	| "usage"
	| "environment"
	| "backend"
	| "name"
	| "name-free"
	| "parent"
	| "roster"
	| "cadence"
	| "model-effort"
	| "restart-ctx-pct"
	| "owner"
	| "runtime"
	| "kit";
export interface CheckFailure {
	readonly id: CheckId;
	/** Null: not checked, because what it needs could not be asked. */
	readonly why: string | null;
}
export type MemberLook =
	| { readonly kind: "found"; readonly role: string }
	| { readonly kind: "absent" }
	| { readonly kind: "unknown"; readonly why: string };

/** What was found out before anything is decided. */
export interface Probe {
	/** What is wrong with the place; empty: nothing. */
	readonly environment: readonly string[];
	/** Why the fleet cannot be worked with; null: it can. Not asked when the place is wrong. */
	readonly backend: string | null | "not asked";
	/** What uses the name already, or why that could not be told; null: not asked. */
	readonly taken: readonly string[] | null;
	/** By name: the parent and the roster; null: not asked. */
	readonly members: ReadonlyMap<string, MemberLook> | null;
	readonly roster: RosterRead;
	/** `permission_supervisors` of the fleet's configuration. */
	readonly supervisors: readonly string[];
	readonly runtimes: readonly string[];
	/** Of the wanted runtime, with `{model}` and `{effort}`; null: somebody else knows how it is started. */
	readonly command: string | null;
	/** What is wrong with the kit's own files. */
	readonly kit: readonly string[];
	/** Age of the last tick of a scheduler, s; null: there was none. Of a `local` fleet alone. */
	readonly schedulerAge: number | null | "not ours";
}

const SHORTEST_SECONDS = 60;

/** In the order of the contract; empty: it may be started. */
export function preflight(args: Args, probe: Probe): readonly CheckFailure[] {
	return CHECKS.flatMap(([id, check]): readonly CheckFailure[] => {
		const why = check(args, probe);
		if (why === undefined) return [];
		return why === null ? [{ id, why }] : why.map((one) => ({ id, why: one }));
	});
}

/** The human for what only a human can settle; null: nobody is named. */
export function ownerOf(args: Args, probe: Probe): string | null {
	if (args.owner !== null) return args.owner;
	const first = probe.supervisors.find((who) => /^@?user:./.test(who));
	return first === undefined ? null : userName(first);
}

/** Undefined: fine. Null: not checked. */
type Check = (args: Args, probe: Probe) => readonly string[] | null | undefined;

const CHECKS: readonly (readonly [CheckId, Check])[] = [
	["environment", (_, { environment }) => some(environment)],
	[
		"backend",
		(_, { backend }) => {
			if (backend === "not asked") return null;
			return backend === null ? undefined : [backend];
		},
	],
	[
		"name",
		({ name }) =>
			isWatcherName(name)
				? undefined
				: [
						`${name}: lower-case letters, digits, - and _, at most 63, a letter or digit first; not daemon, system, thrum, all, broadcast`,
					],
	],
	[
		"name-free",
		({ name }, { taken }) =>
			isWatcherName(name) ? taken && some(taken) : undefined,
	],
	["parent", checkParent],
	["roster", checkRoster],
	[
		"cadence",
		(args) =>
			some([
				...cadenceProblem("--cadence-active", args.cadenceActive),
				...cadenceProblem("--cadence-idle", args.cadenceIdle),
			]),
	],
	[
		"model-effort",
		(args) =>
			some([
				...wordProblem("--model", args.model),
				...wordProblem("--effort", args.effort),
			]),
	],
	[
		"restart-ctx-pct",
		({ restartCtxPct }) => {
			const percent = /^\d{1,3}$/.test(restartCtxPct)
				? Number(restartCtxPct)
				: 0;
			return percent >= 1 && percent <= 100
				? undefined
				: [`not a whole number from 1 to 100: ${restartCtxPct}`];
		},
	],
	[
		"owner",
		(args, probe) => {
			const owner = ownerOf(args, probe);
			if (owner === null)
				return ["no --owner and no @user: entry in permission_supervisors"];
			return isUser(owner) ? undefined : [`no name of a person: ${owner}`];
		},
	],
	[
		"runtime",
		({ runtime }, { runtimes }) =>
			runtimes.includes(runtime)
				? undefined
				: [`no runtime ${runtime}; known: ${runtimes.join(", ")}`],
	],
	["kit", (_, { kit }) => some(kit)],
];

function checkParent(args: Args, probe: Probe): ReturnType<Check> {
	const { name, parent } = args;
	if (parent === name) return ["the watcher cannot be its own parent"];
	if (names(probe).includes(parent))
		return [`${parent} is in the roster: it cannot be told of its own block`];
	const isNamed =
		isUser(parent) &&
		(parent === ownerOf(args, probe) ||
			probe.supervisors.some(
				(who) => userName(who) === parent && /user:/.test(who),
			));
	if (isNamed) return undefined;
	if (probe.members === null) return null;
	const look = probe.members.get(parent) ?? { kind: "absent" };
	switch (look.kind) {
		case "found":
			return undefined;
		case "unknown":
			return [`could not ask for ${parent}: ${look.why}`];
		case "absent":
			return isUser(parent)
				? [
						`${parent} is neither the owner, nor in permission_supervisors, nor a member`,
					]
				: [`no such agent: ${parent}`];
	}
}

function checkRoster({ name }: Args, probe: Probe): ReturnType<Check> {
	if (probe.roster.kind === "bad") return [probe.roster.why];
	const roster = names(probe);
	if (roster.length === 0) return ["the roster is empty"];
	if (roster.includes(name)) return ["the watcher is in its own roster"];
	const { members } = probe;
	if (members === null) return null;
	const absent = roster.filter(
		(one) => (members.get(one) ?? { kind: "absent" }).kind === "absent",
	);
	const unknown = roster.flatMap((one) => {
		const look = members.get(one);
		return look?.kind === "unknown"
			? [`could not ask for ${one}: ${look.why}`]
			: [];
	});
	return some([
		...(absent.length > 0 ? [`no such agent: ${absent.join(", ")}`] : []),
		...unknown,
	]);
}

/** Whom the roster names. */
export function names({ roster }: Probe): readonly string[] {
	return roster.kind === "ok" ? roster.entries.map((e) => e.agentId) : [];
}

function cadenceProblem(flag: string, text: string): readonly string[] {
	const seconds = parseDuration(text);
	if (seconds === null)
		return [`${flag}: no duration such as 90s, 5m, 2h, 1d: ${text}`];
	return seconds < SHORTEST_SECONDS
		? [`${flag}: ${text} is under a minute`]
		: [];
}

/** No default: what a standing agent costs is the caller's to say. `[1m]` is part of some models' names. */
function wordProblem(flag: string, word: string): readonly string[] {
	if (word === "")
		return [
			`${flag} is missing; runtime.role_models in .thrum/config.json says what is usual for a role`,
		];
	return /^[\w.:/@+%[\]=,][\w.:/@+%[\]=,-]*$/.test(word)
		? []
		: [`${flag}: blanks and characters of the shell are refused: ${word}`];
}

function some(list: readonly string[]): readonly string[] | undefined {
	return list.length === 0 ? undefined : list;
}
