/** `start-watcher`: checks everything, makes the watcher step by step, or leaves nothing behind (contract 09 §10). */
import { join } from "node:path";
import { recordBackend } from "../../monitor/_fleet/open.ts";
import { takeLockDir } from "../../monitor/_state/fleet/lock-dir.ts";
import {
	removeStartJournal,
	startJournalPath,
	startLockDir,
} from "../../monitor/_state/fleet/start-journal.ts";
import { isoSeconds } from "../../monitor/_state/fleet/time.ts";
import type { ProcessEvents } from "../../monitor/_sys/process-events.ts";
import { type Args, parseArgs, USAGE } from "./args.ts";
import {
	type Found,
	type GatherContext,
	type Gathered,
	gather,
} from "./gather.ts";
import { type Journal, openJournal } from "./journal.ts";
import { type Plan, planOf } from "./plan.ts";
import { ownerOf, preflight } from "./preflight.ts";
import {
	failedText,
	interruptedText,
	journalText,
	planText,
	refusedText,
	startedText,
	warningText,
} from "./report.ts";
import { rollback } from "./rollback.ts";
import { planSteps, runSteps, type Step } from "./steps.ts";
import { rememberSurroundings } from "./surroundings.ts";
import { warnings } from "./warnings.ts";

export interface StartContext extends GatherContext {
	readonly out: (text: string) => void;
	readonly err: (text: string) => void;
	readonly events: Pick<ProcessEvents, "onSignal">;
	/** Settings that an installed copy can only be told by its environment. */
	readonly copyEnv: (found: Found) => Readonly<Record<string, string>>;
}
export type StartExit = 0 | 1 | 2 | 3;

/** The exit code: 0 started, 1 failed and all undone, 2 refused, 3 something is left. */
export async function startWatcher(
	argv: readonly string[],
	ctx: StartContext,
): Promise<StartExit> {
	const parsed = parseArgs(argv);
	if (parsed.kind === "help") {
		ctx.out(USAGE);
		return 0;
	}
	if (parsed.kind === "usage") {
		const failures = [{ id: "usage", why: parsed.why }] as const;
		ctx.err(`${refusedText(failures)}\n${USAGE}`);
		return 2;
	}
	const { args } = parsed;
	const signal = firstSignal(ctx);
	const gathered = await gather(ctx, args);
	const failures = preflight(args, gathered.probe);
	if (failures.length > 0 || gathered.found === null) {
		ctx.err(refusedText(failures));
		return 2;
	}
	for (const line of warnings(args, gathered.probe)) ctx.err(warningText(line));
	const plan = planFor(ctx, args, gathered, gathered.found);
	const hands = { ...gathered, ...gathered.found, doors: ctx.doors };
	const steps = planSteps(plan, hands);
	if (args.dryRun) {
		ctx.out(planText(plan, steps));
		return 0;
	}
	const came = signal();
	if (came !== null) {
		ctx.err(interruptedText(came));
		return 2;
	}
	return underLock(ctx, plan, steps, gathered.found, signal);
}

function planFor(
	{ doors, codeRoot, copyEnv }: StartContext,
	args: Args,
	{ probe, template, caller }: Gathered,
	found: Found,
): Plan {
	const { fleet } = found;
	const owner = ownerOf(args, probe) ?? "";
	return planOf(args, {
		backend: fleet.backend,
		thrumDir: fleet.thrumDir,
		owner,
		template,
		worktree: found.worktree,
		roster: probe.roster.kind === "ok" ? probe.roster.entries : [],
		skill: join(codeRoot, "skills/persistent-watcher-archetype/SKILL.md"),
		bun: doors.proc.execPath,
		path: doors.proc.env.PATH ?? "/usr/bin:/bin",
		copyEnv: copyEnv(found),
		createdBy: caller ?? owner,
		createdAt: isoSeconds(doors.clock.nowMs()),
		runId: `start-${doors.random.hex(12)}`,
	});
}

/** One start of a name at a time. */
async function underLock(
	ctx: StartContext,
	plan: Plan,
	steps: readonly Step[],
	found: Found,
	signal: Signal,
): Promise<StartExit> {
	const { files, clock, proc } = ctx.doors;
	const { thrumDir, args } = plan;
	const around = await rememberSurroundings(
		ctx.doors,
		found.fleet,
		found.worktree,
	);
	const own = proc.stat(proc.pid);
	const start = own.kind === "ok" ? own.value.startTicks : "";
	const lock = takeLockDir(
		{
			files,
			nowMs: clock.nowMs(),
			self: { pid: proc.pid, start },
			stat: (pid) => proc.stat(pid),
		},
		startLockDir(thrumDir, args.name),
	);
	if (lock.kind !== "held") {
		const why =
			lock.kind === "busy"
				? `another start-watcher is at ${args.name} (process ${lock.holder.split(" ")[0]})`
				: `lock: ${lock.why}`;
		ctx.err(refusedText([{ id: "name-free", why }]));
		return 2;
	}
	const made = make(ctx, plan, steps, found, signal);
	const exit = await made.finally(lock.release);
	if (exit === 1) around.restore();
	return exit;
}

async function make(
	ctx: StartContext,
	plan: Plan,
	steps: readonly Step[],
	{ fleet, deps }: Found,
	signal: Signal,
): Promise<StartExit> {
	const { doors } = ctx;
	const { thrumDir, args, runId, backend } = plan;
	const { name } = args;
	const journal = openJournal(doors.files, thrumDir, { name, runId, backend });
	const outcome = await runSteps(steps, journal, signal);
	if (outcome.kind === "started") {
		removeStartJournal(doors.files, thrumDir, name);
		recordBackend(doors.files, thrumDir, backend);
		for (const warning of outcome.warnings) ctx.err(warningText(warning));
		ctx.out(startedText(plan, worktreeOf(journal, plan), outcome.warnings));
		return 0;
	}
	const hands = { doors, fleet, name, distrust: deps.hands.distrust };
	const report = await rollback(journal.entries(), hands);
	ctx.err(failedText(outcome, steps.length, report));
	if (report.left.length > 0) {
		ctx.err(journalText(startJournalPath(thrumDir, name)));
		return 3;
	}
	removeStartJournal(doors.files, thrumDir, name);
	return 1;
}

type Signal = () => string | null;

/** What is under way is finished and then undone; a second signal changes nothing. */
function firstSignal({ events, err }: StartContext): Signal {
	let came: string | null = null;
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		events.onSignal(signal, () => {
			if (came === null)
				err(`start-watcher: ${signal}: ending; what was made is undone`);
			came ??= signal;
		});
	return () => came;
}

function worktreeOf(journal: Journal, plan: Plan): string {
	const things = journal.entries().map(({ thing }) => thing);
	const made = things.find((thing) => thing.step === "worktree");
	return made?.path ?? plan.worktree;
}
