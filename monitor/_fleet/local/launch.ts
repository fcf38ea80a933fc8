/** Starts an agent's runtime in its session, and waits until it runs (contract 09 §6.3). */
import { dirname } from "node:path";
import { type RegistryEntry, registry } from "../../_state/fleet/registry.ts";
import {
	agentDir,
	binDir,
	briefPath,
	launcherPath,
} from "../../_state/fleet/store.ts";
import { resolveClaudeBin } from "../../_sys/claude-bin.ts";
import type { PaneRow } from "../../_sys/doors.ts";
import { shellQuote } from "../../_sys/shell-quote.ts";
import { tmuxFailureText } from "../../_sys/tmux-lookup.ts";
import { fail, ok } from "../failure.ts";
import type { FleetFailure, LaunchRequest, R } from "../fleet.ts";
import {
	isRuntimeName,
	programOf,
	RUNTIMES,
	runtimeCommand,
} from "../runtimes.ts";
import type { LocalContext } from "./context.ts";
import { identityEnv } from "./environment.ts";
import { renderLaunchScript } from "./launch-script.ts";
import { paneOfSession } from "./members.ts";
import {
	awaitRuntime,
	type Begun,
	outlivesItsStart,
	startDialog,
} from "./started.ts";

const TAIL_LINES = 10;

/**
 * Replaces the pane's shell by a launcher script and waits until the runtime is seen. `timeout` says what stands in
 * the pane instead; a folder that could not be trusted is only a warning in the log.
 */
export async function launch(
	ctx: LocalContext,
	entry: RegistryEntry,
	request: LaunchRequest,
): R<{ readonly warning?: string }> {
	const { doors, place } = ctx;
	const script = scriptOf(ctx, entry, request);
	if (script.kind !== "ok") return script;
	const untrusted = await ctx.hands.trust(entry.worktree);
	if (untrusted !== null)
		doors.log.warn(`fleet: ${entry.worktree} is not trusted: ${untrusted}`);
	const path = launcherPath(place.thrumDir, entry.agentId);
	doors.files.mkdir(agentDir(place.thrumDir, entry.agentId), 0o700);
	const written = doors.files.writeAtomic(path, script.value, { mode: 0o700 });
	if (written.kind !== "ok") return fail("failed", written.reason);
	const pane = await ownPane(ctx, entry);
	if (pane.kind !== "ok") return pane;
	const { paneId } = pane.value;
	const started = await doors.tmux.run({
		kind: "respawn-pane",
		target: paneId,
		cwd: entry.worktree,
		command: [path],
	});
	if (started.kind !== "ok") return fail("failed", tmuxFailureText(started));
	const begun = await awaitRuntime(ctx, paneId);
	if (begun === null)
		return fail("timeout", await notBegun(ctx, entry.tmuxSession, paneId));
	const noted = registry.write(doors, place.thrumDir, {
		...entry,
		...noteOf(begun),
		runtime: request.runtime,
		model: request.model,
		effort: request.effort,
	});
	if (noted.kind !== "ok") return fail("failed", noted.reason);
	const dialog = await startDialog(ctx, begun.pane, request.runtime);
	if (!(await outlivesItsStart(ctx, begun)))
		return fail("failed", await notBegun(ctx, entry.tmuxSession, paneId));
	return dialog === null
		? ok({})
		: ok({ warning: `${dialog} dialog open in ${entry.tmuxSession}` });
}

function noteOf({ pane, process }: Begun) {
	return {
		tmuxPane: pane.paneId,
		tmuxServer: pane.server,
		agentPid: process.pid,
		agentStart: process.startTicks,
	};
}

function scriptOf(
	ctx: LocalContext,
	entry: RegistryEntry,
	request: LaunchRequest,
): { readonly kind: "ok"; readonly value: string } | FleetFailure {
	const { doors, settings, place } = ctx;
	const { runtime } = request;
	const template = isRuntimeName(runtime)
		? settings.runtimes[runtime]
		: undefined;
	if (template === undefined)
		return fail("refused", `no command for runtime ${runtime}`);
	const program = programOf(template);
	const found = findProgram(ctx, program);
	if (found === null) return fail("refused", `no program ${program} to start`);
	const command = runtimeCommand(template, request).trim();
	const brief = doors.files.read(briefPath(place.thrumDir, entry.agentId));
	const takesPrompt = RUNTIMES[runtime]?.takesPrompt ?? false;
	const text = brief.kind === "ok" ? brief.text.trim() : "";
	return {
		kind: "ok",
		value: renderLaunchScript({
			exports: identityEnv({
				agent: entry.agentId,
				role: entry.role,
				module: entry.module,
				cwd: entry.worktree,
				intent: entry.intent ?? undefined,
			}),
			path: [binDir(place.thrumDir), dirname(doors.proc.execPath)],
			cwd: entry.worktree,
			command: `${shellQuote(found)}${command.slice(program.length)}`,
			prompt: takesPrompt && text !== "" ? text : null,
		}),
	};
}

/** The pane's PATH is not ours: the file holds where the program is. */
function findProgram({ doors }: LocalContext, program: string): string | null {
	if (program !== "claude") return doors.proc.which(program);
	const claude = resolveClaudeBin(doors, dirname(doors.proc.execPath));
	return claude.kind === "ok" ? claude.path : null;
}

async function ownPane(ctx: LocalContext, entry: RegistryEntry): R<PaneRow> {
	const rows = await ctx.doors.tmux.panes();
	if (rows.kind !== "ok") return fail("unreachable", tmuxFailureText(rows));
	const pane = paneOfSession(rows.rows, entry);
	return pane === null
		? fail("not-found", `no pane in session ${entry.tmuxSession}`)
		: ok(pane);
}

async function notBegun(
	{ doors }: LocalContext,
	session: string,
	paneId: string,
): Promise<string> {
	const shot = await doors.tmux.capture(paneId, { escapes: false });
	const shown = shot.kind === "ok" ? shot.stdout.trimEnd() : "";
	const tail = shown.split("\n").slice(-TAIL_LINES).join("\n");
	return `the runtime in ${session} did not start; its pane shows:\n${tail}`;
}
