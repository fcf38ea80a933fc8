/**
 * A fleet to measure in: a private tmux server, an idle real Claude Code as orchestrator, still panes
 * beside it, git clones under `work/`, and a root, state dir and configuration of its own.
 */
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { endDemo } from "../monitor/_nexus/demo/stop.ts";
import { isolatedEnv } from "../monitor/_nexus/environment.ts";
import { peekWatcherPid } from "../monitor/_state/watcher-pid.ts";
import { type ProgramName, programArgv } from "../monitor/_sys/names.ts";
import { realDoors } from "../monitor/_sys/real-doors.ts";
import { FIXTURES } from "../tests/pane/fixtures.ts";
import { type Claude, startClaude } from "../tests/support/claude-harness.ts";
import {
	type ModelRule,
	type ModelServer,
	startTestModel,
} from "../tests/support/model-server.ts";
import {
	type PrivateTmux,
	startPrivateTmux,
} from "../tests/support/private-tmux.ts";
import { waitUntil } from "../tests/support/wait-until.ts";

export const doors = realDoors();

export interface BenchWorld {
	readonly root: string;
	readonly stateDir: string;
	readonly env: Readonly<Record<string, string>>;
	readonly orchestrator: Claude;
	readonly tmux: PrivateTmux;
	readonly model: ModelServer;
	/** Runs one of our programs to its end; throws unless it exits with `rc` (default 0). */
	run(
		name: ProgramName,
		args?: readonly string[],
		opts?: { readonly rc?: number; readonly env?: Record<string, string> },
	): string;
	/** Starts the watcher through the launcher; its pid. */
	startWatcher(env?: Record<string, string>): number;
	/** So many still panes in all; those that are there stay. */
	showPanes(count: number): void;
	/** Ends the watcher and waits until its group is empty. */
	stopWatcher(): Promise<void>;
	close(): Promise<void>;
}

const CODE_ROOT = resolve(import.meta.dir, "..");

/** A screen that Claude Code left when it went idle; nothing redraws it. */
const STILL_SCREEN = "● Done.\n\n────────\n❯ \n────────\n  ? for shortcuts\n";
/** One in the middle of a turn. */
const LIVE_SCREEN = join(FIXTURES, "claude-code/2.1.332-160x45/busy-hang.ansi");

