/** What must hold on the simulated machine: at every step, and once everything is quiet. Each answers its violations in words. */
import { decisionsIn } from "../monitor/_emit/decisions-section.ts";
import { requestsIn } from "../monitor/_emit/requests-section.ts";
import { sectionLines } from "../monitor/_emit/sections.ts";
import type { Ledger, Open } from "./ledger.ts";
import { STATE, TARGET } from "./place.ts";
import type { WatcherRun } from "./watcher-run.ts";
import type { World } from "./world.ts";

/** What an ack may still be overtaken by: a report that was composed before it. */
const ACK_GRACE_MS = 180_000;

/** A snapshot names so many reports, the last by name, and counts the rest (contract 01 §6). */
const LISTED = 20;
const reportsIn = (text: string): number =>
	Number(/^\+reports-total: (\d+)/m.exec(text)?.[1] ?? 0);

/** Of half a minute each. */
const QUIET_STEPS = 20;

/** At every step, with time passed or without. Looks at each line of the log once. */
export function watchInvariants(
	world: World,
): (timePassed: boolean) => readonly string[] {
	const { agents, watchers, doors } = world;
	let read = 0;
	const quiet = new Map<WatcherRun, { calls: number; steps: number }>();
	/** A watcher that lives and asks nothing of anybody for so many steps hangs. */
	const hangs = (run: WatcherRun): boolean => {
		const { isDead, calls } = run.life;
		const before = quiet.get(run);
		const steps = before?.calls === calls && !isDead ? before.steps + 1 : 0;
		quiet.set(run, { calls, steps });
		return steps >= QUIET_STEPS;
	};
	return (timePassed) => {
		const orchestrators = agents.filter(
			(a) => a.isAlive && a.window.name === TARGET,
		);
		const fresh = doors.log.lines.slice(read);
		read += fresh.length;
		return [
			...agents.flatMap((a) => a.wrongs.map((w) => `typed wrongly: ${w}`)),
			...watchers.flatMap((w) =>
				w.crash === null ? [] : [`a watcher crashed: ${w.crash}`],
			),
			...(timePassed ? watchers : [])
				.filter(hangs)
				.map(({ life }) => `watcher ${life.pid} hangs: no call of a door`),
			...(orchestrators.length > 1
				? [`${orchestrators.length} orchestrators live at once`]
				: []),
			...fresh
				.filter(({ msg }) => BUG.test(msg))
				.map(({ msg }) => `the log shows a bug: ${msg}`),
		];
	};
}

const BUG =
	/\b(TypeError|RangeError|ReferenceError)\b|loop step '.*' failed|stray rejection/;

/** After the last fault has healed, everybody is alive and time has passed. */
export function brokenAtRest(world: World, ledger: Ledger): readonly string[] {
	const told = world.delivered();
	// To one that did not answer the last report is submitted once more, by rule (contract 04 §16).
	const rescues = world.doors.log.lines.filter(({ msg }) =>
		/^orchestrator liveness: .* submitted again/.test(msg),
	).length;
	const damaged = world.doors.files
		.paths(STATE)
		.filter((path) => /\.damaged\./.test(path));
	return [
		...ledger.reports.flatMap((name, i) => {
			const times = told.filter(({ text }) =>
				sectionLines(text, "localDiff").includes(`+${name}`),
			).length;
			const counted =
				ledger.reports.length > LISTED &&
				told.some(({ text }) => reportsIn(text) > i);
			if (times === 0) return counted ? [] : [`report ${name} was never told`];
			return times > 1 + rescues
				? [`report ${name} was told ${times} times`]
				: [];
		}),
		...ledger.comments.flatMap((id) => {
			const times = told.filter(({ text }) =>
				sectionLines(text, "gh").some((l) => l.includes(`id=${id}`)),
			).length;
			return times === 0 ? [`comment ${id} was never told`] : [];
		}),
		...ledger.strangers
			.filter((word) => told.some(({ text }) => text.includes(word)))
			.map((word) => `a stranger's words were told: ${word}`),
		...world.gitHub.standIn.problems.map((p) => `a bad request: ${p}`),
		...openOnes(ledger.questions, "question", (q) =>
			told.filter(({ text }) =>
				decisionsIn(text).some((d) => d.fingerprint === q.key),
			),
		),
		...openOnes(ledger.requests, "request", (r) =>
			told.filter(({ text }) => requestsIn(text).includes(r.key)),
		),
		...bounds(world),
		...(ledger.diskFaults === 0
			? damaged.map((path) => `a state file was found damaged: ${path}`)
			: []),
	];
}

function openOnes(
	all: readonly Open[],
	what: string,
	toldOf: (one: Open) => readonly { readonly atMs: number }[],
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

/** Files that a night may leave, the archive of reports apart; and folders of watchers that are gone. */
const MAX_STATE_FILES = 400;
const MAX_SCRATCH = 3;

function bounds({ doors: { files } }: World): readonly string[] {
	const kept = files
		.paths(STATE)
		.filter((path) => !path.startsWith(`${STATE}/diffs/`));
	const listed = files.list("/tmp");
	const scratch = listed.kind === "ok" ? listed.names : [];
	return [
		...(kept.length > MAX_STATE_FILES
			? [`${kept.length} files in the state dir`]
			: []),
		...(scratch.length > MAX_SCRATCH
			? [`left in /tmp: ${scratch.join(" ")}`]
			: []),
	];
}
