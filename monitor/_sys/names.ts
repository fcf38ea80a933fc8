/**
 * Every printed program name and path, in one place (contract 06 §0, 00 "Names"):
 * a message and the file it names cannot drift apart. `tests/arch` checks that each exists.
 */
import { join, resolve } from "node:path";

/** The checkout that holds the programs (contract 00 R2). Not the same as `NEXUS_ROOT`. */
export const CODE_ROOT = resolve(import.meta.dir, "../..");

/**
 * Bun reads `.env`, `bunfig.toml` and may install packages from the CALLER's folder, which is a
 * worker's repository; every start of a program of ours carries these (contract 00 R1).
 */
export const BUN_FLAGS = [
	"--no-env-file",
	"--config=/dev/null",
	"--no-install",
] as const;
export const SHEBANG = `#!/usr/bin/env -S bun ${BUN_FLAGS.join(" ")}`;

/** Programs, relative to the code root. */
export const PROGRAMS = {
	nexus: "nexus",
	ng: "monitor/ng",
	svc: "monitor/svc.ts",
	watcherMain: "monitor/watcher/main.ts",
	heartbeatTicker: "monitor/watcher/heartbeat-ticker.ts",
	launcher: "monitor/watcher/launcher.ts",
	entry: "monitor/watcher/entry.ts",
	bootstrap: "monitor/watcher/bootstrap.ts",
	spawnFreshOrchestrator: "monitor/watcher/spawn-fresh-orchestrator.ts",
	verifyStack: "monitor/watcher/verify-stack.ts",
	revive: "monitor/revive-watcher.ts",
	superviseTick: "monitor/watcher-supervise-tick.ts",
	reportsRoll: "monitor/reports-roll.ts",
	bootstrapRecover: "monitor/bootstrap-recover.ts",
	bootRecover: "monitor/boot-recover.ts",
	bootstrapInstall: "monitor/bootstrap-install.ts",
	demoModel: "monitor/demo-model.ts",
	sim: "sim/main.ts",
	configLoad: "config/load.ts",
	tmuxWindow: "monitor/_tmux-window.ts",
	paneState: "monitor/pane-state.ts",
	pasteFollowup: "monitor/paste-followup.ts",
	mintToken: "monitor/mint-token.ts",
	assertBotAuthor: "monitor/assert-bot-author.ts",
	requestChannel: "monitor/request-channel.ts",
	skepticChannel: "monitor/skeptic-channel.ts",
	uploadAsset: "monitor/upload-asset.ts",
	userPat: "monitor/user-pat.ts",
	writeProbe: "monitor/write-probe.ts",
	spawnWorker: "monitor/spawn-worker.ts",
	retirePreflight: "monitor/retire-preflight.ts",
	contextUsage: "monitor/context-usage.ts",
	claudeLoop: "monitor/claude-loop.ts",
	workerHeartbeat: "monitor/worker-heartbeat.ts",
	declareWait: "monitor/declare-wait.ts",
	declareNoWait: "monitor/declare-no-wait.ts",
	workerHealth: "monitor/worker-health.ts",
	asyncRun: "monitor/async-run.ts",
	installClaude: "monitor/install-claude-local.ts",
	notify: "monitor/notify.ts",
	escCap: "resources/esc-cap.ts",
	installKit: "resources/install-kit.ts",
	startWatcher: "resources/start-watcher.ts",
	thrumShim: "resources/thrum-shim.ts",
	watchPaneCapture: "resources/thrum-watch-pane-capture.ts",
	captureFallback: "resources/thrum-capture-fallback.ts",
	captureArchive: "resources/capture_archive.ts",
	jevFilter: "resources/jev_watcher_filter.ts",
	rosterWatch: "resources/roster-watch.ts",
	ccApply: "monitor/cc-auto-update-apply.ts",
} as const;
/** Run by Claude Code at its events, as the settings templates say. */
export const HOOKS = [
	"monitor/hooks/async-launch-detect.ts",
	"monitor/hooks/bash-footgun-guard.ts",
	"monitor/hooks/block-askuserquestion.ts",
	"monitor/hooks/decision-emit.ts",
	"monitor/hooks/decision-mark-unresolved.ts",
	"monitor/hooks/gh-write-guard.ts",
	"monitor/hooks/notification-record.ts",
	"monitor/hooks/orchestrator-session-pin.ts",
	"monitor/hooks/orchestrator-touch.ts",
	"monitor/hooks/over-limit-emit.ts",
	"monitor/hooks/pending-tool-record.ts",
	"monitor/hooks/stamp-clear.ts",
	"monitor/hooks/turn-failure-emit.ts",
] as const;
/** Skills and prompts that programs read or messages name. */
export const TEXTS = {
	serviceRecoverySkill: "skills/nexus.service-recovery",
	windowCleanupSkill: "skills/nexus.window-cleanup",
	installPrompt: "monitor/install-prompt.md",
	ccAutoUpdatePrompt: "monitor/cc-auto-update-prompt.md",
	workspaceContract: "CLAUDE.md",
	agentPrompt: "monitor/agent-prompt.md",
	/** Templates of the settings that agents are started with. */
	workerSettings: "monitor/worker-settings.json",
	orchestratorSettings: "monitor/orchestrator-settings.json",
	/** The operator's own lines for the orchestrator's environment; below the root. */
	localsEnv: "monitor/locals-env.sh",
	/** The section "Worker floor" of this file goes in front of every worker's task. */
	workerFloor: "skills/nexus.worker-defaults/SKILL.md",
} as const;

export type ProgramName = keyof typeof PROGRAMS;

/** Path of a program relative to the code root, as printed in emits and messages. */
export function programName(name: ProgramName): string {
	return PROGRAMS[name];
}

/** Absolute path of a program, as run or pasted from any folder. */
export function programPath(name: ProgramName, codeRoot = CODE_ROOT): string {
	return join(codeRoot, programName(name));
}

/** argv that starts one of our programs with an absolute bun and script (contract 00 R1, 01 §2.3). */
export function programArgv(
	bun: string,
	name: ProgramName,
	args: readonly string[] = [],
	codeRoot = CODE_ROOT,
): readonly string[] {
	return [bun, ...BUN_FLAGS, programPath(name, codeRoot), ...args];
}
