/**
 * A tmux server of the test's own: its socket folder is a fresh temporary one, `TMUX` is unset, and
 * it dies with the test process, whatever kills that. The real server of the person who runs the
 * tests is out of reach.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isolatedEnv } from "../../monitor/_nexus/environment.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { realProc } from "../../monitor/_sys/proc.ts";

export interface PrivateTmux {
	/** Scratch folder of this server; removed with it. */
	readonly dir: string;
	/** For programs that must talk to this server: `TMUX_TMPDIR` set, `TMUX` absent. */
	readonly env: Readonly<Record<string, string>>;
	/** Runs a tmux command; its standard output without the last newline. Throws when tmux refuses. */
	run(...args: string[]): string;
	/** Ends the server, waits for what ran in it, and removes the folder. */
	kill(): Promise<void>;
}

/** Starts a server with one session `fleet`, whose first window `shell` runs `cat`. */
export function startPrivateTmux(
	opts: { readonly columns?: number; readonly rows?: number } = {},
): PrivateTmux {
	const dir = mkdtempSync(join(tmpdir(), "nexus-test-"));
	// By name: where TMUX_TMPDIR is gone, tmux falls back to the person's own server, and we end servers here.
	const socket = join(dir, `tmux-${process.getuid?.()}`, "default");
	mkdirSync(dirname(socket), { mode: 0o700 });
	const env = isolatedEnv(process.env, {
		home: process.env.HOME ?? dir,
		tmp: tmpdir(),
		tmuxDir: dir,
		binDir: join(CODE_ROOT, "node_modules/.bin"),
	});
	const attempt = (...args: string[]) => {
		const limit = { timeout: 10_000, killSignal: "SIGKILL" } as const;
		// -u: without a locale tmux shows `_` for every letter beyond ASCII.
		const argv = ["tmux", "-S", socket, "-u", "-f", "/dev/null", ...args];
		return Bun.spawnSync(argv, { env, ...limit });
	};
	const run = (...args: string[]): string => {
		const tmux = attempt(...args);
		if (tmux.exitCode !== 0)
			throw new Error(`tmux ${args[0]}: ${tmux.stderr.toString().trim()}`);
		return tmux.stdout.toString().replace(/\n$/, "");
	};
	const size = ["-x", `${opts.columns ?? 160}`, "-y", `${opts.rows ?? 45}`];
	run("new-session", "-d", "-s", "fleet", "-n", "shell", ...size, "cat");
	run("set-option", "-g", "history-limit", "5000");
	// The guard outlives this process and nothing else: no window, so that no listing shows it.
	// A server that ends sends TERM to its jobs, and the folder would stay.
	const guard = `trap '' TERM HUP; tail --pid=${process.pid} -f /dev/null; tmux -S '${socket}' kill-server; sleep 2; rm -rf '${dir}'`;
	run("run-shell", "-b", guard);
	const kill = async () => {
		const pids = attempt("list-panes", "-a", "-F", "#{pane_pid}");
		attempt("kill-server");
		await allGone(pids.stdout.toString().split("\n").map(Number));
		rmSync(dir, { recursive: true, force: true });
	};
	return { dir, env, run, kill };
}

/** A program that ends writes its last files; it must not find its folder gone and make it anew. */
async function allGone(pids: readonly number[]): Promise<void> {
	const deadline = performance.now() + 5000;
	while (pids.some(realProc().alive))
		if (performance.now() > deadline) return;
		else await Bun.sleep(20);
}
