/** What a clone's remote has now: asked of the remote itself, because a tracking ref answers about the past. */
import type { Proc } from "./doors.ts";
import { excerpt } from "./excerpt.ts";
import { plainGitEnv } from "./git-env.ts";

export type RemoteBranch =
	| { readonly kind: "there" }
	/** The remote answered and has no branch of that name. `head`: the one that it gives to who clones it. */
	| { readonly kind: "missing"; readonly head: string | null }
	| { readonly kind: "no-clone" }
	/** Could not look. */
	| { readonly kind: "unknown"; readonly why: string };

const LOCAL_MS = 5000;

/** Does `origin` of the clone in `dir` have this branch? Reads only; `timeoutMs` for the call over the network. */
export async function lookForRemoteBranch(
	proc: Pick<Proc, "exec" | "env">,
	dir: string,
	branch: string,
	timeoutMs: number,
): Promise<RemoteBranch> {
	const git = (limit: number, ...args: readonly string[]) =>
		proc.exec(["git", "--no-optional-locks", ...args], {
			cwd: dir,
			env: plainGitEnv(proc.env),
			timeoutMs: limit,
		});
	const inside = await git(LOCAL_MS, "rev-parse", "--git-dir");
	if (inside.kind === "exited" && inside.rc !== 0) return { kind: "no-clone" };
	const ref = `refs/heads/${branch}`;
	const asked = await git(
		timeoutMs,
		...["ls-remote", "--symref", "origin", "HEAD", ref],
	);
	if (asked.kind !== "exited") return { kind: "unknown", why: asked.kind };
	if (asked.rc !== 0)
		return { kind: "unknown", why: firstLine(asked.stderr) || "git failed" };
	const lines = asked.stdout.split("\n");
	if (lines.some((line) => line.endsWith(`\t${ref}`))) return { kind: "there" };
	const head = lines
		.map((line) => /^ref: refs\/heads\/(\S+)\tHEAD$/.exec(line)?.[1])
		.find((name) => name !== undefined);
	return { kind: "missing", head: head ?? null };
}

function firstLine(text: string): string {
	return excerpt(text.trim().split("\n", 1)[0] ?? "");
}
