/**
 * One pass over a roster by an installed copy of `thrum-watch-pane-capture`, and one snapshot by `roster-watch`:
 * `--members N` (default 100) real panes that show labelled captures, `--runs N` (default 5). CPU is that of the copy
 * and of every program it starts, bun's own start included; every member is registered, which costs most. Wanted: under 1 s of CPU for 100 members.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeRegistered } from "../monitor/_state/fleet/registry.ts";
import { realClock } from "../monitor/_sys/clock.ts";
import { realFiles } from "../monitor/_sys/files.ts";
import { BUN_FLAGS, CODE_ROOT, programPath } from "../monitor/_sys/names.ts";
import { realProc } from "../monitor/_sys/proc.ts";
import { realRandom } from "../monitor/_sys/random.ts";
import { realTmux } from "../monitor/_sys/tmux.ts";
import { fakeLog } from "../tests/fakes/log.ts";
import { startPrivateTmux } from "../tests/support/private-tmux.ts";
import { numberFlag, percentile } from "./measure.ts";
import { showCaptures } from "./panes.ts";

const members = numberFlag("members", 100);
const runs = numberFlag("runs", 5);
const tmux = startPrivateTmux();
const T = join(tmux.dir, "repo/.thrum");
const own = join(T, "agents/night");
const beside = join(tmux.dir, "repo/.thrum-watch");

try {
	for (const dir of [own, beside]) mkdirSync(dir, { recursive: true });
	writeFileSync(join(T, "fleet-backend"), "local\n");
	const roster = Array.from({ length: members }, (_, n) => `worker-${n}`);
	writeFileSync(
		join(own, "watch_params.json"),
		JSON.stringify({ roster, sleeping_roster: [] }),
	);
	tmux.run("rename-window", "-t", "fleet:shell", "orchestrator");
	showCaptures(tmux, members);
	await register(roster);
	install("pane-watch", own);
	install("roster-watch", beside);
	await Bun.sleep(1000);
	await measure("pass", join(own, "thrum-watch-pane-capture.ts"));
	await measure("snapshot", join(beside, "roster-watch.ts"));
} finally {
	await tmux.kill();
}

async function measure(name: string, copy: string): Promise<void> {
	const cpu: number[] = [];
	const wall: number[] = [];
	let line = "";
	for (let n = 0; n < runs; n++) {
		const began = performance.now();
		const ran = Bun.spawnSync([process.execPath, ...BUN_FLAGS, copy], {
			cwd: tmux.dir,
			env: {
				...{ HOME: tmux.dir, PATH: "/usr/local/bin:/usr/bin:/bin" },
				...{ TMUX_TMPDIR: tmux.dir, AGENT_NAME: "night" },
				MONITOR_FLEET_STABILITY_GAP_SECONDS: "1",
			},
		});
		wall.push(performance.now() - began);
		// Of the copy and of the children that it waited for.
		cpu.push(Number(ran.resourceUsage?.cpuTime.total ?? 0) / 1000);
		line = ran.stdout.toString().trim();
		if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
	}
	const figures = (all: readonly number[]) =>
		[0.5, 1].map((p) => percentile(all, p).toFixed(0)).join(" / ");
	console.log(
		`${name} over ${members} members, p50 / worst: CPU ${figures(cpu)} ms, wall ${figures(wall)} ms`,
	);
	console.log(`  ${line.replace(/ -- report: .*/, "")}`);
}

/** As agents that were started here, each with its own pane. */
async function register(names: readonly string[]): Promise<void> {
	const listed = await realTmux(realProc(), realRandom(), {
		env: tmux.env,
	}).panes();
	if (listed.kind !== "ok") throw new Error("tmux lists no panes");
	for (const agentId of names) {
		const pane = listed.rows.find((row) => row.windowName === agentId);
		if (pane === undefined) throw new Error(`no pane of ${agentId}`);
		writeRegistered(
			{ files: realFiles(), clock: realClock({}), log: fakeLog() },
			T,
			{
				...{ agentId, role: "worker", module: agentId, runtime: "claude" },
				...{ worktree: tmux.dir, branch: null, tmuxSession: pane.session },
				...{ tmuxPane: pane.paneId, tmuxServer: pane.server },
				...{ agentPid: pane.panePid, agentStart: null, sessionId: null },
				...{ intent: null, model: "m", effort: "low", runId: "r" },
				registeredAt: "2026-01-01T00:00:00Z",
			},
		);
	}
}

function install(kit: string, dest: string): void {
	const program = [...BUN_FLAGS, programPath("installKit"), kit, dest];
	const ran = Bun.spawnSync([process.execPath, ...program], { cwd: CODE_ROOT });
	if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
}
