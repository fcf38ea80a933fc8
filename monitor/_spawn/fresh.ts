/** `spawn-worker -n … -c … -p …`: a new worker (contract 08 §8.2). Nothing is written before everything is known to be there. */
import { isAbsolute, resolve } from "node:path";
import { heartbeatPath } from "../_state/heartbeat.ts";
import { renderedSettingsPath } from "../_state/rendered-settings.ts";
import { reportsDirOf } from "../_state/report-corpus.ts";
import { pruneWindowState } from "../_state/retire-surfaces.ts";
import { appendSelfSpawn } from "../_state/skeptic-self-spawn.ts";
import { writeSpawnPrompt } from "../_state/spawn-prompt.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { programPath } from "../_sys/names.ts";
import { tmuxFailureText } from "../_sys/tmux-lookup.ts";
import { leaveAnchors } from "./anchors.ts";
import type { FreshRequest, Refusal } from "./args.ts";
import { type SpawnContext, warn } from "./context.ts";
import { seeItLive } from "./first-breath.ts";
import { readFloor } from "./floor.ts";
import { lookAtGround } from "./ground.ts";
import { type Launched, launch } from "./launch.ts";
import type { LaunchedProgram } from "./launcher.ts";
import { type FreshFacts, type FreshPlan, planFresh, refused } from "./plan.ts";
import { judgeSelfSpawn } from "./self-spawn.ts";
import { linkSkeptic } from "./skeptic.ts";
import { withSpawnLock } from "./spawn-lock.ts";
import { standingUnder } from "./window.ts";

/** The exit code. */
export async function spawnFresh(
	req: FreshRequest,
	ctx: SpawnContext,
): Promise<number> {
	const facts = gather(req, ctx);
	const plan = planFresh(req, facts);
	if (plan.kind === "refused") {
		warn(ctx, plan.message);
		return plan.rc;
	}
	if (facts.inPrimaryClone)
		warn(
			ctx,
			`the workdir is the primary clone ${ctx.home.root}, which the watcher runs from; a clone of its own is safer`,
		);
	if (req.printPrompt) {
		ctx.out(plan.prompt.replace(/\n$/, ""));
		return 0;
	}
	// Looked at twice: without the lock, so that a refusal leaves nothing behind, and then for good.
	const free = await lookForRoom(req, ctx);
	const sessionId = ctx.settings.useLoop ? "" : ctx.doors.random.uuid();
	const started =
		free.kind === "refused"
			? free
			: await withSpawnLock(ctx, () =>
					carryOut(req, ctx, facts, plan, sessionId),
				);
	const lives =
		started.kind === "refused"
			? started
			: await seeItLive(ctx, req.window, started);
	if (lives.kind === "refused") {
		warn(ctx, lives.message);
		return lives.rc;
	}
	if (req.skeptic.role) linkSkeptic(ctx, req.window, req.skeptic);
	ctx.err(summary(req, ctx, facts, sessionId));
	return 0;
}

function gather(req: FreshRequest, ctx: SpawnContext): FreshFacts {
	const { doors, home, cwd } = ctx;
	const { files, proc } = doors;
	const workdir = resolve(cwd, req.workdir);
	const found = files.stat(workdir);
	const roots = [home.root, resolve(cwd, proc.env.NEXUS_ROOT || home.root)];
	return {
		...lookAtGround(ctx, workdir, !req.printPrompt),
		workdir: isAbsolute(req.workdir) ? req.workdir : workdir,
		workdirIsFolder: found.kind === "ok" && found.stat.kind === "dir",
		// By its very path: a linked folder or a worktree is somebody's own.
		inPrimaryClone: roots.includes(workdir),
		workers: ctx.settings.workers,
		root: home.root,
		reportsDir: reportsDirOf(home.root),
		prompt: files.read(resolve(cwd, req.promptFile)),
		selfSpawn: judgeSelfSpawn(req.skeptic, proc.env),
		floor: readFloor(files, home),
		prior: priorReport(req, ctx),
	};
}

