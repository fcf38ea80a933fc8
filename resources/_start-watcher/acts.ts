/** Each act of a start, one function an act (contract 09 §10.2). */
import { failureText } from "../../monitor/_fleet/failure.ts";
import type { Done, FleetFailure } from "../../monitor/_fleet/fleet.ts";
import { writeKit } from "../../monitor/_fleet/install.ts";
import type { Thing } from "../../monitor/_state/fleet/start-journal.ts";
import { briefPath, launcherPath } from "../../monitor/_state/fleet/store.ts";
import {
	readWatchParams,
	watchParamsPath,
	writeWatchParams,
} from "../../monitor/_state/fleet/watch-params.ts";
import type { WriteResult } from "../../monitor/_sys/doors.ts";
import type { Plan } from "./plan.ts";
import type { Step, StepEnd, StepHands } from "./steps.ts";

const DONE: StepEnd = { kind: "ok" };

/** A worktree that was there is foreign: nothing of it is undone. */
export function worktreeStep(plan: Plan, { fleet, deps }: StepHands): Step {
	const { args, branch } = plan;
	const thing = (path: string, branchCreated: boolean): Thing => ({
		step: "worktree",
		path,
		branch,
		branchCreated,
		newlyTrusted: fleet.backend === "local" && !deps.hands.isTrusted(path),
	});
	return {
		id: "worktree",
		about: `${plan.worktree} (branch ${branch})`,
		// The checks saw no such branch.
		makes: () => thing(plan.worktree, true),
		act: async (journal) => {
			const made = await fleet.worktreeCreate(args.name);
			if (made.kind !== "ok") return failure(made);
			if (made.value.reused)
				return {
					kind: "failed",
					why: `${made.value.path} was there already: somebody else was faster`,
					foreign: true,
				};
			journal.note(thing(made.value.path, made.value.branchCreated));
			return DONE;
		},
	};
}

/** Read back and compared, for a watcher without its parameters does not know whom it watches. */
export function paramsStep(plan: Plan, { doors }: StepHands): Step {
	const { files } = doors;
	const { thrumDir, dir, args } = plan;
	const brief = briefPath(thrumDir, args.name);
	const path = watchParamsPath(thrumDir, args.name);
	return {
		id: "params",
		about: path,
		makes: () => ({
			step: "params",
			dir,
			dirMade: files.lstat(dir).kind === "absent",
			files: [path, brief],
		}),
		act: async () => {
			const { name } = args;
			const wrote = writeWatchParams(files, thrumDir, name, plan.params);
			if (wrote.kind !== "ok") return unwritten(wrote);
			const read = readWatchParams(files, thrumDir, name);
			if (read.kind !== "ok") return broken(read.why);
			const [problem] = read.problems;
			if (problem !== undefined) return broken(problem);
			const again = files.read(path);
			const same =
				again.kind === "ok" &&
				Bun.deepEquals(JSON.parse(again.text), JSON.parse(plan.params));
			if (!same) return broken(`${path} does not read as it was written`);
			const told = files.writeAtomic(brief, plan.brief, { mode: 0o600 });
			return told.kind === "ok" ? DONE : unwritten(told);
		},
	};
}

/** In the worktree that was made, whose path the backend chose. */
export function sessionStep(plan: Plan, { fleet }: StepHands): Step {
	const { args, session, runId, intent } = plan;
	const { name: agent, role, runtime, model, effort } = args;
	return {
		id: "session",
		about: `${session} (tmux), for the agent @${agent}`,
		makes: () => ({ step: "session", session, runId }),
		act: async (journal) => {
			const worktree = journal
				.entries()
				.map(({ thing }) => thing)
				.find((thing) => thing.step === "worktree");
			const cwd = worktree?.path ?? plan.worktree;
			const made = await fleet.sessionCreate({
				session,
				cwd,
				agent,
				role,
				module: agent,
				intent,
				runtime,
				model,
				effort,
				runId,
			});
			return made.kind === "ok" ? DONE : failure(made);
		},
	};
}

/** A runtime that began with a warning has begun. */
export function launchStep(plan: Plan, { fleet, doors }: StepHands): Step {
	const { session, args } = plan;
	const { runtime, model, effort, name } = args;
	const launcher = launcherPath(plan.thrumDir, name);
	return {
		id: "launch",
		about: `${runtime} with model ${model}, effort ${effort}`,
		makes: () => ({
			step: "launch",
			files: doors.files.lstat(launcher).kind === "absent" ? [launcher] : [],
		}),
		act: async () => {
			const pin = { runtime, model, effort };
			const begun = await fleet.sessionLaunch({ session, ...pin });
			if (begun.kind !== "ok") return failure(begun);
			const { warning } = begun.value;
			return warning === undefined ? DONE : { kind: "ok", warning };
		},
	};
}

/** Each file is in the journal as it is written. */
export function scriptsStep(plan: Plan, { doors, bundles }: StepHands): Step {
	const { dir } = plan;
	return {
		id: "scripts",
		about: bundles.map(({ name }) => `${dir}/${name}`).join(", "),
		makes: () => ({ step: "scripts", files: [] }),
		act: async (journal) => {
			const files: string[] = [];
			const done = await writeKit(doors, bundles, dir, (path) => {
				files.push(path);
				journal.note({ step: "scripts", files: [...files] });
			});
			return done.kind === "ok" ? DONE : broken(done.why);
		},
	};
}

/** Started by the fleet's scheduler from then on. */
export function monitorStep(plan: Plan, { fleet }: StepHands): Step {
	const { monitor, args } = plan;
	const { name, to: target } = monitor;
	return {
		id: "monitor",
		about: `${name}, schedule "${monitor.schedule}" (idle cadence ${args.cadenceIdle})`,
		makes: () => ({ step: "monitor", name, target }),
		act: async () => {
			const started: Done<unknown> = await fleet.monitorStart(monitor);
			return started.kind === "ok" ? DONE : failure(started);
		},
	};
}

/** A steward's roster is told who looks after it; each one that was told is in the journal. */
export function tellStep(plan: Plan, { fleet }: StepHands): Step {
	const roster = plan.roster.map(({ agentId }) => agentId);
	return {
		id: "tell",
		about: `a message to ${roster.join(", ")}`,
		makes: () => ({ step: "tell", told: [] }),
		act: async (journal) => {
			const told: string[] = [];
			for (const agent of roster) {
				const sent = await fleet.send(agent, plan.message);
				if (sent.kind !== "ok")
					return broken(`@${agent}: ${failureText(sent)}`);
				told.push(agent);
				journal.note({ step: "tell", told: [...told] });
			}
			return DONE;
		},
	};
}

function failure(failed: FleetFailure): StepEnd {
	const foreign = failed.kind === "exists";
	return { kind: "failed", why: failureText(failed), foreign };
}

function broken(why: string): StepEnd {
	return { kind: "failed", why, foreign: false };
}

function unwritten(result: Extract<WriteResult, { kind: "failed" }>): StepEnd {
	return broken(result.reason);
}
