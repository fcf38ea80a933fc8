/** The command line of `roster-watch`, and from where it refuses to run (contract 09 §12.1). Pure. */
import { basename } from "node:path";
import { programName } from "../../monitor/_sys/names.ts";

const USAGE =
	"usage: roster-watch.ts (an installed copy; AGENT_NAME, or the name of its worktree, says whose roster)";

export interface End {
	readonly exitCode: 0 | 1 | 2;
	readonly out: readonly string[];
	readonly err: readonly string[];
}
export type Request =
	| { readonly kind: "pass" }
	| { readonly kind: "end"; readonly end: End };

/** `ownDir` is where the program lies; an end carries its exit code and lines. */
export function readRequest(argv: readonly string[], ownDir: string): Request {
	const [first, ...more] = argv;
	if (first === "-h" || first === "--help") return end(0, [USAGE]);
	// Kept for old callers: captures are kept on purpose.
	if (first === "--prune-roster-captures")
		return more.length === 1 ? end(0) : end(2, [], [USAGE]);
	if (first !== undefined) return end(2, [], [USAGE]);
	// In the source tree it would take the wrong agent's name, and write beside the programs.
	if (basename(ownDir) === "resources")
		return end(
			1,
			[],
			[
				`roster-watch: refused: ${ownDir} is the source; install a copy with ${programName("installKit")} roster-watch <worktree>/.thrum-watch`,
			],
		);
	return { kind: "pass" };
}

function end(
	exitCode: 0 | 1 | 2,
	out: readonly string[] = [],
	err: readonly string[] = [],
): Request {
	return { kind: "end", end: { exitCode, out, err } };
}
