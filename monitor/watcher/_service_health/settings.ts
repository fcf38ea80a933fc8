/** What the configuration says of the care for services. */
import type { Config } from "../../../config/schema.ts";
import type { HealthSettings } from "./machine.ts";

/** From `monitor.service_health.*`; times in seconds. */
export function healthSettings(config: Config): HealthSettings {
	return {
		intervalSeconds: config["monitor.service_health.interval_seconds"],
		graceSeconds: config["monitor.service_health.grace_seconds"],
		cooldownSeconds: config["monitor.service_health.restart_cooldown_seconds"],
		flapCeiling: config["monitor.service_health.flap_ceiling"],
		inconsistentPolls: config.MONITOR_SERVICE_HEALTH_INCONSISTENT_POLLS,
		inconsistentRenagSeconds: Math.max(
			1,
			config.MONITOR_SERVICE_HEALTH_INCONSISTENT_RENAG_SECONDS,
		),
		unknownAlert: config.MONITOR_SERVICE_HEALTH_UNKNOWN_ALERT_TICKS,
	};
}