/** As given, else below the root. */
function priorReport(
	{ priorReport: given }: FreshRequest,
	{ doors, home, cwd }: SpawnContext,
): FreshFacts["prior"] {
	if (given === null) return null;
	const here = resolve(cwd, given);
	const isHere = doors.files.stat(here).kind === "ok";
	const path = isHere ? here : resolve(home.root, given);
	return { path, read: doors.files.read(path) };
}

async function lookForRoom(
	{ window }: FreshRequest,
	{ doors }: SpawnContext,
): Promise<
	{ readonly kind: "free"; readonly rows: readonly PaneRow[] } | Refusal
> {
	const listed = await doors.tmux.panes();
	if (listed.kind !== "ok")
		return refused(8, `no tmux server: ${tmuxFailureText(listed)}`);
	const { rows } = listed;
	return standingUnder(rows, window).kind === "free"
		? { kind: "free", rows }
		: refused(7, `window ${window} exists already`);
}

async function carryOut(
	req: FreshRequest,
	ctx: SpawnContext,
	facts: FreshFacts,
	plan: FreshPlan,
	sessionId: string,
): Promise<Launched | Refusal> {
	const { doors, home } = ctx;
	const { window, skeptic } = req;
	const { prompt } = plan;
	const room = await lookForRoom(req, ctx);
	if (room.kind === "refused") return room;
	// A predecessor that vanished left its questions, waits and tombstones: they would speak, or be silent, for this one.
	pruneWindowState(doors.files, home.stateDir, window);
	const workdir = resolve(ctx.cwd, req.workdir);
	const launched = await launch(ctx, {
		window,
		workdir,
		prompt,
		rows: room.rows,
		makeRoom: async () => null,
		program: (promptPath) => programOf(req, ctx, plan, sessionId, promptPath),
	});
	if (launched.kind === "refused") return launched;
	audit(req, ctx, facts);
	const cached = writeSpawnPrompt(doors.files, home.stateDir, window, prompt);
	if (cached.kind === "failed") warn(ctx, `prompt cache: ${cached.reason}`);
	leaveAnchors(
		ctx,
		{
			window,
			sessionId,
			workdir,
			skeptic,
			kind: req.workerKind,
			promptFile: resolve(ctx.cwd, req.promptFile),
			topic: req.topic ?? window,
			spawnedAt: doors.clock.iso(),
			lastActivityRef: heartbeatPath(home.stateDir, window),
		},
		{ mode: "fresh", model: req.model },
	);
	return launched;
}

function programOf(
	req: FreshRequest,
	{ doors, home, settings }: SpawnContext,
	plan: FreshPlan,
	sessionId: string,
	promptPath: string,
): LaunchedProgram {
	const claude = {
		binary: plan.claude,
		settings: renderedSettingsPath(home.stateDir, "worker"),
		model: req.model,
	};
	if (!settings.useLoop)
		return { kind: "fresh", claude, sessionId, promptPath };
	return {
		kind: "loop",
		claude,
		promptPath,
		window: req.window,
		bun: doors.proc.execPath,
		loop: programPath("claudeLoop", home.codeRoot),
	};
}

function audit(
	req: FreshRequest,
	ctx: SpawnContext,
	{ selfSpawn }: FreshFacts,
): void {
	if (selfSpawn.kind !== "overridden") return;
	const { caller, reason } = selfSpawn;
	const { target } = req.skeptic;
	const spawn = { caller, reason, target, window: req.window };
	const logged = appendSelfSpawn(ctx.doors, ctx.home.stateDir, spawn);
	if (logged.kind === "failed") warn(ctx, `self-spawn log: ${logged.reason}`);
}

function summary(
	req: FreshRequest,
	{ home, settings }: SpawnContext,
	facts: FreshFacts,
	sessionId: string,
): string {
	return [
		`spawned: window=${req.window} workdir=${facts.workdir} prompt=${req.promptFile} kind=${req.workerKind} floor=injected`,
		...(facts.prior === null ? [] : [`prior-report=${facts.prior.path}`]),
		`settings=${renderedSettingsPath(home.stateDir, "worker")}`,
		...(sessionId === "" ? [] : [`session-id=${sessionId}`]),
		...(settings.useLoop ? ["loop=on"] : []),
	].join(" ");
}
