/** What a verb of the shim is, and how it ends (contract 09 §6.7). */
import { failureText } from "../../monitor/_fleet/failure.ts";
import type { Done, Fleet, FleetFailure } from "../../monitor/_fleet/fleet.ts";
import type { LocalContext } from "../../monitor/_fleet/local/context.ts";
import type { Cli, CliSpec } from "../../monitor/_sys/cli.ts";

export interface ShimContext {
	readonly fleet: Fleet;
	/** For what the interface of fleets has no call for: logs, changes of jobs, ticks. */
	readonly local: LocalContext;
	/** Folder of the caller. */
	readonly cwd: string;
	readonly stdin: () => Promise<string>;
	readonly version: string;
}
export interface Answer {
	readonly exitCode: number;
	readonly out?: string;
	readonly err?: string;
}
export type Call = Extract<Cli, { readonly kind: "ok" }> & {
	/** The first word behind the verb; a call without it is refused before. */
	readonly first: string;
};
export interface Command {
	/** Words that name it: `tmux create`. */
	readonly words: string;
	/** Arguments, as the usage shows them. */
	readonly args: string;
	readonly flags?: CliSpec["flags"];
	readonly aliases?: CliSpec["aliases"];
	/** Flags that must be given. */
	readonly required?: readonly string[];
	/** How many words it needs, and takes; default 0 and as many as it needs. */
	readonly needs?: number;
	readonly takes?: number;
	/** Makes something: the fleet is recorded as one that is kept here. */
	readonly creates?: boolean;
	readonly run: (ctx: ShimContext, call: Call) => Promise<Answer>;
}

export const JSON_FLAG = { "--json": "switch" } as const;
/** What a session runs on, and in. */
export const PIN = {
	"--model": "value",
	"--effort": "value",
	"--runtime": "value",
} as const;
export const PINNED: readonly string[] = ["--model", "--effort"];

/** Success, with what is printed. */
export function said(out: string): Answer {
	return { exitCode: 0, out };
}
/** The failure's own exit code, else 1. */
export function failed(failure: FleetFailure): Answer {
	return error(failureText(failure), failure.exitCode || 1);
}
/** As thrum words it, on stderr. */
export function error(text: string, exitCode = 1): Answer {
	return { exitCode, err: `Error: ${text}` };
}
/** Exit code 2. */
export function usage(text: string): Answer {
	return error(text, 2);
}

/** The answer to a value, or how the call failed. */
export function answer<T>(done: Done<T>, show: (value: T) => Answer): Answer {
	return done.kind === "ok" ? show(done.value) : failed(done);
}

/** A whole number above 0; null for any other text. */
export function count(text: string | undefined, otherwise: number) {
	if (text === undefined) return otherwise;
	return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null;
}