export async function openWorld(opts: {
	readonly stillPanes: number;
	/** So many of them are redrawn each second instead. */
	readonly livePanes?: number;
	readonly clones: number;
	/** What the model answers, besides a plain word. */
	readonly rules?: readonly ModelRule[];
	/** Further lines of nexus.yml. */
	readonly config?: string;
}): Promise<BenchWorld> {
	const tmux = startPrivateTmux();
	const model = startTestModel(opts.rules);
	const root = mkdtempSync(join(tmux.dir, "root-"));
	const stateDir = join(root, "monitor/.state");
	for (const dir of ["config", "reports", "work", "monitor/.state"])
		mkdirSync(join(root, dir), { recursive: true });
	const config = `github:\n  repo: bench/bench-assets\n  user_login: bench\n${opts.config ?? ""}`;
	writeFileSync(join(root, "config/nexus.yml"), config, { mode: 0o600 });
	for (let n = 0; n < opts.clones; n++) cloneInto(join(root, `work/p${n}`));
	const shown = { panes: 0 };
	const showPanes = (count: number) => {
		for (; shown.panes < count; shown.panes++)
			showPane(tmux, shown.panes, shown.panes < (opts.livePanes ?? 0));
	};
	showPanes(opts.stillPanes);
	const orchestrator = await startClaude({
		tmux,
		model,
		window: "orchestrator",
	});
	const env = {
		...isolatedEnv(process.env, {
			home: tmux.dir,
			tmp: tmux.dir,
			tmuxDir: tmux.dir,
			binDir: join(CODE_ROOT, "node_modules/.bin"),
		}),
		CLAUDE_CONFIG_DIR: orchestrator.configDir,
		NEXUS_ROOT: root,
		NEXUS_STATE_DIR: stateDir,
		NEXUS_I_ACCEPT_NO_SANDBOX: "1",
		// No question to a remote of the checkout, and no restart when somebody works on it.
		MONITOR_CLONE_DRIFT_ENABLED: "false",
		MONITOR_VERSION_RESTART_ENABLED: "false",
	};
	guardWatcher(tmux, stateDir);
	const run: BenchWorld["run"] = (
		name,
		args = [],
		{ rc = 0, env: more } = {},
	) => {
		const argv = programArgv(doors.proc.execPath, name, args);
		const ran = Bun.spawnSync([...argv], {
			env: { ...env, ...more },
			cwd: root,
			timeout: 60_000,
			killSignal: "SIGKILL",
		});
		if (ran.exitCode !== rc)
			throw new Error(`${name}: exit ${ran.exitCode}\n${ran.stderr}`);
		return ran.stdout.toString();
	};
	return {
		root,
		stateDir,
		env,
		orchestrator,
		tmux,
		model,
		run,
		showPanes,
		startWatcher(more) {
			run("launcher", ["--target", "orchestrator"], { env: more });
			const pid = peekWatcherPid(doors.files, stateDir);
			if (pid.kind !== "ok") throw new Error("the watcher left no pidfile");
			return pid.value;
		},
		async stopWatcher() {
			const pid = peekWatcherPid(doors.files, stateDir);
			if (pid.kind !== "ok") return;
			doors.proc.signal(pid.value, "SIGTERM");
			const gone = () => !doors.proc.alive(pid.value);
			await waitUntil("the watcher to end", gone);
		},
		async close() {
			await endDemo(doors, root);
			await tmux.kill();
			await model.stop();
		},
	};
}

/** The watcher is detached: when this program is killed, somebody else must end it. */
export function guardWatcher(
	tmux: Pick<PrivateTmux, "run">,
	stateDir: string,
): void {
	const script = [
		"trap '' TERM HUP",
		`tail --pid=${process.pid} -f /dev/null`,
		`pid=$(cat '${stateDir}/watcher.pid')`,
		`grep -q watcher/main.ts /proc/$pid/cmdline && kill $pid`,
	];
	tmux.run("run-shell", "-b", script.join("; "));
}

/** Its program is named `claude`, so that the watcher takes it for a live one and looks at all there is to see. */
function showPane(tmux: PrivateTmux, n: number, isLive: boolean): void {
	const program = join(tmux.dir, "claude");
	if (!existsSync(program))
		copyFileSync(doors.proc.which("tail") ?? "/usr/bin/tail", program);
	const show = isLive
		? `"$1" -f /dev/null & while n=$((n + 1)); do printf '\\033[H\\033[2J'; tail -n 30 "$0"; printf '\\033[H%s' $n; sleep 1; done`
		: `printf %s "$0"; exec "$1" -f /dev/null`;
	tmux.run(
		...["new-window", "-d", "-t", "fleet:", "-n", `worker-${n}`],
		...["sh", "-c", show, isLive ? LIVE_SCREEN : STILL_SCREEN, program],
	);
}

/** A small repository with a commit; a scan of it costs what a scan of any clean clone costs, but for its size. */
function cloneInto(dir: string): void {
	const git = (...args: string[]) => {
		const identity = ["-c", "user.name=bench", "-c", "user.email=b@localhost"];
		const ran = Bun.spawnSync(["git", ...identity, "-C", dir, ...args]);
		if (ran.exitCode !== 0) throw new Error(`git: ${ran.stderr}`);
	};
	mkdirSync(dir, { recursive: true });
	git("init", "-q");
	for (let n = 0; n < 200; n++)
		writeFileSync(join(dir, `file-${n}.txt`), `${n}\n`);
	git("add", ".");
	git("commit", "-qm", "Begin");
}
