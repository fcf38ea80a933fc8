/** `close` and `reset`: the end of a review, and the way to another (contract 08 §7). */
import { join } from "node:path";
import {
	archiveDir,
	closeReview,
	donePath,
	listQuestions,
} from "../_state/skeptic-channel.ts";
import { readArguments } from "./arguments.ts";
import { NOT_THERE, openChannel, REFUSED, type SkepticVerb } from "./verb.ts";

export const close: SkepticVerb = async (args, ctx) => {
	const cli = readArguments(
		"close",
		args,
		{ flags: {}, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const channel = await openChannel(cli.positionals[0], ctx);
	if (channel.kind === "refused") return channel.rc;
	const { stateDir, window } = channel;
	if (ctx.doors.proc.env.NEXUS_WORKER_WINDOW === window) {
		ctx.err(
			"close: a review is ended by its reviewer or the orchestrator, not by the reviewed worker",
		);
		return REFUSED;
	}
	const closed = closeReview(ctx.doors, stateDir, window);
	if (closed.kind === "failed") {
		ctx.err(`close: ${closed.reason}`);
		return REFUSED;
	}
	ctx.out(`closed: ${window}`);
	return 0;
};

/** What waits for an answer stays; what is over goes into a folder of its own. */
export const reset: SkepticVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(
		"reset",
		args,
		{ flags: {}, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const channel = await openChannel(cli.positionals[0], ctx);
	if (channel.kind === "refused") return channel.rc;
	const { files, clock } = doors;
	const { dir } = channel;
	const questions = listQuestions(files, dir);
	if (questions === null) {
		err(`${dir} cannot be read`);
		return NOT_THERE;
	}
	const over = questions.filter((q) => q.state === "answered");
	const names = [
		...(files.lstat(donePath(dir)).kind === "ok" ? ["DONE"] : []),
		...over.map((question) => question.name),
	];
	const archive = archiveDir(dir, clock.now());
	if (names.length > 0) files.mkdir(archive);
	for (const name of names) {
		const moved = files.rename(join(dir, name), join(archive, name));
		if (moved.kind === "failed") {
			err(`reset: ${name}: ${moved.reason}`);
			return REFUSED;
		}
	}
	out(`reset: ${names.length} archived`);
	return 0;
};
