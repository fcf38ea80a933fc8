/** `ng suppress-emit <comment-id>`: the operator's mute, for when reactions do not do it (contract 05 §4.5). */
import { appendEvent } from "../_state/action-log-append.ts";
import { suppress } from "../_state/emit-suppression.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { placeOf } from "./place.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(
		args,
		{ flags: { "--repo": "value", "--reason": "value" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [id] = cli.positionals;
	if (!isNumber(id)) {
		err(`suppress-emit needs the id of a comment, got '${excerpt(id ?? "")}'`);
		return 1;
	}
	const home = await placeOf(ctx);
	if (home === null) return 1;
	const added = suppress(doors.files, home.stateDir, id);
	if (added.kind === "failed") {
		err(
			`the list of suppressed comments could not be written: ${added.reason}`,
		);
		return 1;
	}
	if (added.kind === "there") {
		out(`already suppressed: comment:${id}`);
		return 0;
	}
	const repo = cli.value("--repo");
	// For the audit only: the mute holds without it.
	appendEvent(doors, home.stateDir, {
		agent: "monitor",
		event: "emit-suppress",
		note: cli.value("--reason"),
		extras: [
			["entry", `comment:${id}`],
			...(repo === undefined ? [] : [["repo", repo] as const]),
		],
	});
	out(`suppressed: comment:${id}`);
	return 0;
};
