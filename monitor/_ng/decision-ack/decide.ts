/** What a call of `decision-ack` asks for. Pure. */
import { basename, dirname, isAbsolute } from "node:path";
import { parseDecisionName } from "../../_state/decisions.ts";
import { excerpt } from "../../_sys/excerpt.ts";

export type Asked =
	| {
			readonly kind: "one";
			readonly window: string;
			readonly fingerprint: string;
	  }
	| { readonly kind: "all"; readonly window: string }
	| { readonly kind: "refused"; readonly message: string };

/** `<window> <fp>`, `<window> --all`, or the absolute path that the row's `file=` shows. */
export function decideAck(
	words: readonly string[],
	all: boolean,
	isOurFolder: (dir: string) => boolean,
): Asked {
	const [first = "", second] = words;
	if (first === "") return refused("decision-ack needs a window");
	if (all)
		return second === undefined
			? { kind: "all", window: first }
			: refused("decision-ack: --all takes no fingerprint");
	if (second === undefined) {
		if (!isAbsolute(first))
			return refused(
				"decision-ack needs a fingerprint, or --all: copy fp= from the row",
			);
		const name = parseDecisionName(basename(first));
		return name !== null && isOurFolder(dirname(first))
			? { kind: "one", window: name.window, fingerprint: name.fingerprint }
			: refused(`not a decision of this nexus: '${excerpt(first)}'`);
	}
	if (first.includes("/"))
		return refused(`not the name of a window: '${excerpt(first)}'`);
	return /^[0-9a-f]{12}$/.test(second)
		? { kind: "one", window: first, fingerprint: second }
		: refused(
				`not a fingerprint: '${excerpt(second)}' (12 hex digits: copy fp= from the row)`,
			);
}

function refused(message: string): Asked {
	return { kind: "refused", message };
}
