/** `ng pr`: what the dispatcher found no verb of two words for. */
import { excerpt } from "../_sys/excerpt.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async ([sub], { err }) => {
	err(
		sub === undefined
			? "usage: ng pr create|edit|merge|view"
			: `pr: unknown subcommand '${excerpt(sub)}': usage: ng pr create|edit|merge|view`,
	);
	return 1;
};
