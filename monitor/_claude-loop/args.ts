/** The command line of `claude-loop` as a value (contract 04 §17). Pure. */
import { parseCli } from "../_sys/cli.ts";
import { requireInt } from "../_sys/require-int.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";

export interface LoopRequest {
	readonly kind: "loop";
	readonly window: string;
	readonly promptFile: string;
	readonly settings: string | null;
	readonly model: string | null;
	readonly maxRestarts: number;
	/** Null: the configured one. */
	readonly retainTtlSeconds: number | null;
	/** Null: the configured one. */
	readonly stateDir: string | null;
	readonly backoffBaseSeconds: number;
}
export type LoopArgs =
	| LoopRequest
	| { readonly kind: "help" }
	| { readonly kind: "refused"; readonly message: string };

export const USAGE =
	"usage: claude-loop --window W --prompt-file P [--settings S] [--model M] [--max-restarts N] [--retain-ttl-seconds S] [--state-dir D] [--backoff-base S]";

const DEFAULT_MAX_RESTARTS = 10;
const DEFAULT_BACKOFF_SECONDS = 5;

/** Null for what the configuration is to say; a refusal has the sentence to print. */
export function parseLoopArgs(argv: readonly string[]): LoopArgs {
	const cli = parseCli(argv, {
		flags: {
			"--window": "value",
			"--prompt-file": "value",
			"--settings": "value",
			"--model": "value",
			"--max-restarts": "value",
			"--retain-ttl-seconds": "value",
			"--state-dir": "value",
			"--backoff-base": "value",
		},
	});
	if (cli.kind !== "ok") return cli;
	const window = cli.value("--window");
	const promptFile = cli.value("--prompt-file");
	if (window === undefined || promptFile === undefined)
		return refused("--window and --prompt-file are needed");
	const badName = validateWindowName(window);
	if (badName !== null) return refused(badName);
	const int = <T>(flag: string, absent: T) =>
		requireInt(flag, cli.value(flag), absent);
	const restarts = int("--max-restarts", DEFAULT_MAX_RESTARTS);
	const ttl = int("--retain-ttl-seconds", null);
	const backoff = int("--backoff-base", DEFAULT_BACKOFF_SECONDS);
	if (restarts.kind === "refused") return restarts;
	if (ttl.kind === "refused") return ttl;
	if (backoff.kind === "refused") return backoff;
	return {
		kind: "loop",
		window,
		promptFile,
		settings: cli.value("--settings") ?? null,
		model: cli.value("--model") ?? null,
		maxRestarts: restarts.value,
		retainTtlSeconds: ttl.value,
		stateDir: cli.value("--state-dir") ?? null,
		backoffBaseSeconds: backoff.value,
	};
}

function refused(message: string): LoopArgs {
	return { kind: "refused", message };
}
