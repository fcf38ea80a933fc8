/** The `pane-state` program on fake doors: fixtures are the real files, everything else is made up. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseLine } from "../../monitor/_pane/line.ts";
import { DEFAULT_SETTINGS } from "../../monitor/_pane/settings.ts";
import {
	type Answer,
	answerRequest,
} from "../../monitor/_pane-state/answer.ts";
import { parseRequest } from "../../monitor/_pane-state/request.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { FIXTURES, NOW } from "./fixtures.ts";

export const STATE = "/state";
export const HEARTBEAT = `${STATE}/heartbeat/w.json`;
export const STAMP = `${STATE}/over-limit/w.json`;
export const SESSION_FILE = "/session.json";

export interface Given {
	/** File below tests/fixtures, without `.ansi`. */
	readonly screen?: string;
	/** The capture itself. */
	readonly capture?: string;
	readonly heartbeat?: object | string;
	readonly stamp?: object;
	readonly session?: object | string;
	readonly flags?: readonly string[];
	readonly bootGrace?: number;
}

export const IDLE = "panes/idle-empty-synthetic";
export const TYPED = "panes/user-typing-synthetic";
export const PERMISSION = "panes/blocked-permission-synthetic";
export const MID_RENDER = "panes/busy-mid-render-no-chevron-synthetic";

/** A session file of Claude Code with these fields on top. */
export function session(fields: object): object {
	return {
		pid: 4821,
		sessionId: "session-a",
		procStart: "188259",
		kind: "interactive",
		version: "2.1.332",
		...fields,
	};
}

export function text(value: object | string): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}

export function readFixture(name: string): string {
	return readFileSync(join(FIXTURES, `${name}.ansi`), "utf8");
}

/** `pane-state --fixture <screen> --name w --now NOW <flags>` over the given files. */
export async function runFixture(given: Given): Promise<{
	readonly answer: Answer;
	readonly line: string;
	readonly doors: FakeDoors;
	get(key: string): string | null;
}> {
	const doors = fakeDoors({ now: NOW });
	const { files } = doors;
	files.seed(
		"/screen.ansi",
		given.capture ?? readFixture(given.screen ?? IDLE),
	);
	if (given.heartbeat !== undefined)
		files.seed(HEARTBEAT, text(given.heartbeat));
	if (given.stamp !== undefined) files.seed(STAMP, text(given.stamp));
	if (given.session !== undefined)
		files.seed(SESSION_FILE, text(given.session));
	const answer = await run(
		[
			...["--fixture", "/screen.ansi", "--name", "w", "--now", String(NOW)],
			...(given.session === undefined ? [] : ["--session-file", SESSION_FILE]),
			...(given.flags ?? []),
		],
		doors,
		given.bootGrace,
	);
	const line = answer.out[0] ?? "";
	const reading = parseLine(line);
	return { answer, line, doors, get: (key) => reading?.get(key) ?? null };
}

export function run(
	argv: readonly string[],
	doors: FakeDoors,
	bootGrace = 90,
): Promise<Answer> {
	const settings = { ...DEFAULT_SETTINGS, bootGrace };
	return answerRequest(parseRequest(argv), async () => ({
		doors,
		stateDir: STATE,
		settings,
	}));
}
