/**
 * A GraphQL rate limit mutes its surface until the reset, and no longer than a ceiling (contract 02 §7.5,
 * §7.6): one absurd reset out of a payload would have muted a surface for ever. A hold that lasts is announced.
 */
import type { Config } from "../../config/schema.ts";
import { type AlertBlock, alertBlock } from "../_state/emit-blocks.ts";
import {
	type Backoff,
	clearBackoff,
	isBackoffAnnounced,
	mayTellLimit,
	noteBackoffAnnounced,
	readBackoff,
	type Surface,
	writeBackoff,
} from "../_state/graphql-backoff.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import type { Doors } from "../_sys/doors.ts";
import { type GhFailure, resetEpoch } from "./errors.ts";

export interface BackoffLimits {
	readonly ceilingSeconds: number;
	readonly announceSeconds: number;
}

export type BackoffDecision =
	/** `clear`: why a hold ends; null without one. */
	| {
			readonly kind: "open";
			readonly clear: "over" | "malformed_reset" | "ceiling" | null;
	  }
	| { readonly kind: "closed"; readonly announce: boolean };

/** GitHub's clock and ours need not agree to the second. */
const GRACE_SECONDS = 30;

/** Pure. `now`: epoch seconds. */
export function decideBackoff(
	hold: Backoff | null,
	announced: boolean,
	now: number,
	{ ceilingSeconds, announceSeconds }: BackoffLimits,
): BackoffDecision {
	if (hold === null) return { kind: "open", clear: null };
	const { reset, armed } = hold;
	if (reset === null) return { kind: "open", clear: "malformed_reset" };
	const held = now - armed;
	// A clock that went back: no mute may outlast its bound.
	if (held >= ceilingSeconds || held < 0)
		return { kind: "open", clear: "ceiling" };
	if (now >= reset + GRACE_SECONDS) return { kind: "open", clear: "over" };
	return { kind: "closed", announce: !announced && held >= announceSeconds };
}

export type BackoffDoors = Pick<Doors, "clock" | "files">;

export interface BackoffLook {
	readonly open: boolean;
	readonly alerts: readonly AlertBlock[];
}

/** May this surface be asked now? */
export function passBackoff(
	doors: BackoffDoors,
	stateDir: string,
	surface: Surface,
	limits: BackoffLimits,
): BackoffLook {
	const { files, clock } = doors;
	const hold = readBackoff(files, stateDir, surface);
	const armed = hold?.armed ?? 0;
	const announced = isBackoffAnnounced(files, stateDir, surface, armed);
	const now = clock.now();
	const decided = decideBackoff(hold, announced, now, limits);
	if (decided.kind === "open") {
		if (decided.clear !== null) clearBackoff(files, stateDir, surface);
		if (decided.clear === "ceiling" || decided.clear === "malformed_reset")
			appendAlert(
				doors,
				stateDir,
				"WARN",
				`${surface} graphql_backoff_reconciled reason=${decided.clear} armed=${armed} reset=${hold?.reset} now=${now}`,
			);
		return { open: true, alerts: [] };
	}
	if (!decided.announce) return { open: false, alerts: [] };
	const ceiling = limits.ceilingSeconds;
	noteBackoffAnnounced(files, stateDir, surface, armed);
	appendAlert(
		doors,
		stateDir,
		"WARN",
		`${surface} graphql_backoff_suppressing armed=${armed} reset=${hold?.reset} ceiling=${ceiling}`,
	);
	return {
		open: false,
		alerts: [
			alertBlock(
				"graphql-backoff",
				{ surface, held_s: now - armed, ceiling_s: ceiling },
				`The search ${surface} has been held back for ${minutes(now - armed)}: comments of yours that only it finds are not reaching this report. It opens again ${minutes(ceiling)} after the limit was met at the latest. See watcher-alerts.log.`,
			),
		],
	};
}

/** A limit was met: holds the surface back, and tells each reset once. */
export function armBackoff(
	doors: BackoffDoors,
	stateDir: string,
	surface: Surface,
	failure: GhFailure,
	{ ceilingSeconds }: BackoffLimits,
): readonly AlertBlock[] {
	const { files, clock } = doors;
	const now = clock.now();
	// A secondary limit has armed the pause of REST as well; both end together.
	const asked = failure.until ?? resetEpoch(failure, now, 0);
	const latest = now + ceilingSeconds;
	const warn = (text: string) =>
		appendAlert(doors, stateDir, "WARN", `${surface} ${text}`);
	if (asked > latest)
		warn(
			`graphql_backoff_clamped api_reset=${asked} clamped_to=${latest} ceiling=${ceilingSeconds}`,
		);
	const reset = Math.max(now, Math.min(asked, latest));
	writeBackoff(files, stateDir, surface, { reset, armed: now });
	if (!mayTellLimit(files, stateDir, surface, reset)) return [];
	const iso = clock.iso(reset);
	warn(`graphql_rate_limit reset=${reset} reset_iso=${iso}`);
	return [
		alertBlock(
			"rate-limit",
			{ surface, reset },
			`GitHub's rate limit: the search ${surface} pauses until ${iso}. Deliveries go on, so new comments still arrive. See watcher-alerts.log.`,
		),
	];
}

/** Seconds, from `monitor.graphql.*`. */
export function backoffLimits(config: Config): BackoffLimits {
	return {
		ceilingSeconds: config["monitor.graphql.backoff_max_seconds"],
		announceSeconds: config["monitor.graphql.backoff_announce_seconds"],
	};
}

function minutes(seconds: number): string {
	return `${Math.round(seconds / 60)} min`;
}
