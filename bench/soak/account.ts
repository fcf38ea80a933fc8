/** The account of a soak: what was asked against what was told and done. Pure. */
import { costRows } from "./costs.ts";
import type { Asked, Kill, Ledger, Vitals } from "./ledger.ts";
import type { Told } from "./told.ts";

export interface Outcome {
	readonly ledger: Ledger;
	/** The watcher's reports in the orchestrator's transcripts. */
	readonly told: readonly Told[];
	readonly eyes: ReadonlySet<number>;
	readonly rockets: ReadonlySet<number>;
	/** Names of files. */
	readonly reports: readonly string[];
	readonly requests: readonly {
		readonly id: string;
		readonly isClosed: boolean;
	}[];
	/** Every prompt that any agent was given, where a draft must not be. */
	readonly prompts: readonly string[];
	/** At the end, when all is quiet. */
	readonly watchers: number;
	readonly orchestrators: number;
	/** What the stand-in GitHub found amiss in requests. */
	readonly problems: number;
}
/** A line of what a soak found. */
export interface Row {
	readonly what: string;
	readonly figure: string;
	readonly isMissed: boolean;
}

/** A paste is proven and learned within this of its record. */
const UNPROVEN_MS = 45_000;
/** What nobody marked is told again by then (`monitor.mentions.reemit_noeyes_minutes`). */
const NO_EYES_MS = 5 * 60_000;
export function accountOf(o: Outcome): readonly Row[] {
	return [
		...commentRows(o),
		...otherRows(o),
		...aliveRows(o),
		...costRows(o.ledger.vitals),
	];
}

export function isLost(rows: readonly Row[]): boolean {
	return rows.some((row) => row.isMissed);
}

function commentRows(o: Outcome): readonly Row[] {
	const { asked, kills } = o.ledger;
	const times = new Map(asked.map(({ id }) => [id, timesTold(o.told, id)]));
	const timesOf = ({ id }: Asked) => times.get(id) ?? [];
	const again = asked.filter((one) => timesOf(one).length > 1);
	const unexplained = again.filter(
		(one) => !timesOf(one).every((_, n, all) => isExplained(all, n, kills)),
	);
	const stranger = o.told.filter(({ text }) =>
		/mallory|Ignore your operator/.test(text),
	);
	return [
		none(
			"comments never told",
			asked.filter((one) => timesOf(one).length === 0),
			asked.length,
		),
		{
			what: "told once",
			figure: `${asked.filter((one) => timesOf(one).length === 1).length} of ${asked.length}`,
			isMissed: false,
		},
		{
			what: "told again, around a kill or unmarked for 5 min",
			figure: `${again.length - unexplained.length}`,
			isMissed: false,
		},
		none("told again without a reason", unexplained, asked.length),
		none(
			"without EYES",
			asked.filter(({ id }) => !o.eyes.has(id)),
			asked.length,
		),
		none(
			"without ROCKET",
			asked.filter(({ id }) => !o.rockets.has(id)),
			asked.length,
		),
		none("strangers' comments told", stranger, o.told.length),
	];
}

function timesTold(told: readonly Told[], id: number): readonly number[] {
	return told
		.filter(({ text }) => text.includes(` id=${id} `))
		.map(({ at }) => at);
}

/** The `n`th telling: the first needs no reason; a later one, that the one before could not be proven or was not acted on. */
function isExplained(
	times: readonly number[],
	n: number,
	kills: readonly Kill[],
): boolean {
	const [before, now] = [times[n - 1], times[n]];
	if (before === undefined || now === undefined) return true;
	const wasKilled = kills.some(
		({ what, at }) => what !== "worker" && Math.abs(at - before) < UNPROVEN_MS,
	);
	return wasKilled || now - before >= NO_EYES_MS;
}

function otherRows(o: Outcome): readonly Row[] {
	const { permissions, refusals, kills, drafts } = o.ledger;
	const all = o.told.map(({ text }) => text).join("\n");
	const later = (at: number, pattern: RegExp) =>
		o.told.some((one) => one.at >= at && pattern.test(one.text));
	const crashes = kills.filter(({ what }) => what === "worker");
	const sent = drafts.filter(({ text }) =>
		o.prompts.some((prompt) => prompt.includes(text)),
	);
	return [
		none(
			"reports never told",
			o.reports.filter((name) => !all.includes(`+${name}`)),
			o.reports.length,
		),
		none(
			"requests never told",
			o.requests.filter(({ id }) => !all.includes(`request=${id} `)),
			o.requests.length,
		),
		none(
			"requests left open",
			o.requests.filter(({ isClosed }) => !isClosed),
			o.requests.length,
		),
		none(
			"forbidden commands never told",
			permissions.filter(
				({ at, window }) =>
					!later(
						at,
						RegExp(`^window=${window} fp=\\S+ kind=permission_prompt`, "m"),
					),
			),
			permissions.length,
		),
		none(
			// Who was handed something else meanwhile went on, and nobody need be told.
			"refused turns neither told nor gone on with",
			refusals.filter(
				({ at, window, id }) =>
					!o.rockets.has(id) &&
					!later(at, RegExp(`^ {2}- ${window} (interrupted|idle)`, "m")),
			),
			refusals.length,
		),
		none(
			"workers' deaths never told",
			crashes.filter(
				({ at, window }) =>
					!later(at, RegExp(`^(-${window} bell|  - ${window} )`, "m")),
			),
			crashes.length,
		),
		none(
			"drafts destroyed",
			drafts.filter(({ end }) => end === "destroyed"),
			drafts.filter(({ end }) => end !== "void").length,
		),
		none("drafts sent", sent, drafts.length),
		none("requests that GitHub would refuse", Array(o.problems).fill(0), 0),
	];
}

function aliveRows(o: Outcome): readonly Row[] {
	const { vitals, kills } = o.ledger;
	const most = (of: (v: Vitals) => number) => Math.max(0, ...vitals.map(of));
	const exactlyOne = (what: string, most: number, end: number): Row => ({
		what: `${what} at most, at the end`,
		figure: `${most}, ${end}`,
		isMissed: most > 1 || end !== 1,
	});
	return [
		exactlyOne(
			"watchers",
			most((v) => v.watchers),
			o.watchers,
		),
		exactlyOne(
			"orchestrators",
			most((v) => v.orchestrators),
			o.orchestrators,
		),
		...(["watcher", "orchestrator"] as const).map((what) => {
			const own = kills.filter((kill) => kill.what === what);
			const seconds = own.flatMap(({ at, backAt }) =>
				backAt === null ? [] : [(backAt - at) / 1000],
			);
			const worst =
				seconds.length === 0
					? ""
					: `, back within ${Math.max(...seconds).toFixed(0)} s`;
			return {
				what: `${what} killed`,
				figure: `${own.length}${worst}`,
				isMissed: seconds.length < own.length,
			};
		}),
	];
}

function none(what: string, found: readonly unknown[], of: number): Row {
	const which = found
		.slice(0, 5)
		.map((one) => JSON.stringify(one))
		.join(" ");
	return {
		what,
		figure:
			found.length === 0
				? `none of ${of}`
				: `${found.length} of ${of}: ${which}`,
		isMissed: found.length > 0,
	};
}
