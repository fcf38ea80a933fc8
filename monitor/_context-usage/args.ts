/** The command line of `context-usage` as a value (contract 08 §10). Pure. */
import { parseCli } from "../_sys/cli.ts";
import { requireInt } from "../_sys/require-int.ts";

export type Selector =
	| { readonly by: "transcript"; readonly path: string }
	| { readonly by: "session"; readonly id: string }
	| { readonly by: "window"; readonly window: string }
	/** The session that asks. */
	| { readonly by: "caller" };

export interface ContextRequest {
	readonly kind: "usage";
	readonly selector: Selector;
	/** Null: as configured. */
	readonly threshold: number | null;
	readonly limit: number | null;
	readonly format: "kv" | "json";
	readonly quiet: boolean;
}
export type ContextArgs =
	| ContextRequest
	| { readonly kind: "help" }
	| { readonly kind: "refused"; readonly message: string };

export const USAGE =
	"usage: context-usage [--transcript P | --session ID | --window W] [--threshold N] [--limit N] [--format kv|json] [--quiet]";

/** One selector at most; without one it is the session that asks. */
export function parseContextArgs(argv: readonly string[]): ContextArgs {
	const cli = parseCli(argv, {
		flags: {
			"--transcript": "value",
			"--session": "value",
			"--window": "value",
			"--threshold": "value",
			"--limit": "value",
			"--format": "value",
			"--quiet": "switch",
		},
	});
	if (cli.kind !== "ok") return cli;
	const path = cli.value("--transcript");
	const id = cli.value("--session");
	const window = cli.value("--window");
	const selectors: Selector[] = [
		...(path === undefined ? [] : [{ by: "transcript", path } as const]),
		...(id === undefined ? [] : [{ by: "session", id } as const]),
		...(window === undefined ? [] : [{ by: "window", window } as const]),
	];
	if (selectors.length > 1)
		return refused("choose one of --transcript, --session and --window");
	const threshold = requireInt("--threshold", cli.value("--threshold"), null);
	const limit = requireInt("--limit", cli.value("--limit"), null);
	if (threshold.kind === "refused") return refused(threshold.message);
	if (limit.kind === "refused") return refused(limit.message);
	if (limit.value === 0) return refused("--limit is at least 1");
	const format = cli.value("--format") ?? "kv";
	if (format !== "kv" && format !== "json")
		return refused("--format is kv or json");
	return {
		kind: "usage",
		selector: selectors[0] ?? { by: "caller" },
		threshold: threshold.value,
		limit: limit.value,
		format,
		quiet: cli.on("--quiet"),
	};
}

function refused(message: string): ContextArgs {
	return { kind: "refused", message };
}
