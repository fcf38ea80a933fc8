/** One turn of the full-state cadence: is it due, and with which rows (contract 01 §7.2). */
import { readFullState, writeFullState } from "../_state/full-state.ts";
import { readStaged } from "../_state/staging.ts";
import { volatileStrip } from "./dedup.ts";
import {
	decideFullState,
	type FullStateConfig,
	type FullStateLook,
	intervalElapsed,
} from "./full-state-gate.ts";
import type { EmitPlace } from "./place.ts";
import type { EmitProviders, ProviderRun } from "./providers.ts";
import { withholdGone } from "./restat.ts";
import { type Render, runBounded } from "./run-bounded.ts";
import type { Lesson } from "./settle.ts";
import { hasUnprobed } from "./tally.ts";

export interface FullStateTurn {
	readonly due: boolean;
	/** Rows of the section; empty unless due. */
	readonly text: string;
	/** The stripped text, to be remembered when a due report was delivered; null without a probe. */
	readonly canonical: string | null;
}

export const NOT_DUE: FullStateTurn = { due: false, text: "", canonical: null };

/** Without a provider it is never due. */
export async function fullStateTurn(
	run: ProviderRun,
	place: EmitPlace,
	providers: EmitProviders,
	live: ReadonlySet<string> | null,
	budgetMs: number,
): Promise<FullStateTurn> {
	const { doors } = run;
	const cfg = gateConfig(place);
	const memory = readFullState(doors, place.stateDir);
	if (providers.fullState === undefined) return NOT_DUE;
	if (!intervalElapsed(memory.stamp, doors.clock.now(), cfg)) return NOT_DUE;
	const { text, ...look } = await renderFullState(
		run,
		place,
		{ fullState: providers.fullState, prelude: providers.prelude },
		live,
		budgetMs,
	);
	const decision = decideFullState(look, memory, doors.clock.now(), cfg);
	writeFullState(doors.files, place.stateDir, decision);
	if (decision.log !== undefined) doors.log.info(decision.log);
	const { canonical } = look;
	return decision.due ? { due: true, text, canonical } : NOT_DUE;
}

/** The rows, staged or rendered now, without those of windows that closed since; and what they are compared by. */
export async function renderFullState(
	run: ProviderRun,
	place: EmitPlace,
	from: Pick<EmitProviders, "prelude"> & {
		readonly fullState: (run: ProviderRun) => Render;
	},
	live: ReadonlySet<string> | null,
	budgetMs: number,
): Promise<FullStateLook & { readonly text: string }> {
	const { doors, signal } = run;
	const bounded = (render: Render) =>
		runBounded(doors.clock, budgetMs, render, signal);
	const staged =
		readStaged(
			doors.files,
			place.stageDir,
			"full_state_snap",
			place.startedAt,
		) ?? "";
	const rendered =
		staged === "" ? await bounded(from.fullState(run)) : { rc: 0, out: staged };
	const restat = place.config["monitor.full_state.restat_windows"];
	const text = withholdGone(rendered.out, restat ? live : null);
	const prelude = from.prelude
		? await bounded(from.prelude(run, true))
		: { rc: 0, out: "" };
	const canonical = volatileStrip(
		`workspace: ${prelude.out.trim()}\n---snapshot---\n${text}`,
	);
	const isPartial =
		[rendered, prelude].some(({ rc }) => rc !== 0) ||
		hasUnprobed(prelude.out) ||
		/\bstate=unknown\b/.test(text);
	return { text, canonical, isPartial };
}

/** After any delivered report the silence is counted anew; a full-state report is also remembered. */
export function learnFullState(
	run: ProviderRun,
	place: EmitPlace,
	turn: FullStateTurn,
): Lesson {
	return {
		when: "delivered",
		commit: () => {
			const any = place.config["monitor.full_state.reset_stamp_on_emit"];
			writeFullState(run.doors.files, place.stateDir, {
				...((any || turn.due) && { stamp: run.doors.clock.now() }),
				...(turn.due &&
					turn.canonical !== null && { canonical: turn.canonical }),
			});
		},
	};
}

function gateConfig({ config }: EmitPlace): FullStateConfig {
	return {
		intervalSeconds: config["monitor.full_state_emit_interval_seconds"],
		floorSeconds: config["monitor.full_state.safety_floor_seconds"],
		backoffEnabled: config["monitor.full_state.idle_backoff_enabled"],
		backoffMaxSeconds: config["monitor.full_state.idle_backoff_max_seconds"],
		partialLooks: config["monitor.full_state.read_failed_persist_polls"],
	};
}
