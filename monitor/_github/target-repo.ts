/** Which repository a command is about (contract 05 §2.5). Pure. Workers in a code clone once posted private status into what was about to become public. */
import { sameRepo } from "../_state/emit-block-target.ts";
import { excerpt } from "../_sys/excerpt.ts";

/** What stands behind `git remote get-url origin` in the caller's folder. */
export type Origin =
	/** `repo`: on the configured site or github.com; null: no clone, or one of somewhere else. */
	| { readonly kind: "looked"; readonly repo: string | null }
	| { readonly kind: "could-not-look"; readonly reason: string };

export interface RepoFacts {
	/** `--repo`. */
	readonly given: string | null;
	/** `github.repo`. */
	readonly home: string | null;
	readonly origin: Origin;
}

export type RepoChoice =
	| {
			readonly kind: "ok";
			readonly repo: string;
			/** Line for stderr; null: nothing to say. */
			readonly note: string | null;
	  }
	| { readonly kind: "refused"; readonly message: string };

/** `write` leaves for another repository than the home only when it is named. */
export function resolveRepo(
	mode: "read" | "write",
	{ given, home, origin }: RepoFacts,
): RepoChoice {
	if (given !== null)
		return isRepoName(given)
			? { kind: "ok", repo: given, note: null }
			: refused(`--repo wants owner/name, got '${excerpt(given)}'`);
	if (home === null || !isRepoName(home))
		return refused("no repository: github.repo is not set; name one by --repo");
	if (origin.kind === "could-not-look")
		return mode === "read"
			? { kind: "ok", repo: home, note: null }
			: refused(
					`cannot tell which repository this folder was cloned from (${origin.reason}); name the target by --repo (home: ${home})`,
				);
	if (origin.repo === null || sameRepo(origin.repo, home))
		return { kind: "ok", repo: home, note: null };
	return mode === "read"
		? {
				kind: "ok",
				repo: origin.repo,
				note: `targeting cwd origin ${origin.repo} (override with --repo, for example --repo ${home})`,
			}
		: refused(
				`refused: this folder is a clone of ${origin.repo}, and the home repository is ${home}; say which one is meant by --repo`,
			);
}

/** `owner/name` of a remote's URL; null when it is on another host, or not of that shape. */
export function repoOfRemote(url: string, webOrigin: string): string | null {
	const { host, hostname } = new URL(webOrigin);
	const hosts = new Set(["github.com", "www.github.com", host, hostname]);
	const [, at = "", path = ""] =
		/^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/]+)\/(.+)$/i.exec(url) ??
		/^(?:[^@/:]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(url) ??
		[];
	const isHere =
		hosts.has(at.toLowerCase()) ||
		hosts.has(at.toLowerCase().replace(/:\d+$/, ""));
	const repo = path.replace(/\/+$/, "").replace(/\.git$/, "");
	return isHere && isRepoName(repo) ? repo : null;
}

/** Nothing that a path or a route's template could read as more than two names. */
export function isRepoName(repo: string): boolean {
	return (
		/^[\w.-]+\/[\w.-]+$/.test(repo) &&
		repo.split("/").every((part) => !/^\.{1,2}$/.test(part))
	);
}

/** As the routes want it. */
export function ownerAndName(repo: string): {
	readonly owner: string;
	readonly repo: string;
} {
	const [owner = "", name = ""] = repo.split("/");
	return { owner, repo: name };
}

function refused(message: string): RepoChoice {
	return { kind: "refused", message };
}
