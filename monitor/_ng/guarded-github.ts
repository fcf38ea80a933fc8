/** The door to GitHub as verbs get it: whatever words a request carries, from a file or from the command line, none of them is a credential. */
import { failure } from "../_github/errors.ts";
import type { GitHub } from "../_github/github.ts";
import { secretTextFlaw } from "./secrets.ts";

/** A write that carries a credential fails like one that GitHub refused, and is never sent. */
export function guardedGitHub(gitHub: GitHub): GitHub {
	return {
		...gitHub,
		rest: async (route, params, call) => {
			const why = route.startsWith("GET ") ? null : flawIn(params);
			if (why === null) return gitHub.rest(route, params, call);
			const message = `refused: ${why}; nothing was sent`;
			return {
				kind: "failed",
				failure: failure("client", { message, sent: false }),
			};
		},
	};
}

function flawIn(params: object): string | null {
	for (const value of Object.values(params)) {
		const why = typeof value === "string" ? secretTextFlaw(value) : null;
		if (why !== null) return why;
	}
	return null;
}
