/** The watcher's emit tasks with the idle probe, over a fleet of workers whose panes a test sets as it likes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	type EmitRig,
	emitRig,
	type RigOptions,
	ROOT,
	STATE,
} from "../emit/emit-rig.ts";
import type { FakePane } from "../fakes/tmux-model.ts";
import { FIXTURES } from "../pane/fixtures.ts";
import { type LogEntry, logLines } from "./action-lines.ts";

const CLAUDE = "claude-code/2.1.332-160x45";
/** Screens of a real Claude Code, but for the one that nobody can read. */
const SCREENS = {
	idle: screenOf(`${CLAUDE}/idle-fresh`),
	suggestion: screenOf("panes/input-text-bare-dim-synthetic"),
	busy: screenOf(`${CLAUDE}/busy-streaming`),
	typing: screenOf(`${CLAUDE}/draft-two-lines`),
	permission: screenOf(`${CLAUDE}/permission-bash`),
	question: screenOf(`${CLAUDE}/ask-user-question`),
	limit: screenOf("panes/over-limit-canonical-synthetic"),
	empty: "Loading\n",
} as const;
export type Screen = keyof typeof SCREENS;

function screenOf(name: string): string {
	return readFileSync(join(FIXTURES, `${name}.ansi`), "utf8");
}

export function idleRig(opts: RigOptions = {}) {
	const rig = emitRig({ idle: true, ...opts });
	return { ...rig, rig, ...fleetOf(rig) };
}
export type IdleRig = ReturnType<typeof idleRig>;

function fleetOf(rig: EmitRig) {
	const { tmux, proc, files, clock } = rig;
	const paneOf = (name: string): FakePane => tmux.byName(name).pane;
	const claudeOf = (name: string) => (paneOf(name).pid ?? 0) + 50_000;
	return {
		/** A window of that name with a live Claude in it. */
		worker: (name: string, screen: Screen = "idle") => {
			const { pane } = tmux.window(name);
			Object.assign(pane, { width: 160, height: 45, screen: SCREENS[screen] });
			const startTicks = String((86_400 - 5000) * 100);
			const pid = pane.pid ?? 0;
			proc.add({ pid, comm: "bash", exe: "/bin/bash", startTicks });
			const claude = { pid: claudeOf(name), ppid: pid, startTicks };
			proc.add({ ...claude, comm: "claude", exe: "/opt/claude" });
		},
		show: (name: string, screen: Screen) => {
			paneOf(name).screen = SCREENS[screen];
		},
		/** Its transcript says something new, near the top. */
		speaks: (name: string, words: string) => {
			const [first, , ...rows] = paneOf(name).screen.split("\n");
			paneOf(name).screen = [first, `● ${words}`, ...rows].join("\n");
		},
		/** Its Claude ends; the last frame stays. */
		dies: (name: string) => proc.end(claudeOf(name)),
		/** A shell runs behind its turn, and has used this much of the processor. */
		shell: (name: string, ticks: number) =>
			proc.add({
				pid: claudeOf(name) + 50_000,
				ppid: claudeOf(name),
				comm: "bash",
				exe: "/bin/bash",
				utime: ticks,
			}),
		endShell: (name: string) => proc.end(claudeOf(name) + 50_000),
		close: (name: string) => tmux.model.closeWindow(tmux.byName(name)),
		/** Adds to the action log; ages in seconds. */
		logged: (...entries: readonly LogEntry[]) => {
			const at = entries.map(
				([event, ago, fields]) => [event, clock.now() - ago, fields] as const,
			);
			files.append(join(STATE, "action-log.jsonl"), logLines(at));
		},
		/** Since when the probe knows that the window has nothing to do. */
		engaged: (name: string): number | null => {
			const row = /\t(\d+)$/m.exec(
				(rig.state("engagement-log.tsv") ?? "")
					.split("\n")
					.find((line) => line.startsWith(`${name}\t`)) ?? "",
			);
			return row === null ? null : Number(row[1]);
		},
		/** Sweeps until the workers are older than the threshold, and answers what is staged. */
		sweep: async (seconds = 0): Promise<string> => {
			clock.stall(seconds * 1000);
			await rig.idle();
			return rig.staged("idle_section") ?? "";
		},
		/** A report of its own with a good report file. */
		report: (name: string, text = goodReport()) =>
			files.seed(join(ROOT, "reports", name), text),
	};
}

/** `<window>\t<class>` of staged rows. */
export function classesIn(staged: string): readonly string[] {
	return staged
		.split("\n")
		.slice(0, -1)
		.map((line) => line.split("\t").slice(0, 2).join(" "));
}

export function goodReport(): string {
	const sections = [
		"## Summary",
		"## What Was Done",
		"## Current State",
		"## What Remains",
		"## How to Resume",
	];
	return [
		"---",
		"project: p",
		"date: 2026-05-10",
		"session-id: s",
		"status: completed",
		"---",
		...sections,
		"x".repeat(600),
		"",
	].join("\n");
}
