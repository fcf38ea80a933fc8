/** Where a candidate is tried: its own home, state dir, model and tmux server, all of which go afterwards. */
import { join } from "node:path";
import type { PasteDeps } from "../../_delivery/paste-to-target.ts";
import { DEFAULT_TIMINGS } from "../../_delivery/timings.ts";
import { captureWitness } from "../../_pane/gather.ts";
import { NO_HEARTBEAT } from "../../_pane/heartbeat.ts";
import { makeLookAt } from "../../_pane/look.ts";
import { NO_SHELLS } from "../../_pane/process.ts";
import { judgePane } from "../../_pane/report.ts";
import { NO_SESSION } from "../../_pane/session.ts";
import { DEFAULT_SETTINGS } from "../../_pane/settings.ts";
import { NO_STAMP } from "../../_pane/stamp.ts";
import type { LookResult } from "../../_pane/types.ts";
import type { Doors, PaneRow } from "../../_sys/doors.ts";
import type { ModelServer, ProofKit } from "./kit.ts";
import { PROOF_SCRIPT } from "./script.ts";

export const WINDOW = "proof";

export interface ProofStage {
	readonly doors: Doors;
	readonly deps: PasteDeps;
	readonly model: ModelServer;
	readonly configDir: string;
	/** Null: the window is gone. */
	pane(): Promise<PaneRow | null>;
	/** With every witness. */
	look(pane: PaneRow): Promise<LookResult>;
	/** What the screen alone says; empty when it cannot be captured. */
	screenSays(pane: PaneRow): Promise<string>;
	/** As a person sees it. */
	screen(pane: PaneRow): Promise<string>;
	close(): Promise<void>;
}

const END_WAIT_MS = 5000;
const POLL_MS = 50;

/** Null with the reason when tmux opens no window. */
export async function openStage(
	doors: Doors,
	kit: ProofKit,
	binary: string,
): Promise<ProofStage | { readonly kind: "failed"; readonly why: string }> {
	const { files, proc, clock } = doors;
	const base = files.makeTempDir("nexus-proof-");
	const where = kit.homeAt(base);
	const cwd = join(base, "work");
	const stateDir = join(base, "state");
	for (const dir of [where.home, where.configDir, where.tmp, cwd, stateDir])
		files.mkdir(dir, 0o700);
	files.writeAtomic(
		join(where.configDir, ".claude.json"),
		JSON.stringify(kit.config([cwd])),
		{ mode: 0o600 },
	);
	const path = proc.env.PATH ?? "/usr/bin:/bin";
	const model = kit.startModel({ script: PROOF_SCRIPT, clock });
	const claudeEnv = kit.env({
		where,
		modelUrl: model.url,
		path,
		root: proc.uid === 0,
	});
	const tmux = kit.tmuxIn({ PATH: path, HOME: where.home, TMUX_TMPDIR: base });
	const inside: Doors = {
		...doors,
		tmux,
		proc: {
			...proc,
			env: { HOME: where.home, CLAUDE_CONFIG_DIR: where.configDir },
		},
	};
	const pids: number[] = [];
	const close = async () => {
		const listed = await tmux.panes();
		const rows = listed.kind === "ok" ? listed.rows : [];
		for (const target of new Set(rows.map((row) => row.sessionId)))
			await tmux.run({ kind: "kill-session", target });
		for (const { panePid } of rows) if (panePid !== null) pids.push(panePid);
		const end = clock.monoMs() + END_WAIT_MS;
		while (pids.some(proc.alive) && clock.monoMs() < end)
			await clock.sleep(POLL_MS);
		for (const pid of pids) if (proc.alive(pid)) proc.signal(pid, "SIGKILL");
		await model.stop();
		files.removeTree(base);
	};
	const opened = await tmux.run({
		kind: "new-session",
		name: WINDOW,
		windowName: WINDOW,
		cwd,
		width: 160,
		height: 45,
		env: claudeEnv,
		command: kit.argv(claudeEnv, binary, ["--permission-mode", "default"]),
	});
	if (opened.kind !== "ok") {
		await close();
		return { kind: "failed", why: `tmux opened no window (${opened.kind})` };
	}
	const lookAt = makeLookAt({
		doors: inside,
		stateDir,
		settings: DEFAULT_SETTINGS,
	});
	const captured = async (pane: PaneRow, escapes: boolean) => {
		const shot = await tmux.capture(pane.paneId, { escapes });
		return shot.kind === "ok" ? shot.stdout : "";
	};
	return {
		doors: inside,
		model,
		close,
		configDir: where.configDir,
		deps: {
			doors: inside,
			stateDir,
			timings: DEFAULT_TIMINGS,
			lookAt,
			orchestratorWindow: WINDOW,
			noteDeferral: () => {},
			resetDeferral: () => {},
		},
		pane: async () => {
			const listed = await tmux.panes();
			if (listed.kind !== "ok") return null;
			return listed.rows.find((row) => row.windowName === WINDOW) ?? null;
		},
		look: (pane) => lookAt(pane),
		screenSays: async (pane) =>
			screenAlone(await captured(pane, true), pane.width, clock.now()),
		screen: (pane) => captured(pane, false),
	};
}

/** A foreign or hookless session has no other witness, so the screen must be enough. */
function screenAlone(text: string, width: number, now: number): string {
	if (text === "") return "";
	const report = judgePane(
		{ active: true, window: 0, name: WINDOW },
		{
			now,
			paneDead: false,
			process: { kind: "none" },
			shells: NO_SHELLS,
			session: NO_SESSION,
			heartbeat: NO_HEARTBEAT,
			stamp: NO_STAMP,
			bootGraceSeconds: 0,
			capture: captureWitness(text, width),
		},
	);
	return report.verdict.answer.state;
}
