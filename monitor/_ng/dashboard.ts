/** `ng dashboard`: what the dispatcher found no verb of two words for. */
import { excerpt } from "../_sys/excerpt.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async ([sub], { err }) => {
	err(
		sub === undefined
			? "usage: ng dashboard get|put|scaffold|validate"
			: `dashboard: unknown subcommand '${excerpt(sub)}': usage: ng dashboard get|put|scaffold|validate`,
	);
	return 1;
};
