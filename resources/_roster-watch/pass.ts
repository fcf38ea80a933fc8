/**
 * One snapshot of a whole roster, with an archive (contract 09 §12). A single pass: a resident loop lost its cadence
 * whenever a supervisor restarted it.
 */
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import { sideBySide } from "../../monitor/_fleet/side-by-side.ts";
import { fileStamp, isoMicros } from "../../monitor/_state/fleet/time.ts";
import {
	adoptLegacyArchive,
	captureDir,
	captureFilePath,
	decisionDir,
	logRosterCheck,
	readLastFailed,
	rosterCheckPath,
	writeLastEmit,
	writeLastFailed,
} from "../../monitor/_state/fleet/watch-captures.ts";
import {
	readWatchParams,
	watchParamsPath,
} from "../../monitor/_state/fleet/watch-params.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { archivePass, type Pass } from "./archive.ts";
import { captureMember, type Picture } from "./capture.ts";
import { checkRoster } from "./check.ts";
import { assemble } from "./file.ts";
import { openGate, runGate } from "./jev-gate.ts";
import { wakeDecision } from "./wake.ts";

export interface RosterWatch {
	readonly doors: Doors;
	readonly thrumDir: string;
	/** Whose roster it is. */
	readonly agent: string;
	/** The checkout that the copy lies in. */
	readonly worktree: string;
	readonly open: () => Promise<
		| { readonly kind: "ok"; readonly fleet: Fleet }
		| { readonly kind: "none"; readonly why: string }
	>;
}
export interface Told {
	readonly exitCode: 0 | 1;
	readonly out: readonly string[];
	readonly err: readonly string[];
}
const AT_ONCE = 8;

/**
 * A roster that cannot be read is a warning in the capture file, not a failure: its watcher still hears that the pass
 * ran.
 */
export async function runRosterPass(job: RosterWatch): Promise<Told> {
	const { doors, thrumDir, agent, worktree } = job;
	const { files, clock } = doors;
	const outDir = captureDir(thrumDir, agent);
	const made = files.mkdir(outDir, 0o700);
	if (made.kind !== "ok") return refused(`${outDir}: ${made.reason}`);
	const err: string[] = [];
	const adopted = adoptLegacyArchive(files, worktree, outDir);
	if (adopted.kind === "failed")
		err.push(`the older archive stays where it is: ${adopted.reason}`);

	const nowMs = clock.nowMs();
	const captureId = fileStamp(nowMs);
	const file = captureFilePath(outDir, captureId);
	const pass: Pass = { captureId, at: isoMicros(nowMs), outDir, file };
	const read = readWatchParams(files, thrumDir, agent);
	if (read.kind === "bad" || read.params.roster.length === 0) {
		const line = `roster capture ready: ${file} (${pass.at}) — WARNING empty/unreadable roster in ${watchParamsPath(thrumDir, agent)}`;
		files.writeAtomic(file, `${line}\n`, { mode: 0o600 });
		return { exitCode: 0, out: [line], err };
	}
	const opened = await job.open();
	if (opened.kind === "none") return refused(opened.why);

	const { params } = read;
	const gate = openGate(doors, params.useJev, worktree);
	if (gate.kind === "no-key")
		err.push("JEV requested but no key found — skipped");
	const check = await checkRoster(opened.fleet, params.roster);
	logRosterCheck(files, outDir, pass.at, check.line);
	const pictures = await sideBySide(params.roster, AT_ONCE, (entry) =>
		captureMember(
			{ doors, fleet: opened.fleet, withDocument: gate.kind === "on" },
			entry,
			check.members.get(entry.agentId) ?? null,
			params.daemonOverrides[entry.agentId],
		),
	);

	const capture = assemble(pictures);
	const written = files.writeAtomic(file, capture.text, {
		mode: 0o600,
		fsync: true,
	});
	if (written.kind !== "ok") return refused(`${file}: ${written.reason}`);
	const archived = archivePass(doors, pass, capture);
	const filter =
		gate.kind === "on"
			? await runGate(
					doors,
					gate.keys,
					archived.manifest,
					params.roster.map(({ agentId }) => agentId),
					decisionDir(outDir, captureId),
				)
			: null;
	if (filter?.kind === "not-ok") err.push(`JEV filter not used: ${filter.why}`);

	const failedBefore = readLastFailed(files, outDir);
	const failed = agentsOf(pictures, "failed");
	const wake = wakeDecision({
		file,
		at: pass.at,
		failed,
		failedBefore,
		filter,
		degraded: agentsOf(pictures, "degraded"),
		archiveTrouble: archived.trouble,
		checkFailed: check.kind !== "ok",
		checkLog: rosterCheckPath(outDir),
	});
	// Told from here on: a pass that dies before it tells the incident again.
	writeLastFailed(files, outDir, failed.join(" "));
	writeLastEmit(files, outDir, pass.at);
	const told = check.kind === "failed" ? [check.line, ...wake] : wake;
	return { exitCode: 0, out: told, err };
}

function agentsOf(
	pictures: readonly Picture[],
	kind: Picture["kind"],
): readonly string[] {
	return pictures.filter((p) => p.kind === kind).map(({ agent }) => agent);
}

/** Before the pass began. */
function refused(why: string): Told {
	return { exitCode: 1, out: [], err: [`ERROR: ${why}`] };
}
