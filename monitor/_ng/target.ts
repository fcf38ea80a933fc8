/** The repository a verb is about: gathers what `resolveRepo` decides on. */
import {
	type Origin,
	repoOfRemote,
	resolveRepo,
} from "../_github/target-repo.ts";
import { sameRepo } from "../_state/emit-block-target.ts";
import type { Doors } from "../_sys/doors.ts";
import { plainGitEnv } from "../_sys/git-env.ts";
import type { NgHub } from "./hub.ts";
import { callerFolder } from "./reports-dir.ts";
import type { NgContext } from "./verb.ts";

const GIT_LIMIT_MS = 5000;

/** Null: refused, and said why. */
export async function targetRepo(
	mode: "read" | "write",
	given: string | undefined,
	hub: Pick<NgHub, "home" | "gitHub" | "settings">,
	{ doors, err }: Pick<NgContext, "doors" | "err">,
): Promise<string | null> {
	const choice = resolveRepo(mode, {
		given: given ?? null,
		home: hub.home,
		origin: given === undefined ? await callersOrigin(hub, doors) : NOWHERE,
	});
	if (choice.kind === "refused") {
		err(choice.message);
		return null;
	}
	if (choice.note !== null) err(choice.note);
	return choice.repo;
}

const NOWHERE: Origin = { kind: "looked", repo: null };

/**
 * Where the clone that the caller works on came from. Nobody works on the checkout that holds the nexus itself: it is
 * where the orchestrator stands, who means the home repository. A worker's clone of the same code is one of its own.
 */
async function callersOrigin(
	{ home, gitHub, settings }: Pick<NgHub, "home" | "gitHub" | "settings">,
	doors: Pick<Doors, "proc" | "files">,
): Promise<Origin> {
	const origin = await cloneOrigin(doors, gitHub.place.webOrigin);
	if (origin.kind !== "looked" || origin.repo === null) return origin;
	if (home !== null && sameRepo(origin.repo, home)) return origin;
	const top = await cloneTop(doors);
	const { root, codeRoot } = settings.home;
	const own = [root, codeRoot].map((dir) => doors.files.realpath(dir) ?? dir);
	return top !== null && own.includes(top) ? NOWHERE : origin;
}

/** The folder of the clone that the caller stands in; null: none, or nobody can tell. */
async function cloneTop({
	proc,
	files,
}: Pick<Doors, "proc" | "files">): Promise<string | null> {
	const ran = await proc.exec(
		["git", "-C", callerFolder({ proc }), "rev-parse", "--show-toplevel"],
		{ timeoutMs: GIT_LIMIT_MS, env: plainGitEnv(proc.env) },
	);
	const isTold = ran.kind === "exited" && ran.rc === 0;
	return isTold ? files.realpath(ran.stdout.trim()) : null;
}

/** Where the clone that the caller stands in came from. */
export async function cloneOrigin(
	doors: Pick<Doors, "proc">,
	webOrigin: string,
	folder = callerFolder(doors),
): Promise<Origin> {
	const { proc } = doors;
	const ran = await proc.exec(
		["git", "-C", folder, "remote", "get-url", "origin"],
		{ timeoutMs: GIT_LIMIT_MS, env: plainGitEnv(proc.env) },
	);
	if (ran.kind === "not-found") return NOWHERE;
	if (ran.kind !== "exited")
		return { kind: "could-not-look", reason: ran.kind };
	if (ran.rc === 0) {
		const url = ran.stdout.trim();
		return { kind: "looked", repo: repoOfRemote(url, webOrigin) };
	}
	const says = ran.stderr.trim().split("\n").at(0) ?? "";
	return /not a git repository|no such remote/i.test(says)
		? NOWHERE
		: { kind: "could-not-look", reason: `git: ${says || `exit ${ran.rc}`}` };
}
