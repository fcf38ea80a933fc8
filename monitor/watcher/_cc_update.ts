/** `cc_version_check`: is there a newer Claude Code? It only says so and never installs one (contract 06 §12). */
import {
	decideUpdate,
	noteCcUpdate,
	removeCcUpdate,
	type UpdateVerdict,
} from "../_state/cc-update-available.ts";
import { effectiveVersion } from "../_state/cc-version-local.ts";
import { textAt } from "../_state/json-object.ts";
import { boundedJson } from "../_sys/bounded-json.ts";
import { withDeadline } from "../_sys/deadline.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

export type LookForUpdate = (
	run: TaskRun,
	ctx: WatcherContext,
) => Promise<UpdateVerdict>;

export const ccVersionCheckTask: TaskSpec = {
	name: "cc_version_check",
	intervalSeconds: (config) => config["monitor.cc_update.interval_seconds"],
	class: "expensive",
	async: true,
	make: (ctx) => async (run) => {
		const verdict = await lookForUpdate(run, ctx);
		if (verdict.kind === "unreachable" || verdict.kind === "unknown")
			run.log(`cc_version_check: ${verdict.kind}; nothing is concluded`);
		return { rc: 0 };
	},
};

/** Asks the registry and keeps the signal file in step; what could not be learned touches nothing. Never throws. */
export const lookForUpdate: LookForUpdate = async (run, ctx) => {
	const { files, clock } = run.doors;
	const { config, stateDir } = ctx;
	const effective = effectiveVersion(files, {
		...ctx,
		pinFile: config.NEXUS_CC_LOCAL_PIN,
	});
	const verdict = decideUpdate({
		effective: effective?.version ?? null,
		// Without a version in force there is nothing to compare, and nothing to ask.
		latest: effective === null ? null : await latest(run, ctx),
	});
	if (verdict.kind === "current") removeCcUpdate(files, stateDir);
	if (verdict.kind === "available")
		noteCcUpdate(files, stateDir, {
			candidate: verdict.candidate,
			installed: verdict.installed,
			package: config["monitor.cc_update.package"],
			detected: clock.iso(),
			skill: config["monitor.cc_update.skill_path"],
		});
	return verdict;
};

/** Such an answer has some ten kilobytes. */
const MAX_BYTES = 1024 * 1024;

/** `.version` of `<registry>/<package>/latest`; null for anything but an answer that has one. */
async function latest(
	{ doors, signal }: TaskRun,
	{ config }: WatcherContext,
): Promise<string | null> {
	const registry = config.MONITOR_CC_UPDATE_REGISTRY.replace(/\/+$/, "");
	const url = `${registry}/${config["monitor.cc_update.package"]}/latest`;
	const limitMs = config["monitor.cc_update.fetch_timeout_seconds"] * 1000;
	const answer = await withDeadline(
		doors.clock,
		limitMs,
		signal,
		async (over) => {
			const accept = { accept: "application/json" };
			const got = await doors.net.fetch(url, { signal: over, headers: accept });
			return got.status === 200 ? await boundedJson(got, MAX_BYTES) : null;
		},
	);
	return answer.kind === "ok" ? textAt(answer.value, "version") : null;
}
