/** `spawn-worker --resume <window|session-id>`: a session that ended goes on in a window of its own (contract 08 §8.6). */
import { heartbeatPath } from "../_state/heartbeat.ts";
import { renderedSettingsPath } from "../_state/rendered-settings.ts";
import { spawnPromptPath } from "../_state/spawn-prompt.ts";
import {
	readProvenance,
	type SkepticRecord,
} from "../_state/window-provenance.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { onlyLooking } from "../_sys/only-looking.ts";
import { tmuxFailureText } from "../_sys/tmux-lookup.ts";
import { leaveAnchors } from "./anchors.ts";
import type { Refusal, ResumeRequest } from "./args.ts";
import { type SpawnContext, warn } from "./context.ts";
import { seeItLive } from "./first-breath.ts";
import { lookAtGround } from "./ground.ts";
import { type Launched, launch } from "./launch.ts";
import { NUDGE_TEXT } from "./nudge.ts";
import { refused, refuseWithoutGround } from "./plan.ts";
import { findResumable, type Resumable } from "./resume-find.ts";
import { withSpawnLock } from "./spawn-lock.ts";
import { killWindows, standingUnder } from "./window.ts";

/** The exit code. */
export async function spawnResume(
	req: ResumeRequest,
	ctx: SpawnContext,
): Promise<number> {
	const done = await attempt(req, ctx);
	if (done.kind === "done") return 0;
	warn(ctx, done.message);
	return done.rc;
}

type Done = { readonly kind: "done" };

async function attempt(
	req: ResumeRequest,
	ctx: SpawnContext,
): Promise<Done | Refusal> {
	const listed = await ctx.doors.tmux.panes();
	const rows = listed.kind === "ok" ? listed.rows : [];
	const found = findResumable(req, req.dryRun ? withoutTrace(ctx) : ctx, rows);
	if (found.kind === "refused") return found;
	const { window, sessionId, workdir, nudge } = found;
	const nudgeWords = `nudge=${nudge.on ? "on" : "off"} (${nudge.reason})`;
	const what = `window=${window} session=${sessionId} workdir=${workdir}`;
	if (req.dryRun) {
		ctx.out(`resolved: ${what} jsonl=${found.jsonl} ${nudgeWords}`);
		return { kind: "done" };
	}
	const { claude, ...ground } = lookAtGround(ctx, workdir, true);
	if (claude.kind === "missing") return refused(1, claude.message);
	const room =
		refuseWithoutGround(ground) ?? (await lookForRoom(req, ctx, window));
	if (room.kind === "refused") return room;
	const started = await withSpawnLock(ctx, () =>
		carryOut(req, ctx, found, claude.path),
	);
	if (started.kind === "refused") return started;
	const lives = await seeItLive(ctx, window, started);
	if (lives.kind === "refused") return lives;
	ctx.err(`resumed: ${what} ${nudgeWords}`);
	return { kind: "done" };
}

/** For a mere question. */
function withoutTrace(ctx: SpawnContext): SpawnContext {
	const files = onlyLooking(ctx.doors.files);
	return { ...ctx, doors: { ...ctx.doors, files } };
}

/** What stands under the name, unless that forbids the start. */
async function lookForRoom(
	{ replace }: ResumeRequest,
	{ doors }: SpawnContext,
	window: string,
) {
	const listed = await doors.tmux.panes();
	if (listed.kind !== "ok")
		return refused(8, `no tmux server: ${tmuxFailureText(listed)}`);
	const { rows } = listed;
	const standing = standingUnder(rows, window);
	if (standing.kind === "live" && !replace)
		return refused(
			13,
			`window ${window} is alive: look at it, or take it with --replace`,
		);
	const toKill = standing.kind === "free" ? [] : standing.windowIds;
	const own = callersWindowId(rows, doors.proc.env);
	if (own !== null && toKill.includes(own))
		return refused(
			13,
			`this call comes from window ${window}: it would end with it, before anything is started`,
		);
	return { kind: "room", rows, toKill } as const;
}

function callersWindowId(
	rows: readonly PaneRow[],
	env: Readonly<Record<string, string | undefined>>,
): string | null {
	// A background session carries a stranger's pane.
	if (!env.TMUX || !env.TMUX_PANE || env.CLAUDE_JOB_DIR) return null;
	return rows.find((row) => row.paneId === env.TMUX_PANE)?.windowId ?? null;
}

async function carryOut(
	req: ResumeRequest,
	ctx: SpawnContext,
	found: Resumable,
	binary: string,
): Promise<Launched | Refusal> {
	const { doors, home } = ctx;
	const { window, sessionId, workdir, model, nudge } = found;
	const room = await lookForRoom(req, ctx, window);
	if (room.kind === "refused") return room;
	const settings = renderedSettingsPath(home.stateDir, "worker");
	const launched = await launch(ctx, {
		window,
		workdir,
		rows: room.rows,
		prompt: null,
		makeRoom: () => killWindows(doors, room.toKill),
		program: () => ({
			kind: "resume",
			claude: { binary, settings, model },
			sessionId,
			nudge: nudge.on ? NUDGE_TEXT : null,
		}),
	});
	if (launched.kind === "refused") return launched;
	remember(ctx, found);
	return launched;
}

/** As it was started the first time, when that is known. */
function remember(ctx: SpawnContext, found: Resumable): void {
	const { doors, home } = ctx;
	const { window, sessionId, workdir } = found;
	const before = readProvenance(doors.files, home.stateDir, window);
	leaveAnchors(
		ctx,
		{
			kind: before?.kind ?? "task",
			topic: before?.topic || window,
			skeptic: before?.skeptic ?? NOT_REVIEWED,
			promptFile:
				before?.promptFile || (spawnPromptPath(home.stateDir, window) ?? ""),
			window,
			sessionId,
			workdir,
			spawnedAt: doors.clock.iso(),
			lastActivityRef: heartbeatPath(home.stateDir, window),
		},
		{ mode: "resume", model: found.model },
	);
}

const NOT_REVIEWED: SkepticRecord = {
	mode: "auto",
	depth: 0,
	role: false,
	target: "",
	orig: "",
};
