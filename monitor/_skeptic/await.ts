/** `await` and `await-answer`: each side waits for the other (contract 08 §7). */
import { join } from "node:path";
import { appendMachineInput } from "../_state/machine-input.ts";
import {
	findQuestion,
	isReviewOver,
	listQuestions,
	questionName,
	touchWaiting,
} from "../_state/skeptic-channel.ts";
import type { Doors } from "../_sys/doors.ts";
import { wholeNumber } from "../_sys/require-int.ts";
import { readArguments } from "./arguments.ts";
import {
	type Channel,
	NOT_THERE,
	noQuestion,
	openChannel,
	REFUSED,
	type SkepticContext,
	type SkepticVerb,
	TIMEOUT,
} from "./verb.ts";

export const REVIEW_OVER = 10;

export type AwaitResult =
	/** Paths of the questions that were open and are now acknowledged. */
	| { readonly kind: "questions"; readonly paths: readonly string[] }
	| { readonly kind: "over" }
	| { readonly kind: "nothing" };

/** One look of the reviewed worker. `DONE` is looked for before the marker is touched: a touch would make it look old. */
function awaitOnce(
	{ files, clock }: Pick<Doors, "files" | "clock">,
	{ stateDir, window, dir }: Pick<Channel, "stateDir" | "window" | "dir">,
): AwaitResult {
	if (isReviewOver(files, stateDir, window)) return { kind: "over" };
	touchWaiting(files, stateDir, window);
	const open = (listQuestions(files, dir) ?? []).filter(
		(question) => question.state === "open",
	);
	const paths = open.flatMap(({ stem, name }) => {
		const path = join(dir, questionName(stem, "ack"));
		return files.rename(join(dir, name), path).kind === "ok" ? [path] : [];
	});
	if (paths.length === 0) return { kind: "nothing" };
	const src = "skeptic-await-ack";
	const row = { window, stamp: clock.now(), src, flag: "" };
	appendMachineInput(files, stateDir, row);
	return { kind: "questions", paths };
}

/** 0 there are questions, 4 time is up, 10 the review is over. */
export const awaitQuestions: SkepticVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(
		"await",
		args,
		{ flags: { ...WAIT_FLAGS, "--once": "switch" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const channel = await openChannel(cli.positionals[0], ctx);
	if (channel.kind === "refused") return channel.rc;
	const once = cli.on("--once");
	return wait("await", cli.value, once, channel, ctx, () => {
		const found = awaitOnce(doors, channel);
		switch (found.kind) {
			case "questions":
				for (const path of found.paths) out(path);
				return 0;
			case "over":
				out("DONE");
				return REVIEW_OVER;
			case "nothing":
				if (once) err("await: no open question");
				return null;
		}
	});
};

/** Prints the path of the answered question. 2 no such question, 4 time is up. */
export const awaitAnswer: SkepticVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(
		"await-answer",
		args,
		{ flags: WAIT_FLAGS, maxPositionals: 2 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [window, word] = cli.positionals;
	const channel = await openChannel(window, ctx);
	if (channel.kind === "refused") return channel.rc;
	return wait("await-answer", cli.value, false, channel, ctx, () => {
		const known = listQuestions(doors.files, channel.dir) ?? [];
		const question = word === undefined ? null : findQuestion(known, word);
		if (question === null) {
			err(`await-answer: ${noQuestion(word)}`);
			return NOT_THERE;
		}
		if (question.state !== "answered") return null;
		out(join(channel.dir, question.name));
		return 0;
	});
};

const WAIT_FLAGS = { "--timeout": "value", "--interval": "value" } as const;

async function wait(
	verb: string,
	value: (flag: string) => string | undefined,
	once: boolean,
	{ config }: Channel,
	{ doors, err }: SkepticContext,
	look: () => number | null,
): Promise<number> {
	const { clock } = doors;
	const timeout = value("--timeout");
	const interval = value("--interval");
	const limit = timeout === undefined ? null : wholeNumber(timeout);
	const period = interval === undefined ? null : wholeNumber(interval);
	if ((timeout && limit === null) || (interval && !period)) {
		err(`${verb}: --timeout and --interval are whole seconds`);
		return REFUSED;
	}
	const periodMs =
		1000 * (period ?? config["monitor.skeptic.await_interval_seconds"]);
	const end =
		clock.monoMs() +
		1000 * (limit ?? config["monitor.skeptic.await_timeout_seconds"]);
	for (;;) {
		const rc = look();
		if (rc !== null) return rc;
		const left = end - clock.monoMs();
		if (once || left <= 0) return TIMEOUT;
		await clock.sleep(Math.min(periodMs, left));
	}
}
