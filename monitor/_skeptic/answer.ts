/** `answer`: the reviewed worker answers a question (contract 08 §7). */
import { join } from "node:path";
import { appendMachineInput } from "../_state/machine-input.ts";
import {
	findQuestion,
	listQuestions,
	questionName,
} from "../_state/skeptic-channel.ts";
import { readArguments, TEXT_FLAGS, textOf } from "./arguments.ts";
import {
	NOT_THERE,
	noQuestion,
	openChannel,
	REFUSED,
	type SkepticVerb,
} from "./verb.ts";

/** Question and answer come under the new name before the old one goes: whatever happens between, it is answered. */
export const run: SkepticVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const { files, clock } = doors;
	const cli = readArguments(
		"answer",
		args,
		{ flags: TEXT_FLAGS, maxPositionals: 3 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [window, word, dash] = cli.positionals;
	const text = await textOf("answer", cli, dash, ctx);
	if (text === null) return REFUSED;
	const channel = await openChannel(window, ctx);
	if (channel.kind === "refused") return channel.rc;
	const { dir, stateDir } = channel;
	const known = listQuestions(files, dir) ?? [];
	const question = word === undefined ? null : findQuestion(known, word);
	const asked = question === null ? null : files.read(join(dir, question.name));
	if (question === null || asked?.kind !== "ok") {
		err(`answer: ${noQuestion(word)}`);
		return NOT_THERE;
	}
	const path = join(dir, questionName(question.stem, "answered"));
	if (question.state === "answered") {
		err(`answer: ${question.stem} is answered already`);
		return REFUSED;
	}
	const document = `${asked.text.trimEnd()}\n\n## Answer\n\n${text.trimEnd()}\n`;
	const wrote = files.writeAtomic(path, document, { fsync: true });
	if (wrote.kind === "failed") {
		err(`answer: ${wrote.reason}`);
		return REFUSED;
	}
	files.remove(join(dir, question.name));
	const src = "skeptic-answer";
	const row = { window: channel.window, stamp: clock.now(), src, flag: "" };
	appendMachineInput(files, stateDir, row);
	out(path);
	return 0;
};
