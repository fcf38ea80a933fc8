/** Keeps a capture as a fixture, with its label. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FIXTURES } from "../pane/fixtures.ts";
import type { Outcome } from "./play.ts";

const SET = join(FIXTURES, "claude-code");

/** Writes `<version>-<size>/<scene>.ansi` and its entry in `expected.json`; the label is the scene's, never the reader's. */
export async function saveCapture(outcome: Outcome): Promise<void> {
	if (outcome.kind === "unreached") return;
	const file = `${outcome.version}-${outcome.size}/${outcome.scene}.ansi`;
	mkdirSync(dirname(join(SET, file)), { recursive: true });
	writeFileSync(join(SET, file), outcome.capture);
	const path = join(SET, "expected.json");
	const all = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
	const [state, ...also] = outcome.want.want;
	all[file] = {
		...(also.length > 0 ? { also } : {}),
		keys: outcome.want.keys ?? {},
		session: outcome.session,
		state,
	};
	const sorted = Object.fromEntries(
		Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)),
	);
	writeFileSync(path, `${JSON.stringify(sorted, null, "\t")}\n`);
}
