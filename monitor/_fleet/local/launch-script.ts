/** `T/agents/<agent>/launch`: the shell file that becomes an agent (contract 09 §6.3). Pure. */
import {
	CLAUDE_LAUNCH_ENV,
	ORCHESTRATOR_VARIABLES,
	STARTER_VARIABLES,
} from "../../_sys/claude-env.ts";
import { shellExport, shellQuote } from "../../_sys/shell-quote.ts";

export interface LaunchScript {
	readonly exports: Readonly<Record<string, string>>;
	/** Folders for the front of PATH. */
	readonly path: readonly string[];
	readonly cwd: string;
	/** A line of shell, quoted. */
	readonly command: string;
	/** The first prompt; null: the agent waits. */
	readonly prompt: string | null;
}

/** Ends in a shell, so that a runtime that died leaves the session standing and can be read. */
export function renderLaunchScript(s: LaunchScript): string {
	const path = s.path.map(shellQuote).join(":");
	const prompt = s.prompt === null ? "" : ` ${shellQuote(s.prompt)}`;
	return [
		"#!/bin/sh",
		...Object.entries(s.exports).map(shellExport),
		...CLAUDE_LAUNCH_ENV.map(shellExport),
		`unset ${[...STARTER_VARIABLES, ...ORCHESTRATOR_VARIABLES].join(" ")}`,
		...(path === "" ? [] : [`PATH=${path}:"$PATH"`, "export PATH"]),
		`cd ${shellQuote(s.cwd)} || exit 1`,
		`${s.command}${prompt}`,
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's variable
		'exec "${SHELL:-/bin/sh}" -i',
		"",
	].join("\n");
}
