/** `claude-loop`: a retained worker whose claude ended goes on where it was (contract 04 §17). */
import { readActionLog } from "../_state/action-log.ts";
import { takeLoopStop } from "../_state/loop-stop.ts";
import { windowEvents } from "../_state/window-events.ts";
import { resolveClaudeBin } from "../_sys/claude-bin.ts";
import type { Doors } from "../_sys/doors.ts";
import type { LoopRequest } from "./args.ts";
import { decideLoop } from "./decide.ts";

export interface LoopContext {
	readonly doors: Doors;
	readonly codeRoot: string;
	readonly stateDir: string;
	/** Used unless the command line says otherwise. */
	readonly retainTtlSeconds: number;
	/** Aborts when the loop is told to end. */
	readonly signal: AbortSignal;
	readonly err: (line: string) => void;
}

/** 0 stopped by the flag, 1 no claude, 2 no prompt, 10 not retained, 11 restarted often enough, 12 signal. */
export async function runLoop(
	req: LoopRequest,
	ctx: LoopContext,
): Promise<number> {
	const { doors, stateDir, err } = ctx;
	const { files, clock, proc } = doors;
	const say = (line: string) => err(`claude-loop: ${line}`);
	const claude = resolveClaudeBin(doors, ctx.codeRoot);
	if (claude.kind === "missing") {
		say(claude.message);
		return 1;
	}
	const prompt = files.read(req.promptFile);
	if (prompt.kind !== "ok") {
		say(`the prompt file cannot be read: ${req.promptFile}`);
		return 2;
	}
	if (takeLoopStop(files, stateDir, req.window)) return 0;
	for (let restarts = 0; ; restarts++) {
		const last = restarts === 0 ? prompt.text : "--continue";
		await proc.foreground([claude.path, ...claudeWords(req), last]);
		const step = decideLoop({
			signalled: ctx.signal.aborted,
			stopWished: takeLoopStop(files, stateDir, req.window),
			retainedAt: retainedAt(doors, stateDir, req.window),
			now: clock.now(),
			retainTtlSeconds: req.retainTtlSeconds ?? ctx.retainTtlSeconds,
			restarts,
			maxRestarts: req.maxRestarts,
			backoffBaseSeconds: req.backoffBaseSeconds,
		});
		if (step.kind === "end") {
			say(step.why);
			return step.rc;
		}
		const { afterSeconds } = step;
		say(
			`claude ended; restart ${restarts + 1} of ${req.maxRestarts} in ${afterSeconds} s`,
		);
		const slept = await clock.sleep(afterSeconds * 1000, ctx.signal);
		if (slept === "aborted") return 12;
	}
}

function claudeWords(req: LoopRequest): readonly string[] {
	return [
		"--dangerously-skip-permissions",
		...(req.settings === null ? [] : ["--settings", req.settings]),
		...(req.model === null ? [] : ["--model", req.model]),
	];
}

function retainedAt(
	doors: Doors,
	stateDir: string,
	window: string,
): number | null {
	const events = readActionLog(doors, stateDir, ["window-retain"]);
	return windowEvents(events ?? [])(window).retain?.at ?? null;
}
