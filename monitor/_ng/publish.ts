/** Publishes a file in the asset repository and answers its address: what `upload` and `wrap-up` share (contract 05 §11). */
import { basename } from "node:path";
import type { Config } from "../../config/schema.ts";
import { assetPath, assetUrl, type Shape } from "../_github/asset-url.ts";
import { uploadAsset } from "../_github/assets.ts";
import { isRepoName } from "../_github/target-repo.ts";
import { sameRepo } from "../_state/emit-block-target.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { type NgHub, NO_IDENTITY } from "./hub.ts";
import { cloneOrigin } from "./target.ts";
import type { NgContext } from "./verb.ts";

export interface Publication {
	/** The file as it was named. */
	readonly local: string;
	readonly bytes: Uint8Array;
	readonly issue: string | null;
	readonly repoPath: string | null;
	readonly shape: Shape;
	readonly message: string | null;
	/** `--asset-repo`, `--repo`: may only restate the configured one. */
	readonly restated: string | null;
}

export type Published =
	| { readonly kind: "ok"; readonly url: string }
	/** What happened has been said. 1 usage or clash, 2 no identity, 3 GitHub, 7 wrong destination. */
	| {
			readonly kind: "failed";
			readonly rc: 1 | 2 | 3 | 7;
			readonly why: string;
	  };

const ROUNDS = 5;

/** What failed has been said on stderr; `rc` is the exit code of `ng upload` (contract 05 §11). */
export async function publish(
	what: Publication,
	{ gitHub, settings }: NgHub,
	ctx: NgContext,
): Promise<Published> {
	const { doors, codeRoot, err } = ctx;
	const { env } = doors.proc;
	const { config } = settings;
	const fail = (rc: 1 | 2 | 3 | 7, why: string): Published => {
		err(why);
		return { kind: "failed", rc, why };
	};
	const placed = assetPath(what.local, what.issue, what.repoPath);
	if (placed.kind === "refused") return fail(1, placed.message);
	const { webOrigin } = gitHub.place;
	const repo = config["github.asset_repo"] || config["github.repo"] || "";
	const wrong = destinationFlaw({
		repo,
		restated: what.restated,
		origin: await cloneOrigin(doors, webOrigin, codeRoot),
		allowsOrigin: env.NEXUS_ALLOW_ORIGIN_ASSET_REPO === "1",
	});
	if (wrong !== null) return fail(7, wrong);
	const author = authorOf(config);
	if (author === null)
		return fail(
			2,
			"no author for the commit: set github.bot_login, or github.bot_git_name and github.bot_git_email",
		);
	const { path } = placed;
	const done = await uploadAsset(
		{ gitHub, clock: doors.clock, random: doors.random },
		{
			repo,
			path,
			author,
			bytes: what.bytes,
			message: what.message ?? `Add asset ${basename(path)} via upload-asset`,
			rounds: roundsOf(env.NEXUS_UPLOAD_PUSH_RETRIES),
		},
	);
	if (done.kind === "clash") return fail(1, `${repo}: ${done.message}`);
	if (done.kind === "failed")
		return done.noToken
			? fail(2, `${NO_IDENTITY}: ${done.message}`)
			: fail(3, `upload to ${repo} failed: ${done.message}`);
	if (done.how === "unchanged")
		err(`unchanged: ${path} holds these bytes already`);
	if (done.how === "overwritten")
		err(
			`WARNING: overwriting ${path} at HEAD: pinned URLs of the old bytes still resolve, --repo-path keeps both`,
		);
	return {
		kind: "ok",
		url: assetUrl(webOrigin, repo, path, what.shape, done.sha),
	};
}

/** Why nothing may go there; null: it may. Pure. */
export function destinationFlaw(f: {
	readonly repo: string;
	readonly restated: string | null;
	/** Where the checkout that holds this program came from. */
	readonly origin: Awaited<ReturnType<typeof cloneOrigin>>;
	readonly allowsOrigin: boolean;
}): string | null {
	if (!isRepoName(f.repo))
		return "no asset repository: set github.asset_repo or github.repo";
	if (f.restated !== null && !sameRepo(f.restated, f.repo))
		return `uploads go to ${f.repo} only (github.asset_repo), not to '${excerpt(f.restated)}'; elsewhere --repo means the repository of the issue`;
	if (f.allowsOrigin) return null;
	if (f.origin.kind === "could-not-look")
		return `cannot tell whether ${f.repo} is the code's own repository (${f.origin.reason}); NEXUS_ALLOW_ORIGIN_ASSET_REPO=1 uploads all the same`;
	return f.origin.repo !== null && sameRepo(f.origin.repo, f.repo)
		? `${f.repo} is the repository that this nexus was cloned from, not one for assets; NEXUS_ALLOW_ORIGIN_ASSET_REPO=1 uploads all the same`
		: null;
}

function authorOf(
	config: Config,
): { readonly name: string; readonly email: string } | null {
	const name = config["github.bot_git_name"] ?? "";
	const email = config["github.bot_git_email"] ?? "";
	return name === "" || email === "" ? null : { name, email };
}

function roundsOf(given: string | undefined): number {
	return given !== undefined && /^[1-9]\d?$/.test(given)
		? Number(given)
		: ROUNDS;
}
