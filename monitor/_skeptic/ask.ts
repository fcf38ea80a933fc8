/** `init` and `ask`: the reviewer's side of the channel (contract 08 §7). */
import {
	readSkepticPending,
	skepticChannelDir,
	writeSkepticPending,
} from "../_state/skeptic.ts";
import { askQuestion, isReviewOver } from "../_state/skeptic-channel.ts";
import { requireInt } from "../_sys/require-int.ts";
import { readArguments, TEXT_FLAGS, textOf } from "./arguments.ts";
import { REVIEW_OVER } from "./await.ts";
import { openChannel, REFUSED, type SkepticVerb } from "./verb.ts";

/** A round that is under way keeps its marker. */
export const init: SkepticVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(
		"init",
		args,
		{ flags: { "--depth": "value" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const depth = requireInt("--depth", cli.value("--depth"), 1);
	if (depth.kind === "refused") {
		err(`init: ${depth.message}`);
		return REFUSED;
	}
	const channel = await openChannel(cli.positionals[0], ctx);
	if (channel.kind === "refused") return channel.rc;
	const { files } = doors;
	const { stateDir, window } = channel;
	const steps = [files.mkdir(skepticChannelDir(stateDir, window))];
	if (readSkepticPending(files, stateDir, window).kind === "none")
		steps.push(writeSkepticPending(files, stateDir, window, depth.value));
	for (const step of steps)
		if (step.kind === "failed") {
			err(`init: ${step.reason}`);
			return REFUSED;
		}
	out(channel.dir);
	return 0;
};

/** Prints the question's stem. 10: the review is over already. */
export const ask: SkepticVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(
		"ask",
		args,
		{ flags: TEXT_FLAGS, maxPositionals: 3 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [window, word = "", dash] = cli.positionals;
	const slug = word.replace(/[^A-Za-z0-9_-]/g, "_");
	if (slug === "") {
		err("ask: a slug is needed: one word that says what is asked");
		return REFUSED;
	}
	const text = await textOf("ask", cli, dash, ctx);
	if (text === null) return REFUSED;
	const channel = await openChannel(window, ctx);
	if (channel.kind === "refused") return channel.rc;
	if (isReviewOver(doors.files, channel.stateDir, channel.window)) {
		err(`ask: the review of ${channel.window} is over`);
		return REVIEW_OVER;
	}
	const asked = askQuestion(doors.files, channel.dir, slug, text);
	if (asked.kind === "failed") {
		err(`ask: ${asked.why}`);
		return REFUSED;
	}
	out(asked.question.stem);
	return 0;
};
