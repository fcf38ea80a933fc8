/** The labelled captures, and how a capture alone is judged. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { captureWitness } from "../../monitor/_pane/gather.ts";
import { NO_HEARTBEAT } from "../../monitor/_pane/heartbeat.ts";
import { NO_SHELLS } from "../../monitor/_pane/process.ts";
import { judgePane, type PaneReport } from "../../monitor/_pane/report.ts";
import { NO_SESSION } from "../../monitor/_pane/session.ts";
import { NO_STAMP } from "../../monitor/_pane/stamp.ts";
import type { Witnesses } from "../../monitor/_pane/witnesses.ts";

export const FIXTURES = resolve(import.meta.dir, "../fixtures");

export interface Expected {
	readonly state: string;
	/** Further states that count as right. */
	readonly also?: readonly string[];
	readonly keys: Readonly<Record<string, string>>;
	/** What Claude Code's own session file said, for people; null = there was none. */
	readonly session_status?: string | null;
	readonly waiting_for?: string | null;
}

/** `file → what the screen alone must say` of one set. */
export function expectations(
	set: "claude-code" | "panes",
): readonly (readonly [file: string, expected: Expected])[] {
	const path = join(FIXTURES, set, "expected.json");
	return Object.entries(JSON.parse(readFileSync(path, "utf8")));
}

export function capture(set: "claude-code" | "panes", file: string): string {
	return readFileSync(join(FIXTURES, set, file), "utf8");
}

export const NOW = 2_000_000_000;

/** A pane of which only the screen is known, as `--fixture` has it. */
export function screenOnly(
	text: string,
	more: Partial<Witnesses> = {},
): Witnesses {
	return {
		now: NOW,
		paneDead: false,
		process: { kind: "none" },
		shells: NO_SHELLS,
		session: NO_SESSION,
		heartbeat: NO_HEARTBEAT,
		stamp: NO_STAMP,
		capture: captureWitness(text),
		bootGraceSeconds: 90,
		...more,
	};
}

export function judgeScreen(
	text: string,
	more: Partial<Witnesses> = {},
): PaneReport {
	const target = { active: false, window: 0, name: "w" };
	return judgePane(target, screenOnly(text, more));
}
