/** The watcher's configuration: resolved once, at its start, and frozen (contract 07 §8). */
import { crossFieldWarnings } from "./cross-field.ts";
import {
	type DeadThreshold,
	effectiveDeadThreshold,
	heartbeatGap,
} from "./dead-threshold.ts";
import type { ConfigIssue } from "./issues.ts";
import { type Env, type ResolveFrom, resolveConfig } from "./resolve.ts";
import { type Config, envNames, type FileKey } from "./schema.ts";

export { crossFieldWarnings, effectiveDeadThreshold };

/** What every task receives. */
export type WatcherConfig = Config & {
	/** The chosen file and the sha256 of its text, as read at start. */
	readonly file: ConfigFile;
	/** `orchestrator_dead_threshold_seconds` after the clamp of contract 07 §6.5. */
	readonly deadThreshold: DeadThreshold;
};

export interface ConfigFile {
	readonly path: string;
	/** Empty: there was no file, and the environment said it all. */
	readonly sha256: string;
}

export type WatcherResolution =
	| {
			readonly kind: "ok";
			readonly config: WatcherConfig;
			readonly warnings: readonly ConfigIssue[];
	  }
	| {
			readonly kind: "bad";
			readonly issues: readonly ConfigIssue[];
			readonly warnings: readonly ConfigIssue[];
	  };

/** Without these two there is nobody to listen to (contract 07 §5). */
const NEEDED: readonly FileKey[] = ["github.repo", "github.user_login"];

/** `tree` has been validated. `bad`: a needed key is missing or a variable must not be ignored. */
export function resolveWatcherConfig(
	file: ConfigFile & { readonly tree: unknown },
	env: Env,
	from: ResolveFrom,
): WatcherResolution {
	const { config, issues, warnings } = resolveConfig(file.tree, env, from);
	const missing = requireKeys(config, NEEDED);
	if (issues.length + missing.length > 0)
		return { kind: "bad", issues: [...issues, ...missing], warnings };
	const deadThreshold = deadThresholdOf(config);
	const { path, sha256 } = file;
	return {
		kind: "ok",
		config: Object.freeze({ ...config, file: { path, sha256 }, deadThreshold }),
		warnings,
	};
}

/** `<key> is required (not in the file; env <ENV> not set)` for each that nobody gave. */
function requireKeys(
	config: Config,
	keys: readonly FileKey[],
): readonly ConfigIssue[] {
	return keys
		.filter((key) => config[key] === "" || config[key] === null)
		.map((key) => ({ key: "", message: requiredMessage(key) }));
}

/**
 * One line with the prefix `watcher up:`; the switches are those of parts that are there. `target` is
 * the window in force, `--target` included.
 */
export function startupSummary(c: WatcherConfig, target: string): string {
	const onOff = (on: boolean) => (on ? "on" : "off");
	return [
		"watcher up:",
		`repo=${c["github.repo"]}`,
		`user=${c["github.user_login"]}`,
		`target=${target}`,
		`interval=${c["monitor.interval_seconds"]}s`,
		`retention=${c["monitor.diff_retention_days"]}d`,
		`git=${onOff(c["monitor.snapshot.git_enabled"])}`,
		`requests=${onOff(c["monitor.requests.enabled"])}`,
		`self-heal=${onOff(c["monitor.watcher.self_heal_enabled"])}`,
		`supervisor=${onOff(c["monitor.watcher_supervisor.enabled"])}`,
	].join(" ");
}

/** Logged at start: editing the file does nothing until the watcher restarts (contract 07 §8.1). */
export function loadedLine(file: ConfigFile): string {
	const restart = "changes need a watcher restart";
	if (file.sha256 === "")
		return `config: no file, environment alone; ${restart}`;
	const hash = file.sha256.slice(0, 12);
	return `config: ${file.path} (${hash}) loaded; ${restart}`;
}

/** What programs below the watcher must find in their environment (contract 07 §8.4). */
export function childEnv(
	c: WatcherConfig,
	root: string,
	target: string,
): Readonly<Record<string, string>> {
	const staleness = c["monitor.instance_heartbeat_staleness_seconds"];
	return {
		NEXUS_ROOT: root,
		NEXUS_INSTANCE_HEARTBEAT_STALENESS: String(staleness),
		...(target === "" ? {} : { MONITOR_TARGET: target }),
	};
}

function requiredMessage(key: FileKey): string {
	const variables = envNames(key).join(" or ");
	return `${key} is required (not in the file; env ${variables} not set)`;
}

function deadThresholdOf(c: Config): DeadThreshold {
	return effectiveDeadThreshold(
		c["monitor.watcher.orchestrator_dead_threshold_seconds"],
		heartbeatGap(
			c["monitor.full_state_emit_interval_seconds"],
			c["monitor.full_state.safety_floor_seconds"],
		),
		c["monitor.interval_seconds"],
		c["monitor.watcher.dead_threshold_floor_margin_seconds"],
		c["monitor.watcher.stale_paste_ceiling_seconds"],
	);
}
