#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * What a steward's look at its whole roster costs: the installed copy of `thrum-watch-pane-capture.ts` over `--members N`
 * (default 100) real panes that show labelled captures; CPU seconds of the process and its children, `--runs N` (default
 * 5). Wanted: under 1 s for 100.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUN_FLAGS, CODE_ROOT, programArgv } from "../monitor/_sys/names.ts";
import { startPrivateTmux } from "../tests/support/private-tmux.ts";
import { numberFlag, percentile, report } from "./measure.ts";
import { showCaptures } from "./panes.ts";

const members = numberFlag("members", 100);
const runs = numberFlag("runs", 5);
const tmux = startPrivateTmux();
try {
	const thrum = join(tmux.dir, "repo/.thrum");
	const agent = join(thrum, "agents/bench");
	mkdirSync(agent, { recursive: true });
	writeFileSync(join(thrum, "fleet-backend"), "local\n");
	// Whoever stands in the orchestrator's session is a member of the fleet.
	tmux.run("rename-window", "-t", "fleet:shell", "orchestrator");
	showCaptures(tmux, members);
	const roster = Array.from({ length: members }, (_, n) => `worker-${n}`);
	writeFileSync(join(agent, "watch_params.json"), JSON.stringify({ roster }));
	run(programArgv(process.execPath, "installKit", ["pane-watch", agent]));
	await Bun.sleep(1000);
	const copy = join(agent, "thrum-watch-pane-capture.ts");
	const cpu: number[] = [];
	for (let n = 0; n <= runs; n++) {
		const { said, seconds } = run([process.execPath, ...BUN_FLAGS, copy]);
		if (n === 0) console.log(said.trimEnd());
		else cpu.push(seconds);
	}
	const p50 = percentile(cpu, 0.5);
	report({
		name: `a pass over ${members} members`,
		value: p50,
		unit: "CPU s",
		limit: 1,
	});
	console.log(
		`a pass over ${members} members: CPU p50 ${p50.toFixed(3)} s, worst ${Math.max(...cpu).toFixed(3)} s (n = ${runs})`,
	);
} finally {
	await tmux.kill();
}

function run(argv: readonly string[]): {
	readonly said: string;
	readonly seconds: number;
} {
	const env = { ...tmux.env, HOME: tmux.dir };
	const ran = Bun.spawnSync([...argv], { cwd: CODE_ROOT, env });
	if (ran.exitCode !== 0)
		throw new Error(`${argv.at(-1)}: exit ${ran.exitCode}\n${ran.stderr}`);
	return {
		said: ran.stdout.toString(),
		seconds: Number(ran.resourceUsage.cpuTime.total) / 1e6,
	};
}
