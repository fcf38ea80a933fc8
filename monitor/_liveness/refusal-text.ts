/** Why a second watcher may not start here, and what to do about it (contract 01 §2.4, §2.5). Pure. */

import { parseBeacon } from "../_state/instance-heartbeat.ts";
import { parseInstanceMeta } from "../_state/instance-lock.ts";
import { programName } from "../_sys/names.ts";
import { shellWord } from "../_sys/shell-quote.ts";
import type { GuardVerdict, LockAssessment } from "./instance-guard.ts";

const ASSESSMENTS: Readonly<Record<LockAssessment, string>> = {
	"live-local": "live-local: held on this host; treat the holder as live",
	"stale-reboot":
		"stale-reboot: the machine rebooted since; the holder cannot be alive",
	"live-remote":
		"live-remote: held from another host; live while that host is up",
	unknown: "unknown: the file names no holder; treat it as live",
};

export interface RefusalFacts {
	readonly root: string;
	readonly lockPath: string;
	readonly lockText: string;
	readonly assessment: LockAssessment;
}

/** The refusal block: the same lines from the launcher and from main, indented by two spaces. */
export function refusalLines(f: RefusalFacts): readonly string[] {
	const meta = parseInstanceMeta(f.lockText);
	const launcher = programName("launcher");
	const or = (value: string | null) => value ?? "unknown";
	return [
		`NEXUS_ROOT = ${f.root}`,
		`lock file  = ${f.lockPath}`,
		`suspected holder: started ${or(meta.startedAt)} host ${or(meta.host)} pid ${or(meta.pid)} sandbox ${meta.sandbox ?? "none"} tmux ${meta.tmux ?? "none"}`,
		`assessment: ${ASSESSMENTS[f.assessment]}`,
		`to resolve: use or close the other instance; or run \`${launcher} --replace\` in the same sandbox; or choose a different NEXUS_ROOT`,
		`if this is a false positive: look with \`${launcher} --instance-status\`, then \`rm ${shellWord(f.lockPath)}\``,
		"CAVEAT: `rm` while the holder is alive lets both run.",
	].map((line) => `  ${line}`);
}

export interface PreflightFacts extends RefusalFacts {
	readonly beaconPath: string;
	readonly beaconText: string;
	readonly windowSeconds: number;
}

/** The reason block of the whole-cockpit gate; empty when it may start. */
export function preflightLines(
	verdict: GuardVerdict,
	f: PreflightFacts,
): readonly string[] {
	switch (verdict) {
		case "free":
		case "self":
			return [];
		case "refuse-local":
			return [
				"another nexus instance runs here (same-host instance flock):",
				...refusalLines(f),
			];
		case "refuse-remote": {
			const beacon = parseBeacon(f.beaconText);
			return [
				`another nexus instance is running on host ${beacon.host ?? "?"} (last seen ${beacon.ts ?? "?"})`,
				`  beacon = ${f.beaconPath}`,
				`  it ages out ${f.windowSeconds}s after its last refresh`,
			];
		}
		case "refuse-corrupt":
			return [
				"UNPARSEABLE instance files: cannot tell whether another nexus instance runs here",
				`  lock file = ${f.lockPath}`,
				`  beacon    = ${f.beaconPath}`,
			];
	}
}
