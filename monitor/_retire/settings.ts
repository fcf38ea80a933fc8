/** What `retire-preflight` is told by configuration, environment and command line. */
import { type ReaderSettings, readerSettings } from "../_pane/settings.ts";
import { digits } from "../_state/kv.ts";
import { inboxOf } from "../_state/requests-dir.ts";
import { readSettings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import type { ReviewFacts } from "./review.ts";

export interface RetireSettings {
	/** Windows that are never retired, by name, and whose they are. */
	readonly standing: ReadonlyMap<string, string>;
	/** How long a submit of the operator forbids. */
	readonly freshSeconds: number;
	/** So soon after our own input a submit is taken for its answer. */
	readonly slackSeconds: number;
	/** `monitor.operator_engaged_change_ttl_seconds`. */
	readonly changeTtlSeconds: number;
	readonly review: Pick<ReviewFacts, "hangSeconds" | "graceSeconds">;
	/** The inbox of requests; null when it cannot be used. */
	readonly inbox: string | null;
	readonly reader: ReaderSettings;
}
export interface OpenedSettings {
	readonly stateDir: string;
	readonly settings: RetireSettings;
	/** The configuration's problems, for people. */
	readonly problems: readonly string[];
}

/** Not cached: a gate that is only asked writes nothing. */
export async function openRetireSettings(
	doors: Pick<Doors, "files" | "clock" | "proc">,
	codeRoot: string,
	given: {
		readonly stateDir: string | null;
		readonly freshSeconds: number | null;
	},
): Promise<OpenedSettings> {
	const { env } = doors.proc;
	const { home, config, problems } = await readSettings(doors, codeRoot, false);
	const stateDir = given.stateDir ?? home.stateDir;
	const changeTtlSeconds =
		config["monitor.operator_engaged_change_ttl_seconds"];
	const asked = { home: { ...home, stateDir }, config };
	const inbox = inboxOf(doors.files, env, asked);
	return {
		stateDir,
		problems,
		settings: {
			standing: new Map([
				[config["monitor.services_window"], "the window of the cockpit"],
				[config["monitor.target_window"], "the window of the orchestrator"],
			]),
			changeTtlSeconds,
			freshSeconds:
				given.freshSeconds ??
				digits(env.MONITOR_RETIRE_PREFLIGHT_FRESH_SECONDS) ??
				changeTtlSeconds,
			slackSeconds: config.MONITOR_OPERATOR_ENGAGED_INPUT_SLACK_SECONDS,
			review: {
				hangSeconds: config["monitor.skeptic.await_hang_seconds"],
				graceSeconds: config["monitor.skeptic.orphan_grace_seconds"],
			},
			inbox: inbox.kind === "ok" ? inbox.dir : null,
			reader: readerSettings(config),
		},
	};
}
