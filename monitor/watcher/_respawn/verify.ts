/** The thin part of the check for a living orchestrator: looks, and what its answer asks for (contract 04 §13.1). */
import type { LookAt } from "../../_pane/types.ts";
import { readPin } from "../../_state/orchestrator-session-id.ts";
import {
	ORCHESTRATOR_STAMPS,
	orchestratorStampPath,
} from "../../_state/orchestrator-stamps.ts";
import { mtimeOf } from "../../_state/peek.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { Doors } from "../../_sys/doors.ts";
import {
	lookForOrchestrators,
	type OrchestratorLook,
} from "./orchestrators.ts";
import { transcriptPaths } from "./resume-choice.ts";
import {
	abort,
	decideSlot,
	decideVerify,
	type Verified,
} from "./verify-absent.ts";
import { keepName } from "./window.ts";

export interface VerifyDeps {
	readonly doors: Doors;
	readonly lookAt: LookAt;
	readonly root: string;
	readonly stateDir: string;
	/** Between two looks at a window of the target's name. */
	readonly reprobeMs: number;
}

export type VerifyEnd = Exclude<Verified, { kind: "look-again" }>;

/** `since`: epoch seconds of the first miss, 0 when nobody counted. Ends strays and gives a lost name back; nothing else. */
export async function verifyTargetAbsent(
	deps: VerifyDeps,
	target: string,
	since: number,
	signal?: AbortSignal,
): Promise<VerifyEnd> {
	const { doors } = deps;
	const look = await lookNow(deps, signal);
	if (look === "no-tmux") return { kind: "proceed", reason: "verified-absent" };
	if (look === null) return abort("could-not-look");
	const first = decideVerify({ target, since, look, ...signsOfLife(deps) });
	if (first.kind !== "look-again") return carryOut(deps, target, first);
	await doors.clock.sleep(deps.reprobeMs, signal);
	if (signal?.aborted) return abort("could-not-look");
	const again = await lookNow(deps, signal);
	if (again === null || again === "no-tmux") return abort("could-not-look");
	const second = decideSlot(target, again);
	if (second.kind === "look-again") return abort("window-reappeared");
	if (second.kind === "proceed" && second.reason === "impostor-in-slot")
		doors.log.warn(
			`respawn: what runs in window '${target}' is no orchestrator of ours and gives way (impostor-in-slot)`,
		);
	return second;
}

async function lookNow(
	{ doors, lookAt }: VerifyDeps,
	signal?: AbortSignal,
): Promise<OrchestratorLook | "no-tmux" | null> {
	const rows = await doors.tmux.panes(signal);
	if (rows.kind === "no-tmux") return "no-tmux";
	if (rows.kind !== "ok") return null;
	return lookForOrchestrators(doors, lookAt, rows.rows, signal);
}

function signsOfLife({ doors, root, stateDir }: VerifyDeps) {
	const { files, proc, clock } = doors;
	const now = clock.now();
	const pin = readPin(files, stateDir);
	const stamps = ORCHESTRATOR_STAMPS.map((stamp) =>
		mtimeOf(files, orchestratorStampPath(stateDir, stamp)),
	);
	const transcripts =
		pin === null
			? []
			: transcriptPaths(proc.env, root, pin).map((p) => mtimeOf(files, p));
	return {
		pin,
		signalAt: newest(stamps, now),
		transcriptAt: newest(transcripts, now),
	};
}

/** Seconds. A stamp further ahead is from before the clock stepped back: it would keep a dead orchestrator alive until the clock is there again. */
const CREDIBLE_AHEAD = 60;

function newest(times: readonly (number | null)[], now: number): number | null {
	const known = times
		.filter((at) => at !== null)
		.filter((at) => ageSeconds(now, at, CREDIBLE_AHEAD) !== null);
	return known.length === 0 ? null : Math.max(...known);
}

async function carryOut(
	{ doors }: VerifyDeps,
	target: string,
	verified: VerifyEnd,
): Promise<VerifyEnd> {
	if (verified.kind === "proceed") return verified;
	const { tmux, log } = doors;
	for (const id of verified.kill) {
		log.warn(`respawn: window ${id} holds a second orchestrator; it is closed`);
		await tmux.run({ kind: "kill-window", target: id });
	}
	if (verified.rename !== null) {
		log.warn(
			`respawn: the orchestrator lives in window ${verified.rename}, which gets its name '${target}' back`,
		);
		await tmux.run({
			kind: "rename-window",
			target: verified.rename,
			name: target,
		});
		await keepName(doors, verified.rename);
	}
	return verified;
}
