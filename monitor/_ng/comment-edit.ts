/** `ng comment-edit <id>`: replaces a comment's text, unless somebody else has changed it (contract 05 §5.3). */
import { editComment } from "../_github/comment-cas.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import { bodyToPost } from "./post-body.ts";
import { targetRepo } from "./target.ts";
import type { NgVerb } from "./verb.ts";

const CONFLICT = 4;

/** 0 edited, 4 changed by somebody else, 1 otherwise. */
export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: {
				"--repo": "value",
				"--body-file": "value",
				"--expect-updated-at": "value",
				"--force": "switch",
			},
			maxPositionals: 1,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [id] = cli.positionals;
	if (!isNumber(id)) {
		err(`comment-edit needs the id of a comment, got '${excerpt(id ?? "")}'`);
		return 1;
	}
	const expected = cli.value("--expect-updated-at") ?? null;
	const force = cli.on("--force");
	if (force && expected !== null) {
		err("--expect-updated-at and --force are mutually exclusive");
		return 1;
	}
	if (!force && expected === null) {
		err(
			"comment-edit needs --expect-updated-at (ng show <id> --meta prints it) or --force; to add to the thread, use ng reply",
		);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const body = await bodyToPost(cli.value("--body-file"), hub.settings, ctx);
	if (body === null) return 1;
	if (force)
		err(
			`WARNING: --force: whatever stands in comment ${id} now is overwritten, unread`,
		);
	const { gitHub } = hub;
	const edited = await editComment(gitHub, {
		repo,
		id,
		expected,
		body: body.text,
	});
	switch (edited.kind) {
		case "ok":
			out(edited.url);
			return 0;
		case "conflict":
			err(
				`CONCURRENT EDIT: comment ${id} changed: ${expected} → ${edited.now}`,
			);
			err(`re-read it: ng show ${id} --meta`);
			err("re-apply the change to what stands there now, and retry");
			return CONFLICT;
		case "differs":
			err(
				`comment ${id}: the stored body differs from what was sent; look at it before anything else`,
			);
			return 1;
		case "failed":
			return sayFailure(ctx, edited.failure, `edit of comment ${id} failed`);
	}
};
