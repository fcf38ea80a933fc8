/** `reconcile`: the reviewer makes sure that every question was seen (contract 08 §7). */
import { join } from "node:path";
import { mtimeOf } from "../_state/peek.ts";
import { listQuestions } from "../_state/skeptic-channel.ts";
import { wholeNumber } from "../_sys/require-int.ts";
import { readArguments } from "./arguments.ts";
import { nudge } from "./nudge.ts";
import { openChannel, REFUSED, type SkepticVerb } from "./verb.ts";

const NEVER_ACKNOWLEDGED = 6;
const LEAST_BETWEEN_NUDGES_SECONDS = 120;

/** 0 all were seen, 6 somebody never acknowledged. */
export const run: SkepticVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const { files, clock } = doors;
	const cli = readArguments(
		"reconcile",
		args,
		{
			flags: {
				"--grace": "value",
				"--interval": "value",
				"--max-iter": "value",
				"--no-nudge": "switch",
			},
			maxPositionals: 1,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const grace = wholeNumber(cli.value("--grace") ?? "30");
	const interval = wholeNumber(cli.value("--interval") ?? "15");
	const most = wholeNumber(cli.value("--max-iter") ?? "20");
	if (grace === null || interval === null || most === null) {
		err("reconcile: --grace, --interval and --max-iter are whole numbers");
		return REFUSED;
	}
	const channel = await openChannel(cli.positionals[0], ctx);
	if (channel.kind === "refused") return channel.rc;
	const { dir, window } = channel;
	for (let tried = 0; ; tried++) {
		const open = (listQuestions(files, dir) ?? []).filter(
			(question) => question.state === "open",
		);
		if (open.length === 0) {
			out(`reconcile: ${window} has seen every question`);
			return 0;
		}
		if (tried >= most) {
			for (const { stem } of open)
				err(`reconcile: never acknowledged: ${stem}`);
			return NEVER_ACKNOWLEDGED;
		}
		const isLate = open.some(({ name }) => {
			const askedAt = mtimeOf(files, join(dir, name));
			return askedAt !== null && clock.now() - askedAt >= grace;
		});
		if (isLate && !cli.on("--no-nudge"))
			await nudge(window, channel, LEAST_BETWEEN_NUDGES_SECONDS, ctx);
		await clock.sleep(interval * 1000);
	}
};
