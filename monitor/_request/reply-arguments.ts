/** What a call of `reply` asks for. */
import { rawOf } from "../_state/request-document.ts";
import { readProvenance } from "../_state/window-provenance.ts";
import { parseCli } from "../_sys/cli.ts";
import type { Files } from "../_sys/doors.ts";
import { excerpt } from "../_sys/excerpt.ts";

export interface Asked {
	readonly kind: "ok";
	readonly id: string;
	readonly body: {
		readonly message: string | undefined;
		readonly file: string | undefined;
		readonly stdin: boolean;
	};
	readonly status: string | undefined;
	/** Name of a window. */
	readonly worker: string | undefined;
	readonly workdir: string | undefined;
	readonly issue: string | undefined;
	readonly noPublish: boolean;
	readonly amend: boolean;
	/** Files that are copied beside the answer. */
	readonly progress: string | undefined;
	readonly results: string | undefined;
}

/** A refusal has the sentence to print. */
export function replyArguments(
	args: readonly string[],
):
	| Asked
	| { readonly kind: "help" }
	| { readonly kind: "refused"; readonly why: string } {
	const cli = parseCli(args, {
		flags: {
			"--message": "text",
			"--file": "value",
			"--status": "value",
			"--worker": "value",
			"--dir": "value",
			"--issue": "value",
			"--no-publish": "switch",
			"--amend": "switch",
			"--progress": "value",
			"--results": "value",
		},
		maxPositionals: 2,
	});
	if (cli.kind === "help") return cli;
	if (cli.kind === "refused") return { kind: "refused", why: cli.message };
	const [id = "", dash] = cli.positionals;
	if (dash !== undefined && dash !== "-")
		return { kind: "refused", why: `unexpected argument '${excerpt(dash)}'` };
	const issue = cli.value("--issue");
	if (issue !== undefined && !/^[\w.-]+\/[\w.-]+#\d+$/.test(issue))
		return {
			kind: "refused",
			why: `--issue wants owner/name#number, got '${excerpt(issue)}'`,
		};
	const status = cli.value("--status");
	if (status !== undefined && !/^[\w-]+$/.test(status))
		return { kind: "refused", why: `not a status: '${excerpt(status)}'` };
	return {
		kind: "ok",
		id,
		status,
		issue,
		body: {
			message: cli.value("--message"),
			file: cli.value("--file"),
			stdin: dash === "-",
		},
		worker: cli.value("--worker"),
		workdir: cli.value("--dir"),
		noPublish: cli.on("--no-publish"),
		amend: cli.on("--amend"),
		progress: cli.value("--progress"),
		results: cli.value("--results"),
	};
}

/** Who works on it; what the window's own record says fills what the caller did not. */
export function workerFields(
	files: Files,
	stateDir: string,
	window: string,
	workdir: string | undefined,
): readonly (readonly [string, string])[] {
	const record = readProvenance(files, stateDir, window);
	return [
		["window", rawOf(window)],
		["directory", rawOf(workdir ?? record?.workdir ?? "")],
		["session_id", rawOf(record?.sessionId ?? "")],
	];
}
