/** What a simulated session shows to whoever does not look at its screen: its process, and its session file (contract 00 C6). */
import type { FakeDoors } from "../tests/fakes/doors.ts";
import type { FakePane } from "../tests/fakes/tmux-model.ts";
import type { Dialog } from "../tests/unstick/fake-claude.ts";
import type { ClaudeParts } from "./claude-types.ts";

export const CLAUDE_HOME = "/home/op/.claude";

/** What a process that starts now has in `/proc/<pid>/stat` as its start. */
function ticksNow({ clock, proc }: FakeDoors): string {
	const upSeconds = clock.nowMs() / 1000 - (proc.bootTime() ?? 0);
	return String(Math.floor(upSeconds * proc.ticksPerSecond()));
}

/** Begins its process, below the shell of its pane; when that was, in ticks. */
export function runsIn(
	pane: FakePane,
	{ doors, pid, wiring }: ClaudeParts,
): string {
	const { proc } = doors;
	const startTicks = ticksNow(doors);
	const shell = pane.pid ?? 0;
	proc.add({ pid: shell, comm: "bash", exe: "/bin/bash" });
	proc.add({
		pid,
		ppid: shell,
		comm: "claude",
		exe: "/opt/claude",
		startTicks,
		cwd: "/nexus",
		environ: { CLAUDE_CONFIG_DIR: CLAUDE_HOME, ...wiring.env },
	});
	return startTicks;
}

/** The text of `sessions/<pid>.json`. */
export function sessionText(facts: {
	readonly pid: number;
	readonly sessionId: string;
	readonly startTicks: string;
	readonly status: string;
	readonly dialog: Dialog | null;
}): string {
	const { pid, sessionId, startTicks, status, dialog } = facts;
	return JSON.stringify({
		pid,
		sessionId,
		procStart: startTicks,
		kind: "interactive",
		version: "2.1.332",
		status,
		cwd: "/nexus",
		...(dialog !== null && { waitingFor: waitingFor(dialog) }),
	});
}

function waitingFor(dialog: Dialog): string {
	return dialog.kind === "question" ? "input needed" : "permission prompt";
}
