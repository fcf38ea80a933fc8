/** `--self-check`: proof that an installed copy runs where it lies (contract 09 §2.3). */
import { basename } from "node:path";

/** The line to print; null: something else was asked for. `path`: the program's own file. */
export function selfCheck(
	argv: readonly string[],
	path: string,
): string | null {
	return argv[0] === "--self-check" ? `ok ${basename(path)}` : null;
}
