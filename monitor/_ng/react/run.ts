/** What `react` and `react-issue` have in common. */
import type { Mood } from "../../_github/comment.ts";
import type { Answer } from "../../_github/send.ts";
import { excerpt } from "../../_sys/excerpt.ts";
import { isNumber, readArguments } from "../arguments.ts";
import { type NgHub, openHub, sayFailure } from "../hub.ts";
import { remember } from "../process/claim.ts";
import { targetRepo } from "../target.ts";
import type { NgContext } from "../verb.ts";

export interface Reacting {
	readonly verb: string;
	readonly noun: "comment" | "issue";
	readonly wanted: string;
	readonly post: (
		hub: NgHub,
		repo: string,
		id: string,
		mood: Mood,
	) => Promise<Answer<string>>;
	/** For the list of what is processed. */
	readonly entries: (
		hub: NgHub,
		repo: string,
		id: string,
		mood: Mood,
	) => readonly string[];
}

/** The verb's exit code; what went wrong has been said on stderr. */
export async function runReact(
	args: readonly string[],
	ctx: NgContext,
	{ verb, noun, wanted, post, entries }: Reacting,
): Promise<number> {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{ flags: { "--repo": "value" }, maxPositionals: 2 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [id, mood = ""] = cli.positionals;
	if (!isNumber(id)) {
		err(`${verb} needs ${wanted}, got '${excerpt(id ?? "")}'`);
		return 1;
	}
	if (!isMood(mood)) {
		err(`react content must be eyes|rocket, got: ${excerpt(mood)}`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const posted = await post(hub, repo, id, mood);
	if (posted.kind === "failed")
		return sayFailure(
			ctx,
			posted.failure,
			`posting ${mood} reaction failed (${noun} ${id})`,
		);
	remember(ctx, hub.stateDir, entries(hub, repo, id, mood));
	out(`reacted ${mood} on ${noun} ${id}`);
	return 0;
}

function isMood(word: string): word is Mood {
	return word === "eyes" || word === "rocket";
}
