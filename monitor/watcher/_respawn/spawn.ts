/** Opens the window of a new orchestrator: settings, trust, launcher, window, pin (contract 04 §14 steps 1–3). */
import { join } from "node:path";
import { trustFolders } from "../../_state/claude-config.ts";
import type { Home } from "../../_state/home.ts";
import { writePin } from "../../_state/orchestrator-session-id.ts";
import {
	renderedSettingsPath,
	writeRenderedSettings,
} from "../../_state/rendered-settings.ts";
import { bunFolder } from "../../_sys/bun-folder.ts";
import { resolveClaudeBin } from "../../_sys/claude-bin.ts";
import type { Doors, PaneRow } from "../../_sys/doors.ts";
import { TEXTS } from "../../_sys/names.ts";
import { tempDir } from "../../_sys/temp-dir.ts";
import { tmuxFailureText } from "../../_sys/tmux-lookup.ts";
import { renderOrchestratorLauncher } from "./launcher.ts";
import type { ResumeMode } from "./resume-choice.ts";
import { replaceWindow } from "./window.ts";

export interface SpawnPlace {
	readonly doors: Doors;
	readonly home: Home;
	readonly tmpDir: string | null;
}
/** A launcher that is written, and the session that it will start. */
export interface Prepared {
	readonly kind: "prepared";
	readonly launcher: string;
	readonly sessionId: string;
}
/** `rc` as in contract 04 §14. */
export interface SpawnFailure {
	readonly kind: "failed";
	readonly rc: 1 | 2 | 3;
	readonly why: string;
}
export interface Spawned {
	readonly kind: "spawned";
	readonly windowId: string;
	readonly sessionId: string;
}

/** Nothing that runs is touched yet. */
export async function prepareSpawn(
	{ doors, home, tmpDir }: SpawnPlace,
	target: string,
	mode: ResumeMode,
): Promise<Prepared | SpawnFailure> {
	const { files, proc, random, log } = doors;
	const claude = resolveClaudeBin(doors, home.codeRoot);
	if (claude.kind === "missing") return failure(1, claude.message);
	const rendered = await writeRenderedSettings(doors, home, "orchestrator");
	if (rendered.kind === "failed")
		log.warn(`respawn: no settings for the orchestrator: ${rendered.reason}`);
	if (rendered.slowHooks !== undefined)
		log.warn(`respawn: ${rendered.slowHooks}`);
	const trusted = await trustFolders(doors, proc.env, [home.root]);
	if (trusted.kind === "failed")
		log.warn(
			`respawn: ${home.root} could not be marked as trusted (${trusted.reason}); Claude Code may ask`,
		);
	const session =
		mode.kind === "resume"
			? mode
			: ({ kind: "fresh", sessionId: random.uuid() } as const);
	const dir = tmpDir ?? tempDir(doors);
	const launcher = join(dir, `nexus-respawn-launch-${random.hex(6)}`);
	const bun = bunFolder(files, proc, home.codeRoot);
	const own = join(home.codeRoot, "monitor");
	const text = renderOrchestratorLauncher({
		path: launcher,
		root: home.root,
		target,
		session,
		claude: claude.path,
		exports: handedOn(proc.env),
		binFolders: bun === null ? [own] : [bun, own],
		localsEnv: join(home.root, TEXTS.localsEnv),
		agentPrompt: ownOrShipped(doors, home, TEXTS.agentPrompt),
		settings:
			rendered.kind === "ok"
				? renderedSettingsPath(home.stateDir, "orchestrator")
				: null,
	});
	const wrote = files.writeAtomic(launcher, text, { mode: 0o700 });
	if (wrote.kind === "failed")
		return failure(1, `the launcher could not be written: ${wrote.reason}`);
	return { kind: "prepared", launcher, sessionId: session.sessionId };
}

/** Ends what stands in the target's place and opens the window. On a failure no launcher is left. */
export async function spawnPrepared(
	place: SpawnPlace,
	target: string,
	prepared: Prepared,
	mode: ResumeMode,
): Promise<Spawned | SpawnFailure> {
	const { doors, home } = place;
	const { launcher, sessionId } = prepared;
	const rows = await doors.tmux.panes();
	if (rows.kind !== "ok") {
		dropLauncher(place, prepared);
		return failure(rows.kind === "no-tmux" ? 2 : 3, tmuxFailureText(rows));
	}
	const opened = await replaceWindow(doors, rows.rows, {
		name: target,
		cwd: home.root,
		launcher,
	});
	if (opened.kind === "failed") {
		dropLauncher(place, prepared);
		return failure(3, `no window: ${opened.why}`);
	}
	const pinned = writePin(doors.files, home.stateDir, sessionId);
	if (pinned.kind === "failed")
		doors.log.warn(`respawn: the pin could not be written: ${pinned.reason}`);
	doors.log.info(
		`spawned new '${target}' window via ${launcher} (mode=${mode.kind} sid=${sessionId})`,
	);
	return { kind: "spawned", windowId: opened.windowId, sessionId };
}

/** A root may have a prompt of its own at the same path. */
function ownOrShipped(
	{ files }: Pick<Doors, "files">,
	{ root, codeRoot }: Home,
	text: string,
): string {
	const own = join(root, text);
	return files.stat(own).kind === "ok" ? own : join(codeRoot, text);
}

/** For a window that was not made; one that was made takes it away itself. */
export function dropLauncher(
	{ doors }: Pick<SpawnPlace, "doors">,
	{ launcher }: Prepared,
): void {
	doors.files.remove(launcher);
}

/** The active pane of a window by its id, as listed now; null: not listed, or could not look. */
export async function paneOfWindow(
	{ tmux }: Pick<Doors, "tmux">,
	windowId: string,
	signal?: AbortSignal,
): Promise<PaneRow | null> {
	const rows = await tmux.panes(signal);
	if (rows.kind !== "ok") return null;
	return (
		rows.rows.find((row) => row.windowId === windowId && row.paneActive) ?? null
	);
}

function handedOn(
	env: Readonly<Record<string, string | undefined>>,
): readonly (readonly [string, string])[] {
	return ["NEXUS_STATE_DIR", "NEXUS_CONFIG", "CLAUDE_CONFIG_DIR"].flatMap(
		(name) => {
			const value = env[name];
			return value ? [[name, value] as const] : [];
		},
	);
}

function failure(rc: 1 | 2 | 3, why: string): SpawnFailure {
	return { kind: "failed", rc, why };
}
