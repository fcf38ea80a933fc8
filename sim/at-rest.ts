/** What must hold on the simulated machine once the last fault has healed, everybody is alive and time has passed. */

import { decisionsIn } from "../monitor/_emit/decisions-section.ts";
import { requestsIn } from "../monitor/_emit/requests-section.ts";
import { type SectionId, sectionLines } from "../monitor/_emit/sections.ts";
import { schedulerLogPath } from "../monitor/_state/scheduler-log.ts";
import { SERVICES } from "./act.ts";
import { JOB_EVERY_MS } from "./fleet.ts";
import type { Ledger, Open } from "./ledger.ts";
import { STATE } from "./place.ts";
import { brokenReports } from "./reports.ts";
import type { World } from "./world.ts";

/** What an ack may still be overtaken by: a report that was composed before it. */
const ACK_GRACE_MS = 180_000;
/** Least time between two tellings of what is still open (`monitor.emit_cooldown_seconds`, `monitor.requests.reemit_cooldown_seconds`). */
const AGAIN_MS = 300_000;
/** A report may take so long from its rows to its paste. */
const SLACK_MS = 60_000;

/** A snapshot names so many reports, the last by name, and counts the rest (contract 01 §6). */
const LISTED = 20;
const reportsIn = (text: string): number =>
	Number(/^\+reports-total: (\d+)/m.exec(text)?.[1] ?? 0);

/** When it was first counted there were enough newer ones; which those are, their names say, after a jump of the clock wrongly. */
function isPassedOver(told: Told, i: number, { clockJumps }: Ledger): boolean {
	const counted = told.map(({ text }) => reportsIn(text)).find((n) => n > i);
	return counted !== undefined && (clockJumps > 0 || counted - i > LISTED);
}

/** Of an issue the search sees the newest comments; which others there are, the delivery log says for some days (contract 02 §7.2). */
const SEARCHED = 50;

type Told = ReturnType<World["delivered"]>;

export function brokenAtRest(world: World, ledger: Ledger): readonly string[] {
	const told = world.delivered();
	// To one that did not answer the last report is submitted once more, by rule (contract 04 §16).
	const rescues = world.doors.log.lines.filter(({ msg }) =>
		/^orchestrator liveness: .* submitted again/.test(msg),
	).length;
	const again = rescues + ledger.forgotten;
	const untimely = again + ledger.diskFaults + ledger.clockJumps;
	const inSection = (id: SectionId, has: (line: string) => boolean) =>
		told.filter(({ text }) => sectionLines(text, id).some(has));
	// Who asked reads of it in his file (contract 08 §6.3): for days nobody could be told.
	const tooOld = new Set(
		world.doors.log.lines.map(
			({ msg }) =>
				/^request (\S+): claimed → failed: claimed for more than/.exec(
					msg,
				)?.[1],
		),
	);
	return [
		...ledger.reports.flatMap((name, i) => {
			const times = inSection("localDiff", (l) => l === `+${name}`).length;
			if (times === 0 && ledger.unknowable.has(name)) return [];
			if (times === 0)
				return isPassedOver(told, i, ledger)
					? []
					: [`report ${name} was never told`];
			return times > 1 + again
				? [`report ${name} was told ${times} times`]
				: [];
		}),
		...ledger.comments.flatMap((id) => {
			const times = inSection("gh", (l) => l.includes(`id=${id}`));
			if (times.length === 0)
				return world.gitHub.newerThan(id) < SEARCHED
					? [`comment ${id} was never told`]
					: [];
			return early(times) > untimely
				? [`comment ${id} was told again too early`]
				: [];
		}),
		...brokenReports(told, untimely),
		...ledger.strangers
			.filter((word) => told.some(({ text }) => text.includes(word)))
			.map((word) => `a stranger's words were told: ${word}`),
		...world.gitHub.standIn.problems.map((p) => `a bad request: ${p}`),
		...openOnes(ledger.questions, "question", (q) =>
			told.filter(({ text }) =>
				decisionsIn(text).some((d) => d.fingerprint === q.key),
			),
		),
		...openOnes(
			ledger.requests.filter(({ key }) => !tooOld.has(key)),
			"request",
			(r) => told.filter(({ text }) => requestsIn(text).includes(r.key)),
		),
		...SERVICES.flatMap((name) => [
			...(world.services.isWell(name) ? [] : [`service ${name} stays down`]),
			...(world.services.restarts(name) > 0 &&
			inSection("serviceHealth", (l) => l.includes(`'${name}'`)).length === 0
				? [`service ${name} was restarted and nobody was told`]
				: []),
		]),
		...jobAtRest(world),
		...bounds(world),
		...foundDamaged(world, ledger),
	];
}

