/**
 * One pass over the roster of a watcher (contract 09 §11): looks, writes a report, says one line. Mechanical: it never
 * sends keys, text or messages; judgement stays with the agent.
 */

import type { CaptureResult, Fleet } from "../../monitor/_fleet/fleet.ts";
import { detectPermission } from "../../monitor/_fleet/permission.ts";
import { sideBySide } from "../../monitor/_fleet/side-by-side.ts";
import {
	captureOverSsh,
	captureWithFallback,
	type SshTarget,
} from "../../monitor/_fleet/ssh-fallback.ts";
import { resolveSshTargets } from "../../monitor/_fleet/ssh-targets.ts";
import {
	logPaneWatch,
	paneWatchReportPath,
	writePaneWatchReport,
} from "../../monitor/_state/fleet/pane-watch-files.ts";
import { isoSeconds } from "../../monitor/_state/fleet/time.ts";
import {
	type RosterEntry,
	readWatchParams,
	type WatchParams,
} from "../../monitor/_state/fleet/watch-params.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import {
	classifyMember,
	type Declared,
	type MemberVerdict,
} from "./classify.ts";
import { type PassResult, renderReport, tickLine } from "./report.ts";

export interface PaneWatch {
	readonly doors: Doors;
	readonly thrumDir: string;
	readonly watcher: string;
	/** Opened when there is somebody to look at. */
	readonly open: () => Promise<
		| {
				readonly kind: "ok";
				readonly fleet: Fleet;
				readonly settings: { readonly stabilityGapSeconds: number };
		  }
		| { readonly kind: "none"; readonly why: string }
	>;
}
export interface PassEnd {
	readonly exitCode: 0 | 1;
	readonly out?: string;
	readonly err?: string;
}
/** Panes that are looked at side by side; one that is slow must not hold up the rest. */
const AT_ONCE = 8;

/** Exit code 1 when it could not look at all; what fails for one member stands in its section. */
export async function runPass(job: PaneWatch): Promise<PassEnd> {
	const { doors, thrumDir, watcher } = job;
	const { files, clock } = doors;
	const log = (text: string) =>
		logPaneWatch(files, thrumDir, watcher, clock.nowMs(), text);
	const failed = (why: string): PassEnd => {
		log(`ERROR ${why}`);
		return { exitCode: 1, err: `ERROR: ${why}` };
	};

	const read = readWatchParams(files, thrumDir, watcher);
	if (read.kind === "bad") return failed(read.why);
	const { params } = read;
	if (params.roster.length === 0) {
		log("NOOP the roster is empty");
		return { exitCode: 0 };
	}
	const opened = await job.open();
	if (opened.kind === "none") return failed(opened.why);
	const { fleet, settings } = opened;
	const gapMs = settings.stabilityGapSeconds * 1000;
	const ssh = await resolveSshTargets(fleet, params.roster);
	for (const note of ssh.notes) log(note);
	const runtimes = await runtimesOf(fleet, params.roster, log);
	const look = { doors, fleet, gapMs, log };
	const sections = await sideBySide(params.roster, AT_ONCE, async (entry) => ({
		agent: entry.agentId,
		verdict: await lookAt(look, entry, {
			ssh: ssh.of.get(entry.agentId) ?? null,
			runtime: runtimes(entry),
			declared: declaredOf(params, entry.agentId),
			daemonId: params.daemonOverrides[entry.agentId],
		}),
	}));
	const result: PassResult = {
		watcher,
		at: isoSeconds(clock.nowMs()),
		sections,
		sshReady: ssh.of.size,
		reportPath: paneWatchReportPath(thrumDir, watcher),
	};
	const written = writePaneWatchReport(
		files,
		thrumDir,
		watcher,
		renderReport(result),
	);
	if (written.kind !== "ok")
		return failed(`${result.reportPath}: ${written.reason}`);
	const line = tickLine(result);
	log(line);
	return { exitCode: 0, out: line };
}

interface Look {
	readonly doors: Doors;
	readonly fleet: Fleet;
	readonly gapMs: number;
	readonly log: (text: string) => void;
}
interface Known {
	readonly ssh: SshTarget | null;
	readonly runtime: string;
	readonly declared: Declared;
	readonly daemonId: string | undefined;
}

async function lookAt(
	{ doors, fleet, gapMs, log }: Look,
	{ agentId }: RosterEntry,
	{ ssh, runtime, declared, daemonId }: Known,
): Promise<MemberVerdict> {
	const o = daemonId === undefined ? {} : { daemonId };
	const c1 = await captureWithFallback(doors, fleet, agentId, ssh, o);
	const det = c1.ok ? await detect(fleet, c1.text, runtime, log) : null;
	let c2: CaptureResult | null = null;
	if (c1.ok && det !== null) {
		await doors.clock.sleep(gapMs);
		// By the same route: two routes draw one pane differently.
		c2 =
			c1.route === "ssh" && ssh !== null
				? await captureOverSsh(doors, agentId, ssh)
				: await fleet.capture(agentId, o);
	}
	return classifyMember(c1, c2, det, declared, ssh?.destination);
}

/** A fleet that cannot say is no reason to miss a prompt. */
async function detect(
	fleet: Fleet,
	pane: string,
	runtime: string,
	log: (text: string) => void,
): Promise<string | null> {
	const said = await fleet.detect(pane, runtime);
	if (said.kind === "ok") return said.value;
	log(`detect: ${said.stderr}; looked at it here`);
	return detectPermission(runtime, pane)?.id ?? null;
}

/** The roster's own word, else the team's, else claude. */
async function runtimesOf(
	fleet: Fleet,
	roster: readonly RosterEntry[],
	log: (text: string) => void,
): Promise<(entry: RosterEntry) => string> {
	const isAsked = roster.some(({ runtime }) => runtime === undefined);
	const team = isAsked ? await fleet.team() : null;
	if (team !== null && team.kind !== "ok") log(`team: ${team.stderr}`);
	const members = team?.kind === "ok" ? team.value : [];
	const known = new Map(members.map((m) => [m.agentId, m.runtime]));
	return ({ agentId, runtime }) => runtime ?? known.get(agentId) ?? "claude";
}

function declaredOf(params: WatchParams, agent: string): Declared {
	if (params.expectedInactive.includes(agent)) return "expected_inactive";
	return params.sleeping.includes(agent) ? "sleeping" : null;
}
