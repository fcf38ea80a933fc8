/** Runs our real hooks at a simulated session's events. */
import type { ClaudeParts, HookRun } from "./claude-types.ts";

export function runHooks(
	{ doors, sessionId, stateDir, wiring }: ClaudeParts,
	runs: readonly HookRun[],
	payload: object,
): void {
	const { clock, files, tmux } = doors;
	for (const { hook, args = [] } of runs) {
		const done = hook({
			env: wiring.env,
			args,
			files,
			clock,
			timer: clock,
			stateDir,
			payload: { session_id: sessionId, ...payload },
			tmux: async () => tmux,
			warn: () => {},
		});
		// A hook ends with 0 whatever happens (contract 08 §1.1).
		if (done instanceof Promise) done.catch(() => {});
	}
}
