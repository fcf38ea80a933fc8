/** `ng issue <n>`: what the dispatcher found no verb of two words for (contract 05 §5.4). */
import { excerpt } from "../_sys/excerpt.ts";
import { isNumber } from "./arguments.ts";
import { run as view } from "./issue-view.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const [first = ""] = args;
	if (isNumber(first)) return view(args, ctx);
	if (first === "")
		ctx.err("issue needs a number or one of view, create, comment, close");
	else
		ctx.errPlain(
			`ng issue: not a number and not a known subcommand: ${excerpt(first)}`,
		);
	return 1;
};
