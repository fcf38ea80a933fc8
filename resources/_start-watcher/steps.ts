/** The acts that make a watcher, in their order; each is in the journal before it is begun (contract 09 §10.2). */
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import type { FleetHands } from "../../monitor/_fleet/hands.ts";
import type { Bundle } from "../../monitor/_fleet/install.ts";
import type {
	StepId,
	Thing,
} from "../../monitor/_state/fleet/start-journal.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import {
	launchStep,
	monitorStep,
	paramsStep,
	scriptsStep,
	sessionStep,
	tellStep,
	worktreeStep,
} from "./acts.ts";
import type { Journal } from "./journal.ts";
import type { Plan } from "./plan.ts";

export interface StepHands {
	readonly doors: Pick<Doors, "files" | "proc">;
	readonly fleet: Fleet;
	readonly deps: { readonly hands: Pick<FleetHands, "isTrusted"> };
	/** The kit's programs, made before anything else was. */
	readonly bundles: readonly Bundle[];
}
export interface Step {
	readonly id: StepId;
	/** For a dry run. */
	readonly about: string;
	readonly makes: () => Thing;
	readonly act: (journal: Journal) => Promise<StepEnd>;
}
export type StepEnd =
	| { readonly kind: "ok"; readonly warning?: string }
	/** `foreign`: what stands there is somebody else's. */
	| {
			readonly kind: "failed";
			readonly why: string;
			readonly foreign: boolean;
	  };
export type Outcome =
	| { readonly kind: "started"; readonly warnings: readonly string[] }
	/** `at` counts from 1. */
	| {
			readonly kind: "failed";
			readonly at: number;
			readonly step: StepId;
			readonly why: string;
	  };

/** Only a steward tells its roster. */
export function planSteps(plan: Plan, hands: StepHands): readonly Step[] {
	const tell = plan.args.role === "steward" ? [tellStep(plan, hands)] : [];
	return [
		worktreeStep(plan, hands),
		paramsStep(plan, hands),
		sessionStep(plan, hands),
		launchStep(plan, hands),
		scriptsStep(plan, hands),
		monitorStep(plan, hands),
		...tell,
	];
}

/** `interrupted` names the signal that came, if one did: it is a failed step. An act under way is waited for. */
export async function runSteps(
	steps: readonly Step[],
	journal: Journal,
	interrupted: () => string | null,
): Promise<Outcome> {
	const warnings: string[] = [];
	for (const [index, step] of steps.entries()) {
		const failed = (why: string): Outcome => ({
			kind: "failed",
			at: index + 1,
			step: step.id,
			why,
		});
		const begun = journal.begin(step.makes());
		if (begun.kind !== "ok") return failed(`journal: ${begun.reason}`);
		const end = await step.act(journal).catch(thrown);
		if (end.kind === "failed") {
			if (end.foreign) journal.forget();
			return failed(end.why);
		}
		journal.done();
		if (end.warning !== undefined) warnings.push(end.warning);
		const signal = interrupted();
		if (signal !== null) return failed(`interrupted by ${signal}`);
	}
	return { kind: "started", warnings };
}

/** A mistake of ours: what was made is undone all the same. */
function thrown(cause: unknown): StepEnd {
	const why = cause instanceof Error ? cause.message : String(cause);
	return { kind: "failed", why, foreign: false };
}
