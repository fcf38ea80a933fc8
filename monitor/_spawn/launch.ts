/** Opens a worker's window: trust, launcher, window (contract 08 §8.4). Fresh or resumed, all starts go through here. */
import { join, resolve } from "node:path";
import { trustFolders } from "../_state/claude-config.ts";
import { writeRenderedSettings } from "../_state/rendered-settings.ts";
import { NOTIFY_WRAPPER_DIR } from "../_sys/bell.ts";
import { bunFolder } from "../_sys/bun-folder.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { TEXTS } from "../_sys/names.ts";
import { tempDir } from "../_sys/temp-dir.ts";
import type { Refusal } from "./args.ts";
import { type SpawnContext, warn } from "./context.ts";
import { type LaunchedProgram, renderLauncher } from "./launcher.ts";
import { refused } from "./plan.ts";
import { processLimit } from "./process-limit.ts";
import { openWindow, sessionFor } from "./window.ts";

export interface Launch {
	readonly window: string;
	/** Absolute. */
	readonly workdir: string;
	/** Rows of the server that gets the window. */
	readonly rows: readonly PaneRow[];
	/** For the temporary file that the launcher reads; null: there is none to read. */
	readonly prompt: string | null;
	/** Ends what stands under the name; why it could not, or null. Asked last: what cannot be replaced is not ended. */
	readonly makeRoom: () => Promise<string | null>;
	/** `promptPath` is the temporary file's. */
	readonly program: (promptPath: string) => LaunchedProgram;
}
/** The window is there and its shell has been told to begin. */
export interface Launched {
	readonly kind: "launched";
	readonly windowId: string;
	/** Removes itself when it runs. */
	readonly launcher: string;
}

/** Called under the spawn lock. Exit codes of a refusal: 8 no window, 19 no settings; then nothing but trust is left behind. */
export async function launch(
	ctx: SpawnContext,
	l: Launch,
): Promise<Launched | Refusal> {
	const { doors, home, settings } = ctx;
	const { files, proc } = doors;
	const session = sessionFor(l.rows, proc.env.TMUX_PANE, settings.targetWindow);
	if (session === null) return refused(8, "tmux has no session");
	const rendered = await writeRenderedSettings(doors, home, "worker");
	if (rendered.kind === "failed") return refused(19, rendered.reason);
	if (rendered.slowHooks !== undefined) warn(ctx, rendered.slowHooks);
	await trust(ctx, l.workdir);
	const temp = tempFiles(ctx, l.window);
	const text = renderLauncher({
		exports: exportsOf(ctx, l.window),
		path: pathFolders(ctx),
		localsEnv: join(home.root, TEXTS.localsEnv),
		processLimit: processLimit(proc.env, (m) => warn(ctx, m)),
		workdir: l.workdir,
		launcherPath: temp.launcher,
		program: l.program(temp.prompt),
	});
	const wrote = [
		...(l.prompt === null
			? []
			: [files.writeAtomic(temp.prompt, l.prompt, { mode: 0o600 })]),
		files.writeAtomic(temp.launcher, text, { mode: 0o700 }),
	].find((w) => w.kind === "failed");
	const opened =
		wrote?.kind === "failed"
			? ({ kind: "failed", why: wrote.reason } as const)
			: await openWindow(doors, {
					session,
					name: l.window,
					workdir: l.workdir,
					launcher: temp.launcher,
					makeRoom: l.makeRoom,
				});
	if (opened.kind === "failed") {
		files.remove(temp.prompt);
		files.remove(temp.launcher);
		return refused(8, `no window could be opened: ${opened.why}`);
	}
	for (const problem of opened.problems) warn(ctx, `window option ${problem}`);
	return {
		kind: "launched",
		windowId: opened.windowId,
		launcher: temp.launcher,
	};
}

/** Both spellings of the folder: Claude Code asks for the real one. */
async function trust(ctx: SpawnContext, workdir: string): Promise<void> {
	const { doors } = ctx;
	const real = doors.files.realpath(workdir) ?? workdir;
	const folders = [...new Set([real, workdir])];
	const trusted = await trustFolders(doors, doors.proc.env, folders);
	if (trusted.kind === "failed")
		warn(
			ctx,
			`${workdir} could not be marked as trusted (${trusted.reason}); Claude Code may ask`,
		);
}

function tempFiles({ doors }: SpawnContext, window: string) {
	const { pid } = doors.proc;
	const dir = tempDir(doors);
	return {
		prompt: join(dir, `spawn-prompt-${window}.${pid}.txt`),
		launcher: join(dir, `spawn-launcher-${window}.${pid}`),
	};
}

/** What the worker must have of our environment: its window's shell has the tmux server's, not ours. */
function exportsOf({ doors, home, cwd }: SpawnContext, window: string) {
	const { env } = doors.proc;
	const handedOn = ["NEXUS_STATE_DIR", "NEXUS_CONFIG", "CLAUDE_CONFIG_DIR"];
	return [
		["NEXUS_ROOT", home.root],
		["NEXUS_WORKER_WINDOW", window],
		...handedOn.flatMap((name) => {
			const path = env[name];
			return path ? [[name, resolve(cwd, path)] as const] : [];
		}),
	] as const;
}

/** The bell's gate; bun for our programs' shebangs; and `ng` by its bare name, before any other `ng`. */
function pathFolders({ doors, home }: SpawnContext): readonly string[] {
	const bun = bunFolder(doors.files, doors.proc, home.codeRoot);
	const gate = join(home.codeRoot, NOTIFY_WRAPPER_DIR);
	const own = join(home.codeRoot, "monitor");
	return bun === null ? [gate, own] : [gate, bun, own];
}
