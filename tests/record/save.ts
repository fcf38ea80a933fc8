/** Keeps a capture as a fixture, with its label. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Expected, FIXTURES } from "../pane/fixtures.ts";
import type { Outcome } from "./play.ts";
import { IDLE } from "./scene.ts";

const SET = join(FIXTURES, "claude-code");

/**
 * Writes `<version>-<size>/<scene>.ansi` and its entry in `expected.json`. The label comes from the
 * scene or from Claude Code's own session file, never from the reader.
 */
export async function saveCapture(outcome: Outcome): Promise<void> {
	if (outcome.kind === "unreached") return;
	const file = `${outcome.version}-${outcome.size}/${outcome.scene}.ansi`;
	mkdirSync(dirname(join(SET, file)), { recursive: true });
	writeFileSync(join(SET, file), withoutTempName(outcome.capture));
	const path = join(SET, "expected.json");
	const all: Record<string, Expected> = JSON.parse(readFileSync(path, "utf8"));
	all[file] = labelOf(outcome);
	const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
	const text = JSON.stringify(Object.fromEntries(sorted), null, "\t");
	writeFileSync(path, `${text}\n`);
}

type Reached = Exclude<Outcome, { kind: "unreached" }>;

function labelOf({ want, session }: Reached): Expected {
	const [status = "", waitingFor = null] = session.split("/");
	const isSilent = want.bySession && status === "idle";
	const states = isSilent ? [...want.want, ...IDLE] : want.want;
	const [state = "", ...also] = states;
	return {
		state,
		...(also.length > 0 ? { also } : {}),
		keys: want.keys ?? {},
		session_status: status === "-" ? null : status,
		waiting_for: waitingFor,
	};
}

/** The test server's folder has a random name, of which a fixture need not tell. */
function withoutTempName(capture: string): string {
	return capture.replace(/nexus-test-\w{6}/g, "nexus-test-000000");
}
