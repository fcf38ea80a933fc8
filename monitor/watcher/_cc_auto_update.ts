/** `cc_auto_update`: once a day an evaluator is sent to judge a newer Claude Code (contract 06 §13.1). */
import { join } from "node:path";
import {
	evalPromptPath,
	readLastFireDate,
	writeLastFireDate,
} from "../_state/cc-auto-update.ts";
import { appendCcDecision } from "../_state/cc-decisions.ts";
import { awaitsOperator, readLastEval } from "../_state/cc-last-eval.ts";
import { writeCcUpdateSurfaced } from "../_state/cc-update-surfaced.ts";
import type { PaneRows } from "../_sys/doors.ts";
import { programArgv, TEXTS } from "../_sys/names.ts";
import {
	decideFire,
	decideWindow,
	type EvaluatorWindow,
	type Fire,
	isDue,
} from "./_cc_auto_update/decide.ts";
import { fillTemplate } from "./_cc_auto_update/prompt.ts";
import type { LookForUpdate } from "./_cc_update.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

const EVALUATOR_WINDOW = "cc-auto-update";

const SPAWN_LIMIT_MS = 5 * 60_000;

/** `look` asks the registry; it comes from `_cc_update.ts`, which a duty may not import. */
export function ccAutoUpdateTask(look: LookForUpdate): TaskSpec {
	return {
		name: "cc_auto_update",
		intervalSeconds: (config) =>
			config["monitor.cc_auto_update.check_interval_seconds"],
		enabled: (config) => config["monitor.cc_auto_update.enabled"],
		class: "expensive",
		async: true,
		make: (ctx) => async (run) => {
			await ccAutoUpdateTick(run, ctx, look);
			return { rc: 0 };
		},
	};
}

/** Stamps the day before it spawns: a spawn that cannot be stamped would come again at every tick. */
export async function ccAutoUpdateTick(
	run: TaskRun,
	ctx: WatcherContext,
	look: LookForUpdate,
): Promise<void> {
	const { files, clock } = run.doors;
	const { config, stateDir } = ctx;
	const iso = clock.iso();
	const due = isDue({
		iso,
		fireTime: config["monitor.cc_auto_update.fire_time"],
		lastFired: readLastFireDate(files, stateDir),
	});
	if (!due) return;
	const fire = await fireOf(run, ctx, look);
	const day = iso.slice(0, 10);
	if (fire.stamp && writeLastFireDate(files, stateDir, day).kind !== "ok") {
		// Unstamped it would fire again at every tick.
		run.log("cc_auto_update: the day cannot be stamped; nothing is started");
		return;
	}
	if (fire.kind === "skip") audit(run, ctx, fire);
	if (fire.kind === "spawn") await spawn(run, ctx, fire, day);
}

async function fireOf(
	run: TaskRun,
	ctx: WatcherContext,
	look: LookForUpdate,
): Promise<Fire> {
	const windowNow = async () =>
		evaluatorWindow(await run.doors.tmux.panes(run.signal));
	const early = decideWindow(await windowNow());
	if (early !== null) return early;
	const verdict = await look(run, ctx);
	const { files } = run.doors;
	const candidate = verdict.kind === "available" ? verdict.candidate : "";
	return decideFire({
		// Seen anew: the registry took its time, and one that was dead may be at work by now.
		window: await windowNow(),
		verdict,
		awaitsOperator: awaitsOperator(
			readLastEval(files, ctx.stateDir),
			candidate,
		),
		hasTemplate: files.stat(templatePath(ctx)).kind === "ok",
	});
}

function evaluatorWindow(panes: PaneRows): EvaluatorWindow {
	if (panes.kind !== "ok") return { kind: "unknown" };
	const rows = panes.rows.filter((r) => r.windowName === EVALUATOR_WINDOW);
	if (rows.length === 0) return { kind: "absent" };
	return rows.every((r) => r.paneDead === "1")
		? { kind: "dead", windowIds: [...new Set(rows.map((r) => r.windowId))] }
		: { kind: "live" };
}

/** The day is stamped already: an evaluator that fails to start is not started again and again. */
async function spawn(
	run: TaskRun,
	ctx: WatcherContext,
	fire: Extract<Fire, { kind: "spawn" }>,
	day: string,
): Promise<void> {
	const { files, tmux, proc } = run.doors;
	const { config, stateDir, codeRoot, root } = ctx;
	const { candidate } = fire;
	writeCcUpdateSurfaced(files, stateDir, candidate);
	for (const target of fire.endFirst)
		await tmux.run({ kind: "kill-window", target }, run.signal);
	const template = files.read(templatePath(ctx));
	const path = evalPromptPath(stateDir, day);
	const written = files.writeAtomic(
		path,
		fillTemplate(template.kind === "ok" ? template.text : "", {
			CANDIDATE: candidate,
			INSTALLED: fire.installed,
			NEXUS_ROOT: root,
			STATE_DIR: stateDir,
			DATE: day,
			SURFACE_REPO: config["github.repo"],
			TRACKING_ISSUE: config["monitor.cc_auto_update.tracking_issue"] || "none",
			GUIDE: join(codeRoot, config["monitor.cc_update.skill_path"]),
		}),
	);
	if (template.kind !== "ok" || written.kind !== "ok")
		return audit(run, ctx, {
			candidate,
			decision: "spawn-failed",
			detail: "the prompt could not be read or written",
		});
	const words = ["-n", EVALUATOR_WINDOW, "-c", root, "-p", path];
	const done = await proc.exec(
		programArgv(proc.execPath, "spawnWorker", words, codeRoot),
		{ timeoutMs: SPAWN_LIMIT_MS, signal: run.signal },
	);
	const rc = done.kind === "exited" ? done.rc : done.kind;
	const said = "stderr" in done ? lastLine(done.stderr) : "";
	audit(run, ctx, {
		candidate,
		decision: rc === 0 ? "spawned" : "spawn-failed",
		detail: rc === 0 ? `installed ${fire.installed}` : `rc=${rc} ${said}`,
	});
}

function audit(
	run: TaskRun,
	{ stateDir }: WatcherContext,
	row: {
		readonly candidate: string;
		readonly decision: string;
		readonly detail: string;
	},
): void {
	const iso = run.doors.clock.iso();
	const { candidate, decision, detail } = row;
	appendCcDecision(run.doors.files, stateDir, {
		iso,
		candidate,
		decision,
		detail,
	});
	run.log(`cc_auto_update: ${candidate} ${decision}: ${detail}`);
}

function templatePath({ codeRoot }: WatcherContext): string {
	return join(codeRoot, TEXTS.ccAutoUpdatePrompt);
}

function lastLine(text: string): string {
	return text.trim().split("\n").at(-1) ?? "";
}
