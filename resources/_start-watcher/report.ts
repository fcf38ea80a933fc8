/** What `start-watcher` prints (contract 09 §10). Pure. */
import { shimPath } from "../../monitor/_state/fleet/shim.ts";
import { watchParamsPath } from "../../monitor/_state/fleet/watch-params.ts";
import type { Plan } from "./plan.ts";
import type { CheckFailure } from "./preflight.ts";
import type { RollbackReport } from "./rollback.ts";
import type { Outcome, Step } from "./steps.ts";

const ME = "start-watcher";

/** Checks that were not made are listed, and not counted. */
export function refusedText(failures: readonly CheckFailure[]): string {
	const failed = failures.filter(({ why }) => why !== null);
	const count = new Set(failed.map(({ id }) => id)).size;
	return [
		`${ME}: REFUSED: ${count} check(s) failed, nothing was created`,
		...failures.map(({ id, why }) => `  [${id}] ${why ?? "not checked"}`),
	].join("\n");
}

/** For a signal before the first act. */
export function interruptedText(signal: string): string {
	return `${ME}: REFUSED: interrupted by ${signal}, nothing was created`;
}

/** What `--dry-run` prints. */
export function planText(plan: Plan, steps: readonly Step[]): string {
	return [
		`${ME}: PLAN ${plan.args.name}: all checks passed, nothing was created`,
		...steps.map(({ id, about }, at) => `  ${at + 1} ${id}: ${about}`),
	].join("\n");
}

/** Where everything lies, and how to restart it by hand. */
export function startedText(
	plan: Plan,
	worktree: string,
	warnings: readonly string[],
): string {
	const { args, thrumDir, monitor, session } = plan;
	const { name, role, parent, runtime, model, effort } = args;
	const other = runtime === "claude" ? "" : ` --runtime ${runtime}`;
	return [
		`${ME}: STARTED ${name}`,
		`  role: ${role}   backend: ${plan.backend}   owner: ${plan.owner}   parent: ${parent}`,
		`  worktree: ${worktree} (branch ${plan.branch})`,
		`  session: ${session}   runtime: ${runtime}   model: ${model}   effort: ${effort}`,
		`  params: ${watchParamsPath(thrumDir, name)}`,
		`  monitor: ${monitor.name} schedule "${monitor.schedule}" (idle cadence ${args.cadenceIdle})`,
		`  roster: ${plan.roster.map(({ agentId }) => agentId).join(", ")}`,
		`  restart: thrum tmux restart ${session} --model ${model} --effort ${effort}${other}`,
		...(plan.backend === "local" ? [`  thrum: ${shimPath(thrumDir)}`] : []),
		...warnings.map((warning) => `  warning: ${warning}`),
	].join("\n");
}

/** What was undone, and what was not and why. */
export function failedText(
	{ at, step, why }: Extract<Outcome, { kind: "failed" }>,
	total: number,
	{ removed, left }: RollbackReport,
): string {
	return [
		`${ME}: FAILED at step ${at}/${total} ${step}: ${why}`,
		`  removed: ${removed.length === 0 ? "nothing had been made" : removed.join(", ")}`,
		...left.map(
			({ thing, why: reason }) => `  NOT removed: ${thing}: ${reason}`,
		),
	].join("\n");
}

/** Where the journal lies when something is left. */
export function journalText(path: string): string {
	return `  journal: ${path}`;
}

/** One line on stderr. */
export function warningText(warning: string): string {
	return `${ME}: warning: ${warning}`;
}
