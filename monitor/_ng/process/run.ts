/** What `process` and `process-issue` have in common. */
import type { GhFailure } from "../../_github/errors.ts";
import { excerpt } from "../../_sys/excerpt.ts";
import { isNumber, readArguments } from "../arguments.ts";
import { type NgHub, openHub, sayFailure } from "../hub.ts";
import { targetRepo } from "../target.ts";
import type { NgContext } from "../verb.ts";
import { type Claim, claim } from "./claim.ts";

/** What GitHub says of it; null where its answer does not say. */
export interface Found
	extends Pick<Claim, "target">,
		Record<"author" | "number", string | null> {
	readonly kind: "ok";
	readonly body: string;
}
export interface Processing {
	readonly verb: string;
	readonly noun: "comment" | "issue";
	readonly wanted: string;
	readonly find: (
		hub: NgHub,
		repo: string,
		id: string,
	) => Promise<
		Found | { readonly kind: "failed"; readonly failure: GhFailure }
	>;
	/** For the list of what is processed. */
	readonly entry: (hub: NgHub, repo: string, id: string) => string;
}

/** The verb's exit code; what went wrong has been said on stderr. */
export async function runProcess(
	args: readonly string[],
	ctx: NgContext,
	{ verb, noun, wanted, find, entry }: Processing,
): Promise<number> {
	const { err } = ctx;
	const cli = readArguments(
		args,
		{ flags: { "--repo": "value" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [id] = cli.positionals;
	if (!isNumber(id)) {
		err(`${verb} needs ${wanted}, got '${excerpt(id ?? "")}'`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const found = await find(hub, repo, id);
	if (found.kind === "failed")
		return sayFailure(ctx, found.failure, `fetch ${noun} ${id} failed`);
	const { author, number, body, target } = found;
	if (author === null || number === null) {
		err(`${noun} ${id}: malformed metadata`);
		return 1;
	}
	const what = { repo, author, number, body, noun, target };
	return claim({ ...what, entry: entry(hub, repo, id) }, hub, ctx);
}
