/** Which `claude` is started (contract 06 §11.2). */
import { join } from "node:path";
import type { Files, Proc } from "./doors.ts";
import { programName } from "./names.ts";

export type ClaudeBin =
	| { readonly kind: "ok"; readonly path: string }
	/** Callers print `message` and exit 1. */
	| { readonly kind: "missing"; readonly message: string };

/** `$CLAUDE_BIN`, then the project's own install, then PATH; each only if it can be executed. */
export function resolveClaudeBin(
	doors: {
		readonly files: Pick<Files, "stat">;
		readonly proc: Pick<Proc, "env" | "which">;
	},
	root: string,
): ClaudeBin {
	const chosen = doors.proc.env.CLAUDE_BIN ?? "";
	const local = join(root, "node_modules/.bin/claude");
	const candidates = chosen === "" ? [local] : [chosen, local];
	for (const path of candidates)
		if (isExecutable(doors.files, path)) return { kind: "ok", path };
	const onPath = doors.proc.which("claude");
	if (onPath !== null) return { kind: "ok", path: onPath };
	const tried = [...candidates, "claude on PATH"].join(", ");
	return {
		kind: "missing",
		message: `no claude to start: tried ${tried}; install it with ${programName("installClaude")}`,
	};
}

function isExecutable(files: Pick<Files, "stat">, path: string): boolean {
	const looked = files.stat(path);
	return (
		looked.kind === "ok" &&
		looked.stat.kind === "file" &&
		(looked.stat.mode & 0o111) !== 0
	);
}
