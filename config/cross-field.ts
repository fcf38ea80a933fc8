/** Values that are fine alone and wrong together: one line each at start, never fatal (contract 07 §6.5). */
import type { DeadThreshold } from "./dead-threshold.ts";
import type { Config } from "./schema.ts";

/** Longest wait between two GitHub polls, a constant of the scheduler. */
const GITHUB_POLL_SECONDS = 600;

/** Empty when all is well. Judged by the dead threshold in force, after its clamp. */
export function crossFieldWarnings(
	c: Config & { readonly deadThreshold: DeadThreshold },
): readonly string[] {
	const dead = c.deadThreshold;
	const alertCooldown = c["monitor.alert_emit_cooldown_seconds"];
	const healthInterval = c["monitor.service_health.interval_seconds"];
	const gitHub = hasBotKey(c);
	const noBot = gitHub && c["github.bot_login"] === "";
	const rules: readonly (readonly [boolean, string])[] = [
		[
			dead.verdict === "cannot-clamp",
			`the orchestrator is declared dead after ${dead.seconds} s, within the gap between two heartbeat pastes, and monitor.watcher.stale_paste_ceiling_seconds leaves no room to wait longer`,
		],
		[
			c["monitor.watcher.paste_response_grace_seconds"] +
				c["monitor.watcher.unstick_window_seconds"] >=
				dead.seconds,
			"monitor.watcher.paste_response_grace_seconds + unstick_window_seconds reach the dead threshold: a stuck paste would never be submitted again before the respawn",
		],
		[
			dead.seconds >= c["monitor.watcher.stale_paste_ceiling_seconds"],
			"the dead threshold reaches monitor.watcher.stale_paste_ceiling_seconds: a dead orchestrator would never be noticed",
		],
		[
			c["monitor.service_health.enabled"] &&
				healthInterval > 0 &&
				c["monitor.service_health.grace_seconds"] >= healthInterval,
			"monitor.service_health.grace_seconds reaches interval_seconds: a wedged service waits an extra tick",
		],
		[
			c["monitor.watcher.heartbeat_tick_seconds"] >=
				2 * c["monitor.interval_seconds"] + 15,
			"monitor.watcher.heartbeat_tick_seconds is so long that the watcher reads as dead between two beats",
		],
		[
			gitHub && alertCooldown > 0 && alertCooldown <= GITHUB_POLL_SECONDS,
			`monitor.alert_emit_cooldown_seconds should exceed the ${GITHUB_POLL_SECONDS} s of the GitHub poll: an alert would be pasted again and again`,
		],
		[
			c["monitor.cross_repo_surface"] === "mention_only" && noBot,
			"monitor.cross_repo_surface is mention_only and github.bot_login is empty: comments of other repositories will be dropped",
		],
		[
			c["monitor.bot_mentions_enabled"] && noBot,
			"monitor.bot_mentions_enabled is on and github.bot_login is empty: the search for mentions of the bot stays silent",
		],
		[
			gitHub &&
				!c["monitor.deliveries.asset_enabled"] &&
				!c["monitor.deliveries.bot_mention_enabled"] &&
				!c["monitor.mentions_enabled"],
			"both monitor.deliveries switches and monitor.mentions_enabled are off: only the backstop search surfaces comments",
		],
		[
			c["monitor.watcher.permission_veto"].length === 0,
			c["monitor.watcher.on_permission"] === "relay"
				? "monitor.watcher.permission_veto is empty: it vetoes nothing, and on_permission relay hands every permission prompt on all the same"
				: "monitor.watcher.permission_veto is empty: every permission prompt is accepted",
		],
	];
	return rules.flatMap(([wrong, line]) => (wrong ? [line] : []));
}

/** Without any, GitHub is off (contract 00 R7), and how it would be asked is nobody's concern. */
function hasBotKey(c: Config): boolean {
	return (
		[
			"github.bot_app_id",
			"github.bot_installation_id",
			"github.bot_pem_path",
		] as const
	).some((key) => Boolean(c[key]));
}
