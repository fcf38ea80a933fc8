/** The command line of `esc-cap` (contract 09 §14.1). Pure. */
import { conditionKey } from "../../monitor/_state/fleet/esc-cap.ts";
import { bareName, isWatcherName } from "../../monitor/_state/fleet/names.ts";
import { parseCli } from "../../monitor/_sys/cli.ts";

export const USAGE = `usage: esc-cap.ts bump|seen|clear|count --watcher W (--agent A --text LINE | --key-text 'A|LINE')
       esc-cap.ts key (--agent A --text LINE | --key-text 'A|LINE')
       esc-cap.ts prune --watcher W

  bump   count an escalation BEFORE it is sent; the line printed says whether it may be sent
  seen   the condition still stands
  clear  the condition is over
  count  how often it was told (4: closed)
  key    name of the condition's file
  prune  forget conditions that nobody has seen for more than 7 days`;

export type CapRequest =
	| { readonly verb: "bump"; readonly watcher: string; readonly key: string }
	| { readonly verb: "seen"; readonly watcher: string; readonly key: string }
	| { readonly verb: "clear"; readonly watcher: string; readonly key: string }
	| { readonly verb: "count"; readonly watcher: string; readonly key: string }
	| { readonly verb: "prune"; readonly watcher: string }
	| { readonly verb: "key"; readonly key: string }
	| { readonly verb: "help" }
	| { readonly verb: "refused"; readonly why: string };

const FLAGS = {
	"--watcher": "value",
	"--agent": "value",
	"--text": "text",
	"--key-text": "value",
} as const;

/** Names with or without `@`; the condition's key is made from agent and line. */
export function parseCapRequest(argv: readonly string[]): CapRequest {
	const cli = parseCli(argv, { flags: FLAGS, maxPositionals: 1 });
	if (cli.kind === "help") return { verb: "help" };
	if (cli.kind === "refused") return refused(cli.message);
	const [verb] = cli.positionals;
	const watcher = bareName(cli.value("--watcher") ?? "");
	const key = keyOf(cli);
	switch (verb) {
		case "key":
			return key === null ? refused(NO_CONDITION) : { verb, key };
		case "bump":
		case "seen":
		case "clear":
		case "count":
			if (!isWatcherName(watcher)) return refused(NO_WATCHER);
			return key === null ? refused(NO_CONDITION) : { verb, watcher, key };
		case "prune":
			return isWatcherName(watcher) ? { verb, watcher } : refused(NO_WATCHER);
		default:
			return refused("no such verb");
	}
}

const NO_WATCHER = "--watcher needs a watcher's name";
const NO_CONDITION = "give --agent and --text, or --key-text 'AGENT|LINE'";

function keyOf(cli: { value(flag: string): string | undefined }) {
	const whole = cli.value("--key-text");
	const agent = cli.value("--agent");
	const text = cli.value("--text");
	if (whole !== undefined) {
		const at = whole.indexOf("|");
		const isMixed = agent !== undefined || text !== undefined;
		if (at < 1 || isMixed) return null;
		return conditionKey(bareName(whole.slice(0, at)), whole.slice(at + 1));
	}
	return agent === undefined || text === undefined
		? null
		: conditionKey(bareName(agent), text);
}

function refused(why: string): CapRequest {
	return { verb: "refused", why };
}
