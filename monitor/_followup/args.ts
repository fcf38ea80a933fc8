/** The command line of `paste-followup` (contract 04 §7). Pure. */
import { parseCli } from "../_sys/cli.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";

export interface FollowupArgs {
	readonly window: string;
	readonly from:
		| { readonly kind: "file"; readonly path: string }
		| { readonly kind: "message"; readonly text: string }
		| { readonly kind: "stdin" };
	/** Told with the outcome, and never pasted. */
	readonly note: string;
	readonly issue: string;
	readonly comment: string;
	/** What the ledger calls it. */
	readonly src: string;
	/** It gives the worker nothing new to do. */
	readonly administrative: boolean;
	/** The message is one `/command` line. */
	readonly command: boolean;
	readonly noEnter: boolean;
	readonly allowBlocked: boolean;
	/** Seconds; null: as configured. */
	readonly confirmTimeout: number | null;
}

export type FollowupParse =
	| { readonly kind: "ok"; readonly args: FollowupArgs }
	| { readonly kind: "help" }
	| { readonly kind: "refused"; readonly rc: 1 | 64; readonly message: string };

const DEFAULT_SRC = "paste-followup";

export const USAGE = `usage: paste-followup <window> [--file <path> | --message <text> | (stdin)]
  --note <text>           told with the outcome, never pasted
  --issue <n>, --comment <id>  what it answers, for the action log
  --src <label>           what the ledger of machine input calls it (default ${DEFAULT_SRC})
  --administrative, --no-retask  it gives the worker nothing new to do
  --command               the message is one /command line of the agent's program
  --no-enter              leave the text in the box
  --allow-blocked         paste although a dialog is up; the Enter waits until it is gone
  --confirm-timeout <s>   how long to wait for proof (default monitor.paste_confirm_timeout_seconds)
exit: 0 submitted, 1 refused or failed (nothing was sent), 3 pasted and unconfirmed, 4 pasted and not submitted`;

/** `argv` without program and script. */
export function parseFollowup(argv: readonly string[]): FollowupParse {
	const cli = parseCli(argv, {
		flags: {
			"--file": "value",
			"--message": "text",
			"--note": "text",
			"--issue": "value",
			"--comment": "value",
			"--src": "value",
			"--administrative": "switch",
			"--command": "switch",
			"--no-enter": "switch",
			"--allow-blocked": "switch",
			"--confirm-timeout": "value",
		},
		aliases: { "--no-retask": "--administrative" },
		maxPositionals: 1,
	});
	if (cli.kind === "help") return cli;
	if (cli.kind === "refused")
		return { kind: "refused", rc: cli.rc, message: cli.message };
	const [window = ""] = cli.positionals;
	const value = (flag: string) => cli.value(flag) ?? "";
	const file = cli.value("--file");
	const message = cli.value("--message");
	const timeout = cli.value("--confirm-timeout");
	const wrong =
		validateWindowName(window) ??
		(file !== undefined && message !== undefined
			? "--file and --message exclude each other"
			: null) ??
		notNumber("--issue", value("--issue")) ??
		notNumber("--comment", value("--comment")) ??
		notNumber("--confirm-timeout", timeout ?? "") ??
		(timeout === "0" ? "--confirm-timeout is at least 1" : null) ??
		(/[\t\r\n]/.test(value("--src")) ? "--src is one word" : null);
	if (wrong !== null) return { kind: "refused", rc: 1, message: wrong };
	return {
		kind: "ok",
		args: {
			window,
			from: sourceOf(file, message),
			note: value("--note"),
			issue: value("--issue"),
			comment: value("--comment"),
			src: cli.value("--src") ?? DEFAULT_SRC,
			administrative: cli.on("--administrative"),
			command: cli.on("--command"),
			noEnter: cli.on("--no-enter"),
			allowBlocked: cli.on("--allow-blocked"),
			confirmTimeout: timeout === undefined ? null : Number(timeout),
		},
	};
}

function sourceOf(
	file: string | undefined,
	message: string | undefined,
): FollowupArgs["from"] {
	if (file !== undefined) return { kind: "file", path: file };
	if (message !== undefined) return { kind: "message", text: message };
	return { kind: "stdin" };
}

function notNumber(flag: string, value: string): string | null {
	return value === "" || /^\d{1,15}$/.test(value)
		? null
		: `${flag} takes a number, not '${value}'`;
}
