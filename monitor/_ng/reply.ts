/** `ng reply <n>`, also `comment` and `issue comment`: a comment on an issue or pull request (contract 05 §5.1). */
import { commentsEndpoint, postComment } from "../_github/thread.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import { bodyToPost } from "./post-body.ts";
import { targetRepo } from "./target.ts";
import type { NgVerb } from "./verb.ts";

const ORDER =
	"the issue number comes first, and the text from standard input or --body-file";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	// A flag in the number's place would be read as one, and then the number be missing: it gets the plainer answer.
	if (args[0]?.startsWith("-")) {
		err(`not an issue number: '${excerpt(args[0])}' (${ORDER})`);
		return 1;
	}
	const cli = readArguments(
		args,
		{ flags: { "--repo": "value", "--body-file": "value" }, maxPositionals: 2 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [number, surplus] = cli.positionals;
	if (!isNumber(number) || surplus !== undefined) {
		const word = isNumber(number) ? surplus : number;
		const what = isNumber(number)
			? "unexpected argument"
			: "not an issue number";
		err(`${what}: '${excerpt(word ?? "")}' (${ORDER})`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const body = await bodyToPost(cli.value("--body-file"), hub.settings, ctx, {
		receipt: true,
	});
	if (body === null) return 1;
	const posted = await postComment(hub.gitHub, repo, number, body.text);
	if (posted.kind === "failed")
		return sayFailure(
			ctx,
			posted.failure,
			`POST ${commentsEndpoint(repo, number)} failed`,
		);
	out(posted.value);
	return 0;
};
