/** Where root and state are, for verbs that ask nothing else of the configuration (contract 05 §2.3, §2.4). */
import type { Home } from "../_state/home.ts";
import { readSettings } from "../_state/settings.ts";
import { stateDirFromEnv } from "../_state/state-dir.ts";
import type { NgContext } from "./verb.ts";

/**
 * Null: a file that cannot be used might name another root, and nobody else says where; it has been said. Where the
 * environment names the state dir, such a file stands in nobody's way.
 */
export async function placeOf({
	doors,
	codeRoot,
	err,
}: Pick<NgContext, "doors" | "codeRoot" | "err">): Promise<Home | null> {
	const { home, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	const isKnown =
		problems.length === 0 || stateDirFromEnv(doors.proc.env) !== null;
	return isKnown ? home : null;
}
