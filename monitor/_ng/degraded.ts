/** `ng degraded`: what the dispatcher found no verb of two words for. */
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (_args, { err }) => {
	err("usage: ng degraded status|probe");
	return 2;
};