function openOnes(
	all: readonly Open[],
	what: string,
	toldOf: (one: Open) => Told,
): readonly string[] {
	return all.flatMap((one) => {
		const times = toldOf(one);
		if (one.ackedMs === null)
			return times.length === 0 && !one.moot
				? [`${what} ${one.key} was never told`]
				: [];
		const acked = one.ackedMs;
		const late = times.filter(({ atMs }) => atMs > acked + ACK_GRACE_MS);
		// One may have been rendered before the machine slept.
		return late.length > 1
			? [`${what} ${one.key} was told ${late.length} times after its ack`]
			: [];
	});
}

function jobAtRest(world: World): readonly string[] {
	const { doors, fleet, lateness } = world;
	const startedMs = fleet.startedMs();
	// One run may hang until its limit, and one may be going on; none begins unless somebody looks.
	const lateMs = 2 * Math.max(JOB_EVERY_MS, lateness.longestMs) + 60_000;
	if (startedMs !== null && doors.clock.monoMs() - startedMs < lateMs)
		return [];
	return ["the fleet's job is not run any more"];
}

/** How often it was told again before its time. */
function early(times: Told): number {
	return times.filter(
		({ atMs }, i) =>
			i > 0 && atMs - (times[i - 1]?.atMs ?? 0) < AGAIN_MS - SLACK_MS,
	).length;
}

/** A damaged file is set aside; where no fault broke it, we did. */
function foundDamaged(
	{ doors: { files } }: World,
	ledger: Ledger,
): readonly string[] {
	if (ledger.diskFaults > 0) return [];
	return files
		.paths(STATE)
		.filter((path) => path.includes(".damaged."))
		.map((path) => `a state file was found damaged: ${path}`);
}

/** Files that a night may leave, the archive of reports apart; and folders of watchers that are gone. */
const MAX_STATE_FILES = 400;
const MAX_STATE_BYTES = 8 * 1024 * 1024;
/** A line a task run; it is rotated at `monitor.scheduler.log_max_bytes`. */
const MAX_TELEMETRY_BYTES = 51 * 1024 * 1024;
/** Of the hour before the last start; what is older is swept there. */
const MAX_SCRATCH = 8;

function bounds({ doors: { files } }: World): readonly string[] {
	const kept = files
		.paths(STATE)
		.filter((path) => !path.startsWith(`${STATE}/diffs/`));
	const sizeOf = (paths: readonly string[]) =>
		paths.reduce((sum, path) => sum + files.text(path).length, 0);
	const telemetry = kept.filter((path) => path === schedulerLogPath(STATE));
	const bytes = sizeOf(kept) - sizeOf(telemetry);
	const listed = files.list("/tmp");
	const scratch = listed.kind === "ok" ? listed.names : [];
	return [
		...(kept.length > MAX_STATE_FILES
			? [`${kept.length} files in the state dir`]
			: []),
		...(bytes > MAX_STATE_BYTES ? [`${bytes} bytes in the state dir`] : []),
		...(sizeOf(telemetry) > MAX_TELEMETRY_BYTES
			? ["the scheduler's telemetry was not rotated"]
			: []),
		...(scratch.length > MAX_SCRATCH
			? [`left in /tmp: ${scratch.join(" ")}`]
			: []),
	];
}
