/** What must hold on the simulated machine at every step. Each answers its violations in words; what must hold at rest: at-rest.ts. */
import { parseSnapshot } from "../monitor/_state/last-snapshot.ts";
import type { Ledger } from "./ledger.ts";
import { STATE, TARGET } from "./place.ts";
import type { WatcherRun } from "./watcher-run.ts";
import type { World } from "./world.ts";

/** Beyond its longest sleep a watcher that lives does something so often, and waits no longer for anything. */
const QUIET_MS = 540_000;
const LOOP_MS = 240_000;
/** Timers and sleeps of all watchers, dead ones among them; one needs some dozens. */
const MAX_TIMERS = 300;

const BUG =
	/\b(TypeError|RangeError|ReferenceError)\b|loop step '.*' failed|stray rejection/;

/** At every step, with time passed or without. Looks at each line of the log once. */
export function watchInvariants(
	world: World,
	ledger: Ledger,
): (timePassed: boolean) => readonly string[] {
	const { agents, watchers, doors, fleet, hands, lateness, services } = world;
	let read = 0;
	const quiet = new Map<WatcherRun, { calls: number; sinceMs: number }>();
	const isPast = (sinceMs: number, ms: number) =>
		world.time.steadyMs() - sinceMs > lateness.longestMs + ms;
	/** A watcher that lives and asks nothing of anybody for so long hangs. */
	const hangs = (run: WatcherRun): boolean => {
		const { isDead, calls } = run.life;
		const before = quiet.get(run);
		if (isDead || before?.calls !== calls) {
			quiet.set(run, { calls, sinceMs: world.time.steadyMs() });
			return false;
		}
		return isPast(before.sinceMs, QUIET_MS);
	};
	const stands = ({ life }: WatcherRun): boolean => {
		const moved = hands.progressOf(life.pid);
		return !life.isDead && moved !== null && isPast(moved, LOOP_MS);
	};
	const absorbed = watchBaseline(world, ledger);
	return (timePassed) => {
		const orchestrators = agents.filter(
			(a) => a.isAlive && a.window.name === TARGET,
		);
		const fresh = doors.log.lines.slice(read);
		read += fresh.length;
		const timers = doors.clock.waitingAside();
		return [
			...agents.flatMap((a) => a.wrongs.map((w) => `typed wrongly: ${w}`)),
			...hands.wrongs.map((w) => `acted wrongly: ${w}`),
			...services.wrongs.map((w) => `served wrongly: ${w}`),
			...fleet.wrongs.map((w) => `scheduled wrongly: ${w}`),
			...world.torn,
			...absorbed(),
			...watchers.flatMap((w) =>
				w.crash === null ? [] : [`a watcher crashed: ${w.crash}`],
			),
			...(timePassed ? watchers : [])
				.filter(hangs)
				.map(({ life }) => `watcher ${life.pid} hangs: no call of a door`),
			...(timePassed ? watchers : [])
				.filter(stands)
				.map(({ life }) => `the loop of watcher ${life.pid} stands still`),
			...(orchestrators.length > 1
				? [`${orchestrators.length} orchestrators live at once`]
				: []),
			...(timers > MAX_TIMERS ? [`${timers} timers wait`] : []),
			...fresh
				.filter(({ msg }) => BUG.test(msg))
				.map(({ msg }) => `the log shows a bug: ${msg}`),
		];
	};
}

/** A report that the baseline holds, that nobody was told, and that no older baseline keeps from being forgotten. */
function watchBaseline(world: World, ledger: Ledger): () => readonly string[] {
	const { files } = world.doors;
	const linesOf = (name: string): readonly string[] | null => {
		const path = `${STATE}/${name}`;
		const text = files.has(path) ? parseSnapshot(files.text(path)) : null;
		return text?.split("\n") ?? null;
	};
	let looked = -1;
	return () => {
		const found = files.stat(`${STATE}/last-snapshot.txt`);
		const mtimeMs = found.kind === "ok" ? found.stat.mtimeMs : -1;
		if (mtimeMs === looked) return [];
		looked = mtimeMs;
		const known = linesOf("last-snapshot.txt");
		if (known === null) return [];
		const older = linesOf("untold-baseline.txt");
		const absorbed = ledger.reports
			.filter((name) => known.includes(name) && !ledger.unknowable.has(name))
			.filter((name) => older === null || older.includes(name))
			.filter((name) => !isTold(world, name));
		const { isBaselineLost } = ledger;
		ledger.isBaselineLost = false;
		if (!isBaselineLost)
			return absorbed.map(
				(name) => `the baseline absorbed ${name}, which nobody was told`,
			);
		for (const name of absorbed) ledger.unknowable.add(name);
		return [];
	};
}

function isTold({ agents }: World, name: string): boolean {
	return agents.some(({ sent }) =>
		sent.some(({ text }) => text.includes(`+${name}`)),
	);
}
