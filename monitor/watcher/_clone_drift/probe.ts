/** Looks at the clone and at its remote; fetches and changes nothing (contract 06 §10). */
import type { Doors } from "../../_sys/doors.ts";
import { plainGitEnv } from "../../_sys/git-env.ts";
import type { CloneVerdict } from "./decide.ts";

export interface CloneProbe {
	readonly doors: Pick<Doors, "proc">;
	/** The clone that runs. */
	readonly dir: string;
	readonly branch: string;
	/** Of one git call, seconds. */
	readonly timeoutSeconds: number;
	readonly signal: AbortSignal;
	/** Asks GitHub how far the branch is ahead; null: it could not say. */
	readonly compare: (
		head: string,
		originUrl: string,
	) => Promise<{
		readonly aheadBy: number;
		readonly oldestAt: number | null;
	} | null>;
}

/**
 * The tip comes from the remote itself, never from a remote-tracking ref, which answers about the past. Null: the run
 * was ended.
 */
export async function probeClone(p: CloneProbe): Promise<CloneVerdict | null> {
	const verdict = await look(p);
	return p.signal.aborted ? null : verdict;
}

async function look(p: CloneProbe): Promise<CloneVerdict> {
	const isClone = (await git(p, "rev-parse", "--git-dir")).rc === 0;
	if (!isClone) return { kind: "unknown", reason: "not_a_git_repo" };
	const head = sha((await git(p, "rev-parse", "--verify", "HEAD")).out);
	if (head === null) return { kind: "unknown", reason: "no_local_head" };
	const asked = await git(p, "ls-remote", "origin", `refs/heads/${p.branch}`);
	const tip = asked.rc === 0 ? sha(asked.out.split("\t", 1)[0] ?? "") : null;
	if (tip === null)
		return {
			kind: "unknown",
			reason: "remote_tip_unresolved",
			...(asked.rc === 0 && asked.out === "" && { isMissing: true }),
		};
	if (head === tip) return { kind: "up-to-date" };
	const isHere = (await git(p, "cat-file", "-e", `${tip}^{commit}`)).rc === 0;
	return isHere ? lookHere(p, head, tip) : askRemote(p, head, tip);
}

/** The tip's object is in the clone: git can count. */
async function lookHere(
	p: CloneProbe,
	head: string,
	tip: string,
): Promise<CloneVerdict> {
	const ancestor = await git(p, "merge-base", "--is-ancestor", tip, head);
	if (ancestor.rc === 0) return { kind: "up-to-date" };
	const listed = await git(p, "log", "--format=%ct", `${head}..${tip}`);
	const dates = listed.out.split("\n").filter((line) => /^\d+$/.test(line));
	const known = listed.rc === 0;
	if (known && dates.length === 0) return { kind: "up-to-date" };
	return {
		kind: "behind",
		head,
		tip,
		commits: known ? dates.length : null,
		oldestAt: known ? Math.min(...dates.map(Number)) : null,
	};
}

async function askRemote(
	p: CloneProbe,
	head: string,
	tip: string,
): Promise<CloneVerdict> {
	const url = (await git(p, "remote", "get-url", "origin")).out.trim();
	const said = await p.compare(head, url);
	if (said?.aheadBy === 0) return { kind: "up-to-date" };
	return {
		kind: "behind",
		head,
		tip,
		commits: said?.aheadBy ?? null,
		oldestAt: said?.oldestAt ?? null,
	};
}

async function git(
	{ doors, dir, timeoutSeconds, signal }: CloneProbe,
	...args: readonly string[]
): Promise<{ readonly rc: number; readonly out: string }> {
	const { proc } = doors;
	const ran = await proc.exec(["git", "--no-optional-locks", ...args], {
		cwd: dir,
		env: plainGitEnv(proc.env),
		timeoutMs: timeoutSeconds * 1000,
		signal,
	});
	return ran.kind === "exited"
		? { rc: ran.rc, out: ran.stdout }
		: { rc: 1, out: "" };
}

function sha(text: string): string | null {
	return /^[0-9a-f]{40}([0-9a-f]{24})?$/.exec(text.trim())?.[0] ?? null;
}
