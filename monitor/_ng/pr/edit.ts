/** `ng pr edit <n> [--title t] [--body-file p|-]` (contract 05 §5.6). */
import { editPull } from "../../_github/pull.ts";
import { isNumber, readArguments } from "../arguments.ts";
import { openHub, sayFailure } from "../hub.ts";
import { bodyToPost } from "../post-body.ts";
import { targetRepo } from "../target.ts";
import type { NgVerb } from "../verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: { "--title": "value", "--body-file": "value", "--repo": "value" },
			maxPositionals: 1,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [number] = cli.positionals;
	const title = cli.value("--title");
	const file = cli.value("--body-file");
	if (!isNumber(number) || (title === undefined && file === undefined)) {
		err("pr edit needs a number, and --title or --body-file");
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const body =
		file === undefined ? undefined : await bodyToPost(file, hub.settings, ctx);
	if (body === null) return 1;
	const edited = await editPull(hub.gitHub, repo, number, {
		...(title === undefined ? {} : { title }),
		...(body === undefined ? {} : { body: body.text }),
	});
	if (edited.kind === "failed")
		return sayFailure(
			ctx,
			edited.failure,
			`edit of pull request ${number} failed`,
		);
	out(edited.value);
	return 0;
};
