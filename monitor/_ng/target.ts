/** The repository a verb is about: gathers what `resolveRepo` decides on. */
import {
	type Origin,
	repoOfRemote,
	resolveRepo,
} from "../_github/target-repo.ts";
import type { Doors } from "../_sys/doors.ts";
import type { NgHub } from "./hub.ts";
import { callerFolder } from "./reports-dir.ts";
import type { NgContext } from "./verb.ts";

const GIT_LIMIT_MS = 5000;

/** Null: refused, and said why. */
export async function targetRepo(
	mode: "read" | "write",
	given: string | undefined,
	hub: Pick<NgHub, "home" | "gitHub">,
	{ doors, err }: Pick<NgContext, "doors" | "err">,
): Promise<string | null> {
	const choice = resolveRepo(mode, {
		given: given ?? null,
		home: hub.home,
		origin:
			given === undefined
				? await cloneOrigin(doors, hub.gitHub.place.webOrigin)
				: { kind: "looked", repo: null },
	});
	if (choice.kind === "refused") {
		err(choice.message);
		return null;
	}
	if (choice.note !== null) err(choice.note);
	return choice.repo;
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
		{ timeoutMs: GIT_LIMIT_MS, env: inEnglish(proc.env) },
	);
	if (ran.kind === "not-found") return { kind: "looked", repo: null };
	if (ran.kind !== "exited")
		return { kind: "could-not-look", reason: ran.kind };
	if (ran.rc === 0) {
		const url = ran.stdout.trim();
		return { kind: "looked", repo: repoOfRemote(url, webOrigin) };
	}
	const says = ran.stderr.trim().split("\n").at(0) ?? "";
	return /not a git repository|no such remote/i.test(says)
		? { kind: "looked", repo: null }
		: { kind: "could-not-look", reason: `git: ${says || `exit ${ran.rc}`}` };
}

/** What git says is read here. */
function inEnglish(
	env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
	const given = Object.entries(env).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, value] as const],
	);
	return { ...Object.fromEntries(given), LC_ALL: "C" };
}
