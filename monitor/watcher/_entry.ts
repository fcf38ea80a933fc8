/**
 * What `./nexus` does without a verb (contract 01 §18): checks where it stands, brings everything up, waits for it and
 * becomes the cockpit. It never starts claude itself: that is recovery's and the watcher's business.
 */
import { ccHomes, transcriptsOf } from "../_delivery/transcript.ts";
import { otherCockpit } from "../_liveness/cockpit-process.ts";
import { passSandboxGate } from "../_liveness/pass-sandbox-gate.ts";
import { preflight } from "../_liveness/preflight.ts";
import { writeBootIntent } from "../_state/boot-intent.ts";
import type { Home } from "../_state/home.ts";
import {
	orchestratorSessionIdPath,
	readPin,
} from "../_state/orchestrator-session-id.ts";
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import { type ProgramName, programArgv, programName } from "../_sys/names.ts";
import { decideEntry, type EntryFacts } from "./_entry/decide.ts";

export interface EntryArgs {
	readonly continueFlag: boolean;
	readonly acceptNoSandbox: boolean;
	/** A person has the terminal: the cockpit takes it, and the window gets the cockpit's name. */
	readonly isInteractive: boolean;
}

/** 0 started (or shown), 2 not from here, 3 another instance; a watcher that does not come up is told, not fatal. */
export async function enter(
	doors: Doors,
	{ home, config, problems }: Settings,
	args: EntryArgs,
): Promise<number> {
	const { log } = doors;
	if (problems.length > 0) {
		for (const line of problems) log.warn(line);
		return 2;
	}
	// A fresh clone has none, and what the operator accepts is remembered there.
	doors.files.mkdir(home.stateDir);
	const plan = decideEntry(
		await gatherEntry(doors, home, args, config["monitor.target_window"]),
	);
	if (plan.kind === "refuse") {
		log.warn(plan.line);
		return plan.exit;
	}
	for (const line of plan.lines) log.info(line);
	if (plan.archivePin) archivePin(doors, home.stateDir);
	if (plan.intent !== null)
		writeBootIntent(doors.files, home.stateDir, {
			mode: plan.intent,
			ts: doors.clock.now(),
			source: "entry",
			pid: doors.proc.pid,
		});
	const refusal = preflight(
		doors,
		home,
		config["monitor.instance_heartbeat_staleness_seconds"],
	);
	if (refusal.length > 0) {
		for (const line of refusal) log.warn(line);
		return 3;
	}
	// There is nothing to wait for after a start that was refused.
	if (await runStep(doors, home, "svc", ["up"]))
		await runStep(doors, home, "verifyStack", []);
	if (args.isInteractive) {
		const elsewhere = await cockpitElsewhere(doors, home);
		if (elsewhere !== null) {
			log.info(elsewhere);
			return 0;
		}
	}
	const show = () =>
		doors.proc.foreground(
			programArgv(doors.proc.execPath, "svc", [], home.codeRoot),
		);
	const { windowId, windowName } = plan;
	const name = config["monitor.services_window"];
	const shown = args.isInteractive
		? await named(doors, { windowId, from: windowName, to: name }, show)
		: await show();
	return shown === null ? 1 : 0;
}

/** The window bears the cockpit's name while it shows it; a shell that goes on under it would pass for one of the house's. */
async function named<T>(
	{ tmux }: Pick<Doors, "tmux">,
	w: { readonly windowId: string; readonly from: string; readonly to: string },
	act: () => Promise<T>,
): Promise<T> {
	const target = w.windowId;
	const name = "automatic-rename";
	const own = await tmux.run({ kind: "show-option", target, name });
	await tmux.run({ kind: "rename-window", target, name: w.to });
	const result = await act();
	const now = await tmux.panes();
	const row = now.kind === "ok" && now.rows.find((r) => r.windowId === target);
	if (!row || row.windowName !== w.to) return result;
	await tmux.run({ kind: "rename-window", target, name: w.from });
	// A name that tmux gave by itself it gives again; a rename has turned that off.
	if (own.kind === "ok" && own.stdout.trim() === "")
		await tmux.run({ kind: "unset-option", target, name });
	return result;
}

/** Where one runs already, as a line; null: nowhere, as far as can be told. */
async function cockpitElsewhere(
	{ tmux, proc }: Doors,
	{ codeRoot }: Home,
): Promise<string | null> {
	const listed = await tmux.panes();
	const rows = listed.kind === "ok" ? listed.rows : [];
	const other = otherCockpit(proc, rows, codeRoot);
	return (
		other &&
		`the cockpit runs in window '${other.window}' already (pid ${other.pid})`
	);
}

async function gatherEntry(
	doors: Doors,
	home: Home,
	args: EntryArgs,
	target: string,
): Promise<EntryFacts> {
	const { files, proc } = doors;
	const inTmux = Boolean(proc.env.TMUX);
	const sandboxPassed =
		inTmux &&
		passSandboxGate(doors, home.stateDir, args.acceptNoSandbox, "entry");
	const panes = sandboxPassed ? await doors.tmux.panes() : null;
	const pin = readPin(files, home.stateDir);
	const transcripts =
		pin === null ? [] : transcriptsOf(files, ccHomes(proc.env), pin);
	return {
		continueFlag: args.continueFlag,
		inTmux,
		sandboxPassed,
		paneId: proc.env.TMUX_PANE,
		rows: panes?.kind === "ok" ? panes.rows : null,
		target,
		pin,
		pinFileThere:
			files.lstat(orchestratorSessionIdPath(home.stateDir)).kind === "ok",
		pinResolves: transcripts === null ? null : transcripts.length > 0,
	};
}

/** Never deleted: an operator may want that session back. */
function archivePin(
	doors: Pick<Doors, "files" | "clock" | "log">,
	stateDir: string,
): void {
	const path = orchestratorSessionIdPath(stateDir);
	const archived = `${path}.archived.${doors.clock.now()}`;
	const moved = doors.files.rename(path, archived);
	doors.log.info(
		moved.kind === "ok"
			? `starting fresh; the last session id is kept in ${archived}`
			: `the last session id could not be set aside: ${moved.reason}`,
	);
}

/** A step that fails is told and the rest goes on: the status at the end shows what is missing. */
async function runStep(
	doors: Doors,
	home: Home,
	program: ProgramName,
	args: readonly string[],
): Promise<boolean> {
	const rc = await doors.proc.foreground(
		programArgv(doors.proc.execPath, program, args, home.codeRoot),
	);
	if (rc !== 0)
		doors.log.warn(
			`${[programName(program), ...args].join(" ")} ended with ${rc ?? "no exit code"}; going on`,
		);
	return rc === 0;
}
