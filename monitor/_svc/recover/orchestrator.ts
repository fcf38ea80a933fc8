/** Recovery's second deed: an orchestrator in its window, at its index (contract 06 §5.2 step 3). */
import type { PaneRows } from "../../_sys/doors.ts";
import { programName } from "../../_sys/names.ts";
import { type Lookup, resolveWindowId } from "../../_sys/tmux-lookup.ts";
import { type RecoverContext, runProgram } from "./context.ts";

const LIMIT_MS = 10 * 60_000;
/** Exit code of the program that spawns. */
const NOT_BRIEFED = 4;

/** `reason` is told to the new orchestrator. */
export async function recoverOrchestrator(
	ctx: RecoverContext,
	reason: string,
): Promise<void> {
	const { doors, settings, dryRun } = ctx;
	const { log, proc, tmux } = doors;
	const target = settings.config["monitor.target_window"];
	const found = resolveWindowId(await tmux.panes(), target);
	const plan = planOrchestrator(found, target, dryRun);
	log.info(`orchestrator: ${plan.line}`);
	if (plan.spawn) {
		const args = ["--target", target, "--reason", reason];
		const standIn = proc.env.RECOVER_SPAWN_ORCH_BIN;
		const rc = await runProgram(ctx, "spawnFreshOrchestrator", args, {
			limitMs: LIMIT_MS,
			...(standIn ? { standIn } : {}),
		});
		// Told and no more: the watcher misses its target soon enough, and tries again by its own rules.
		if (rc === NOT_BRIEFED)
			log.warn("orchestrator: its window stands, and its brief was not taken");
		else if (rc !== 0)
			log.warn(`orchestrator: not started (exit ${rc ?? "none"})`);
	}
	if (plan.pin) await pin(ctx, target);
}

/** Pure. A window of that name is never replaced, whatever runs in it. */
export function planOrchestrator(
	found: Lookup<string>,
	target: string,
	dryRun: boolean,
): { readonly spawn: boolean; readonly pin: boolean; readonly line: string } {
	switch (found.kind) {
		case "present":
			return {
				spawn: false,
				pin: !dryRun,
				line: `window '${target}' is there`,
			};
		case "absent":
			return dryRun
				? {
						spawn: false,
						pin: false,
						line: `no window '${target}'; dry run, it is not started`,
					}
				: {
						spawn: true,
						pin: true,
						line: `no window '${target}'; starting one`,
					};
		default: {
			const why = "why" in found ? found.why : "it has no name";
			return {
				spawn: false,
				pin: false,
				line: `could not look for window '${target}' (${why}); left alone${adviceFor(why)}`,
			};
		}
	}
}

/**
 * As after a reboot. It is no proof that nothing runs: a server lives on when somebody clears its socket away, and a
 * second fleet beside it would be worse than a wait.
 */
function adviceFor(why: string): string {
	return /error connecting|no server running/.test(why)
		? `; start tmux, then ${programName("svc")} up`
		: "";
}

export type Pin =
	| { readonly kind: "there" }
	| {
			readonly kind: "move";
			readonly windowId: string;
			readonly session: string;
	  }
	| { readonly kind: "taken"; readonly by: string }
	| { readonly kind: "no-window" };

/** Pure. A window that holds the index keeps it. */
export function planPin(rows: PaneRows, target: string, index: number): Pin {
	if (rows.kind !== "ok") return { kind: "no-window" };
	const own = rows.rows.find((r) => r.windowName === target);
	if (own === undefined) return { kind: "no-window" };
	if (own.windowIndex === index) return { kind: "there" };
	const holder = rows.rows.find(
		(r) => r.sessionId === own.sessionId && r.windowIndex === index,
	);
	if (holder !== undefined) return { kind: "taken", by: holder.windowName };
	return { kind: "move", windowId: own.windowId, session: own.sessionId };
}

async function pin(
	{ doors, settings }: RecoverContext,
	target: string,
): Promise<void> {
	const { log, tmux } = doors;
	const index = settings.config["monitor.target_window_index"];
	const plan = planPin(await tmux.panes(), target, index);
	if (plan.kind === "taken")
		log.info(
			`orchestrator: not moved: index ${index} is held by window '${plan.by}'`,
		);
	if (plan.kind !== "move") return;
	const moved = await tmux.run({
		kind: "move-window",
		target: plan.windowId,
		session: plan.session,
		index,
	});
	log.info(
		moved.kind === "ok"
			? `orchestrator: its window was moved to index ${index} (monitor.target_window_index)`
			: `orchestrator: not moved to index ${index} (${moved.kind})`,
	);
}
