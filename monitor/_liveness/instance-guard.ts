/**
 * One watcher per state dir, across pid namespaces and hosts (contract 01 §2.4, §2.5). The flock decides on this host,
 * the beacon on others. Pure: texts and numbers in, verdicts out.
 */
import { parseBeacon } from "../_state/instance-heartbeat.ts";
import type { InstanceMeta } from "../_state/instance-lock.ts";
import { parseInstanceMeta } from "../_state/instance-lock.ts";

export type LockAssessment =
	| "unknown"
	| "live-remote"
	| "stale-reboot"
	| "live-local";

/** What the text of a HELD lock says of its holder. For messages only: the flock has decided already. */
export function assessLock(
	meta: InstanceMeta,
	host: string,
	bootId: string,
): LockAssessment {
	if (meta.host === null) return "unknown";
	if (meta.host !== host) return "live-remote";
	const bothKnown = meta.bootId !== null && bootId !== "unknown";
	return bothKnown && meta.bootId !== bootId ? "stale-reboot" : "live-local";
}

export type RemoteVerdict =
	| "none"
	| "corrupt"
	| "same-host"
	| "live-remote"
	| "stale-remote";

/**
 * Does another host run a watcher here? A beacon from the future is live: its host's clock may be ahead of ours, and
 * starting a second watcher is the worse mistake.
 */
export function remoteVerdict(
	text: string,
	host: string,
	now: number,
	windowSeconds: number,
): RemoteVerdict {
	if (text.trim() === "") return "none";
	const beacon = parseBeacon(text);
	if (beacon.host === null) return "corrupt";
	if (beacon.host === host) return "same-host";
	if (beacon.epoch === null || !Number.isInteger(now)) return "corrupt";
	return now - beacon.epoch <= windowSeconds ? "live-remote" : "stale-remote";
}

export interface GuardFacts {
	/** "Could not look" counts as held by the caller's choice. */
	readonly flockHeld: boolean;
	readonly lockText: string;
	readonly beaconText: string;
	readonly host: string;
	readonly pidNs: string;
	readonly now: number;
	readonly windowSeconds: number;
}
export type GuardVerdict =
	| "free"
	| "self"
	| "refuse-local"
	| "refuse-remote"
	| "refuse-corrupt";

/** May a whole cockpit start here (entry, cold recovery)? `free` and `self` may. */
export function guardDecision(f: GuardFacts): GuardVerdict {
	if (f.flockHeld) {
		const holder = parseInstanceMeta(f.lockText);
		if (holder.host === null) return "refuse-corrupt";
		const mine = holder.host === f.host && holder.pidNs === f.pidNs;
		return mine ? "self" : "refuse-local";
	}
	const remote = remoteVerdict(f.beaconText, f.host, f.now, f.windowSeconds);
	if (remote === "live-remote") return "refuse-remote";
	return remote === "corrupt" ? "refuse-corrupt" : "free";
}

/** Must the running watcher step back for a successor? Asked before each refresh of the beacon. */
export function fenceDecision(
	text: string,
	host: string,
	nonce: string,
	now: number,
	windowSeconds: number,
): "refresh" | "fence" {
	const beacon = parseBeacon(text);
	if (beacon.host === null || beacon.epoch === null) return "refresh";
	if (now - beacon.epoch > windowSeconds) return "refresh";
	if (beacon.nonce !== null && nonce !== "")
		return beacon.nonce === nonce ? "refresh" : "fence";
	return beacon.host === host ? "refresh" : "fence";
}
