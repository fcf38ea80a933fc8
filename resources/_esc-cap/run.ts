/** `esc-cap`: may this escalation be sent? (contract 09 §14.1). */
import { join } from "node:path";
import {
	bumpCap,
	capDir,
	clearCap,
	countCap,
	pruneCaps,
	seenCap,
	UNAVAILABLE,
} from "../../monitor/_state/fleet/esc-cap.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { plainGitEnv } from "../../monitor/_sys/git-env.ts";
import { type CapRequest, parseCapRequest, USAGE } from "./args.ts";

export interface CapAnswer {
	readonly exitCode: 0 | 1 | 2;
	readonly out?: string;
	readonly err?: string;
}

/** `bump` always ends with 0: its line is the answer, and an agent that reads an exit code might send all the same. */
export async function runCap(
	doors: Pick<Doors, "files" | "proc" | "clock">,
	argv: readonly string[],
	cwd: string,
): Promise<CapAnswer> {
	const { files } = doors;
	const asked = parseCapRequest(argv);
	if (asked.verb === "help") return { exitCode: 0, out: USAGE };
	if (asked.verb === "refused")
		return { exitCode: 2, err: `esc-cap: ${asked.why}\n${USAGE}` };
	if (asked.verb === "key") return { exitCode: 0, out: asked.key };

	const thrumDir = await capThrumDir(doors, cwd);
	const dir = thrumDir === null ? null : capDir(thrumDir, asked.watcher);
	if (asked.verb === "bump")
		return {
			exitCode: 0,
			out: dir === null ? UNAVAILABLE : bumpCap(files, dir, asked.key),
		};
	if (dir === null) return unavailable;
	if (asked.verb === "count") {
		const count = countCap(files, dir, asked.key);
		return count === null ? unavailable : { exitCode: 0, out: String(count) };
	}
	const done = change(doors, dir, asked);
	return done ? { exitCode: 0 } : unavailable;
}

function change(
	{ files, clock }: Pick<Doors, "files" | "clock">,
	dir: string,
	asked: Extract<CapRequest, { verb: "seen" | "clear" | "prune" }>,
): boolean {
	switch (asked.verb) {
		case "prune":
			return pruneCaps(files, clock, dir);
		case "seen":
			return seenCap(files, dir, asked.key);
		case "clear":
			return clearCap(files, dir, asked.key);
	}
}

const unavailable: CapAnswer = { exitCode: 1, err: UNAVAILABLE };

/** Null: none that is absolute. A relative path would start a stray tree somewhere, with all counts at 0. */
async function capThrumDir(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	cwd: string,
): Promise<string | null> {
	const read = files.read(join(cwd, ".thrum/redirect"), 64 * 1024);
	if (read.kind === "unreadable") return null;
	if (read.kind === "ok") return absolute(read.text.replace(/\n+$/, ""));
	const git = await proc.exec(["git", "rev-parse", "--show-toplevel"], {
		timeoutMs: 10_000,
		cwd,
		env: plainGitEnv(proc.env),
	});
	const top = git.kind === "exited" && git.rc === 0 ? git.stdout.trim() : "";
	return top === "" ? null : absolute(join(top, ".thrum"));
}

function absolute(path: string): string | null {
	return path.startsWith("/") ? path : null;
}
