#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * A night in short: the real watcher, tmux and Claude Code (an orchestrator and `--workers N`, default 8, on scripted
 * models) before a stand-in GitHub that fails in every known way; the operator asks at random and types drafts; watcher,
 * orchestrator and workers are killed with SIGKILL. `--minutes N` (default 30) of it, `--seed N` (default 1); then what is
 * open comes to its end, and the account is printed. Wanted: nothing lost, nothing told twice without a reason, no draft
 * destroyed, one watcher, one orchestrator, memory flat. The exit code is 1
 * otherwise, and `--evidence DIR` gets the state dir, the transcripts and the screens.
 */
import { numberFlag, textFlag } from "./measure.ts";
import { isLost } from "./soak/account.ts";
import { soak } from "./soak/run.ts";

const rows = await soak({
	minutes: numberFlag("minutes", 30),
	workers: numberFlag("workers", 8),
	seed: numberFlag("seed", 1),
	killMs: numberFlag("kill-seconds", 90) * 1000,
	askMs: numberFlag("ask-seconds", 20) * 1000,
	drainMs: numberFlag("drain-seconds", 600) * 1000,
	evidenceDir: textFlag("evidence"),
	say: (line) =>
		console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
});
for (const { what, figure, isMissed } of rows)
	console.log(`${isMissed ? "MISS" : " ok "}  ${what.padEnd(52)} ${figure}`);
process.exitCode = isLost(rows) ? 1 : 0;
