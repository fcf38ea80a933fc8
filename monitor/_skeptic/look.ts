/** `poll`, `list`, `status`, `dir`, `reqfile`: looking at a channel (contract 08 §7). */
import { join } from "node:path";
import { listChannels } from "../_state/skeptic.ts";
import {
	findQuestion,
	isReviewOver,
	listQuestions,
	type Question,
} from "../_state/skeptic-channel.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { readArguments } from "./arguments.ts";
import {
	type Channel,
	NOT_THERE,
	noQuestion,
	openChannel,
	openState,
	REFUSED,
	type SkepticContext,
	type SkepticVerb,
} from "./verb.ts";

export const poll: SkepticVerb = async (args, ctx) => {
	const cli = readArguments(
		"poll",
		args,
		{ flags: { "--state": "value" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const wanted = cli.value("--state") ?? "open";
	if (!["open", "ack", "answered", "all"].includes(wanted)) {
		ctx.err(`poll: no state '${excerpt(wanted)}'`);
		return REFUSED;
	}
	return onChannel(cli.positionals[0], ctx, ({ dir }, questions) => {
		for (const { name, state } of questions)
			if (wanted === "all" || wanted === state) ctx.out(join(dir, name));
		return 0;
	});
};

export const status: SkepticVerb = (args, ctx) =>
	onChannel(args[0], ctx, (channel, questions) => {
		ctx.out(statusLine(channel, questions, ctx));
		return 0;
	});

/** One line a channel: its window, and its status. */
export const list: SkepticVerb = async (_args, ctx) => {
	const state = await openState(ctx);
	if (state.kind === "refused") return state.rc;
	const { files } = ctx.doors;
	for (const window of listChannels(files, state.stateDir)) {
		const channel = await openChannel(window, ctx);
		const questions =
			channel.kind === "ok" ? listQuestions(files, channel.dir) : null;
		if (channel.kind === "ok" && questions !== null)
			ctx.out(`${window} ${statusLine(channel, questions, ctx)}`);
	}
	return 0;
};

export const dir: SkepticVerb = (args, ctx) =>
	onChannel(args[0], ctx, (channel) => {
		ctx.out(channel.dir);
		return 0;
	});

export const reqfile: SkepticVerb = (args, ctx) =>
	onChannel(args[0], ctx, (channel, questions) => {
		const [, word] = args;
		const found = word === undefined ? null : findQuestion(questions, word);
		if (found === null) {
			ctx.err(`reqfile: ${noQuestion(word)}`);
			return NOT_THERE;
		}
		ctx.out(join(channel.dir, found.name));
		return 0;
	});

function statusLine(
	{ stateDir, window }: Channel,
	questions: readonly Question[],
	{ doors }: SkepticContext,
): string {
	const count = (state: Question["state"]) =>
		questions.filter((question) => question.state === state).length;
	const done = isReviewOver(doors.files, stateDir, window) ? 1 : 0;
	return `open=${count("open")} ack=${count("ack")} answered=${count("answered")} total=${questions.length} done=${done}`;
}

async function onChannel(
	window: string | undefined,
	ctx: SkepticContext,
	act: (channel: Channel, questions: readonly Question[]) => number,
): Promise<number> {
	const channel = await openChannel(window, ctx);
	if (channel.kind === "refused") return channel.rc;
	const questions = listQuestions(ctx.doors.files, channel.dir);
	if (questions !== null) return act(channel, questions);
	ctx.err(`${channel.dir} cannot be read`);
	return NOT_THERE;
}
