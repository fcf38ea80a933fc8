/** What a recovery does, and in which order (contract 06 §5.1, §5.2). Pure. */

export const RECOVER_FLAGS = [
	"--services-only",
	"--no-services",
	"--watcher-only",
	"--no-orchestrator",
	"--no-workers",
	"--dry-run",
	"--stops-taken-back",
] as const;

/**
 * `engaged`: in which windows the operator works is asked before the watcher is started, which forgets windows that do
 * not exist yet.
 */
export type Step =
	| "engaged"
	| "watcher"
	| "orchestrator"
	| "services"
	| "workers";

export type RecoveryPlan =
	| {
			readonly kind: "go";
			readonly steps: readonly Step[];
			readonly dryRun: boolean;
			readonly stopsTakenBack: boolean;
	  }
	| { readonly kind: "refused"; readonly line: string };

/**
 * The orchestrator comes before services and workers: workers that came first once took its index in tmux, and the
 * supervisor came up late.
 */
export function planRecovery(flags: ReadonlySet<string>): RecoveryPlan {
	const servicesOnly = flags.has("--services-only");
	const without = (["--no-services", "--watcher-only"] as const).find((flag) =>
		flags.has(flag),
	);
	if (servicesOnly && without !== undefined)
		return {
			kind: "refused",
			line: `--services-only and ${without} exclude each other; nothing was done`,
		};
	const services = without === undefined;
	const workers = services && !flags.has("--no-workers");
	const orchestrator = !servicesOnly && !flags.has("--no-orchestrator");
	const wanted: readonly (readonly [Step, boolean])[] = [
		["engaged", workers],
		["watcher", !servicesOnly],
		["orchestrator", orchestrator],
		["services", services],
		["workers", workers],
	];
	return {
		kind: "go",
		steps: wanted.flatMap(([step, on]) => (on ? [step] : [])),
		dryRun: flags.has("--dry-run"),
		stopsTakenBack: flags.has("--stops-taken-back"),
	};
}
