/** `ng retire-window <window>`: gate, kill, prune, verify (contract 05 §13.4), so that no step is forgotten by hand. */
import { appendEvent } from "../_state/action-log-append.ts";
import { readHeartbeat } from "../_state/heartbeat.ts";
import {
	pruneWindowState,
	stateRefsWindow,
} from "../_state/retire-surfaces.ts";
import { readSettings } from "../_state/settings.ts";
import { readProvenance } from "../_state/window-provenance.ts";
import { parseCli } from "../_sys/cli.ts";
import { programArgv } from "../_sys/names.ts";
import { killWindow, type Presence, presenceOf } from "./retire-window/kill.ts";
import { findUnmanifested } from "./retire-window/scan.ts";
import type { NgContext, NgVerb } from "./verb.ts";

const GATE_LIMIT_MS = 30_000;

export const run: NgVerb = async (args, ctx) => {
	const { doors, codeRoot, out, err } = ctx;
	const cli = parseCli(args, {
		flags: {
			"--reason": "value",
			"--dry-run": "switch",
			"--keep-window": "switch",
			"--assume-absent": "switch",
			"--strict": "switch",
		},
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	const [window] = cli.positionals;
	if (!window) {
		err("retire-window needs a window");
		return 1;
	}
	const { home, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	if (problems.length > 0) return 1;
	const { stateDir } = home;
	const presence = presenceOf(await doors.tmux.panes(), window);
	const isAbsent =
		presence.kind === "absent" ||
		(presence.kind === "could-not-look" && cli.on("--assume-absent"));
	if (presence.kind === "could-not-look" && !isAbsent) {
		err(
			`retire-window: could not look whether ${window} is there (${presence.why}); --assume-absent says that it is not`,
		);
		return 1;
	}
	const gate = await askGate(ctx, window, isAbsent);
	if (gate !== 0) return gate;
	const keeps = cli.on("--keep-window");
	if (cli.on("--dry-run")) {
		const found = stateRefsWindow(doors.files, stateDir, window);
		const kill = presence.kind === "present" && !keeps ? 1 : 0;
		out(
			`retire-window: window=${window} would_kill=${kill} would_prune=${found.length}`,
		);
		for (const path of found) out(`  ${path}`);
		return 0;
	}
	// Told to the log, and gone with the files that say it.
	const memory = rememberedOf(ctx, stateDir, window, presence);
	if (presence.kind === "present" && !keeps) {
		const left = await killWindow(doors.tmux, presence.row);
		if (left !== null) {
			err(
				`retire-window: ${window} was not killed: ${left}; nothing was pruned`,
			);
			return 1;
		}
	}
	pruneWindowState(doors.files, stateDir, window);
	const left = stateRefsWindow(doors.files, stateDir, window);
	if (!keeps) logClose(ctx, stateDir, window, memory, cli.value("--reason"));
	for (const path of left) err(`retire-window: left over: ${path}`);
	const unmanifested = findUnmanifested(doors.files, stateDir, window);
	for (const path of unmanifested)
		err(`retire-window: not on the list, kept: ${path}`);
	const killed = presence.kind === "present" && !keeps ? 1 : 0;
	out(
		`retire-window: window=${window} killed=${killed} leftovers=${left.length} unmanifested=${unmanifested.length}`,
	);
	const isStrict = cli.on("--strict") && unmanifested.length > 0;
	return left.length > 0 || isStrict ? 1 : 0;
};

/** The exit code of `retire-preflight`; only 0 authorises. What it says goes to stderr: stdout carries our result. */
async function askGate(
	{ doors, codeRoot, err }: NgContext,
	window: string,
	isAbsent: boolean,
): Promise<number> {
	const { proc } = doors;
	const stated = isAbsent ? ["--pane-state", "absent"] : [];
	const words = [...stated, "--", window];
	const argv = programArgv(proc.execPath, "retirePreflight", words, codeRoot);
	const done = await proc.exec(argv, { timeoutMs: GATE_LIMIT_MS });
	if (done.kind !== "exited") {
		err(`retire-window: the gate did not answer (${done.kind})`);
		return 1;
	}
	const said = `${done.stderr}${done.stdout}`.trimEnd();
	if (said !== "") err(said);
	if (done.rc !== 0) return done.rc;
	return done.stdout.startsWith("safe=1 ") ? 0 : 1;
}

interface Memory {
	readonly workdir: string | null;
	readonly sessionId: string | null;
}

function rememberedOf(
	{ doors }: NgContext,
	stateDir: string,
	window: string,
	presence: Presence,
): Memory {
	const { files, proc } = doors;
	const made = readProvenance(files, stateDir, window);
	// A session changes its id at /clear; the hooks tell the new one.
	const beat = readHeartbeat(files, stateDir, window);
	const pid = presence.kind === "present" ? presence.row.panePid : null;
	const cwd = pid === null ? null : proc.cwd(pid);
	return {
		workdir: made?.workdir || (cwd?.kind === "ok" ? cwd.value : null),
		sessionId: beat?.sessionId ?? (made?.sessionId || null),
	};
}

function logClose(
	{ doors, err }: NgContext,
	stateDir: string,
	window: string,
	{ workdir, sessionId }: Memory,
	reason: string | undefined,
): void {
	const known: [string, string | null | undefined][] = [
		["window", window],
		["reason", reason],
		["workdir", workdir],
		["session-id", sessionId],
	];
	const logged = appendEvent(doors, stateDir, {
		agent: "monitor",
		event: "window-close",
		extras: known.flatMap(([key, value]) =>
			value ? [[key, value] as const] : [],
		),
	});
	if (logged.kind === "failed") err(`action log: ${logged.reason}`);
}
