/**
 * The launcher of a worker (contract 08 §8.4): POSIX shell, because only a shell can set limits and then become another
 * program in place. Pure. It is the only place where a worker's environment is made: a resume typed by hand, without
 * the exports, breaks every hook.
 */
import {
	CLAUDE_LAUNCH_ENV,
	ORCHESTRATOR_VARIABLES,
	STARTER_VARIABLES,
} from "../_sys/claude-env.ts";
import { BUN_FLAGS } from "../_sys/names.ts";
import { shellExport, shellQuote } from "../_sys/shell-quote.ts";

export interface LauncherSpec {
	/** `NEXUS_ROOT`, `NEXUS_WORKER_WINDOW` and what else the worker must have of our environment; order is kept. */
	readonly exports: readonly (readonly [name: string, value: string])[];
	/** Folders for the front of PATH. */
	readonly path: readonly string[];
	/** The operator's own shell lines, read if they are there, as for the orchestrator. */
	readonly localsEnv: string;
	/** Soft ceiling of processes; 0 = none. */
	readonly processLimit: number;
	readonly workdir: string;
	readonly launcherPath: string;
	readonly program: LaunchedProgram;
}
export type LaunchedProgram =
	| {
			readonly kind: "fresh";
			readonly claude: ClaudeCall;
			readonly sessionId: string;
			readonly promptPath: string;
	  }
	| {
			readonly kind: "resume";
			readonly claude: ClaudeCall;
			readonly sessionId: string;
			/** The first prompt of the resumed session; null = it waits. */
			readonly nudge: string | null;
	  }
	/** `claude-loop` starts claude, again and again. */
	| {
			readonly kind: "loop";
			readonly claude: ClaudeCall;
			readonly bun: string;
			readonly loop: string;
			readonly window: string;
			readonly promptPath: string;
	  };
export interface ClaudeCall {
	readonly binary: string;
	readonly settings: string;
	readonly model: string | null;
}

/** Every value is quoted. `processLimit` 0 sets none. */
export function renderLauncher(spec: LauncherSpec): string {
	const { program, processLimit } = spec;
	const locals = shellQuote(spec.localsEnv);
	return [
		"#!/bin/sh",
		...spec.exports.map(shellExport),
		...CLAUDE_LAUNCH_ENV.map(shellExport),
		`unset ${[...STARTER_VARIABLES, ...ORCHESTRATOR_VARIABLES].join(" ")}`,
		...(spec.path.length === 0 ? [] : [pathLine(spec.path)]),
		`if [ -r ${locals} ]; then . ${locals}; fi`,
		// -u is bash's and busybox's letter for processes, -p is dash's.
		...(processLimit > 0
			? [
					`ulimit -Su ${processLimit} 2>/dev/null || ulimit -Sp ${processLimit} 2>/dev/null || :`,
				]
			: []),
		`cd ${shellQuote(spec.workdir)} || exit 1`,
		...start(program, spec.launcherPath),
		"",
	].join("\n");
}

function start(
	program: LaunchedProgram,
	launcherPath: string,
): readonly string[] {
	const { binary, settings, model } = program.claude;
	const modelWords = model === null ? [] : ["--model", shellQuote(model)];
	const claude = [
		...["exec", shellQuote(binary), "--dangerously-skip-permissions"],
		...modelWords,
		...["--settings", shellQuote(settings)],
	];
	const launcher = shellQuote(launcherPath);
	switch (program.kind) {
		case "fresh": {
			const prompt = shellQuote(program.promptPath);
			const call = [...claude, "--session-id", program.sessionId];
			return [
				`prompt=$(cat ${prompt}) || exit 1`,
				`rm -f ${prompt} ${launcher}`,
				[...call, '"$prompt"'].join(" "),
			];
		}
		case "resume": {
			const { nudge } = program;
			const call = [...claude, "--resume", program.sessionId];
			return [
				`rm -f ${launcher}`,
				[...call, ...(nudge === null ? [] : [shellQuote(nudge)])].join(" "),
			];
		}
		case "loop": {
			const prompt = shellQuote(program.promptPath);
			return [
				`rm -f ${launcher}`,
				// Not exec: this shell has something left to do when the loop ends.
				`trap ${shellQuote(`rm -f ${prompt}`)} EXIT`,
				[
					...[shellQuote(program.bun), ...BUN_FLAGS, shellQuote(program.loop)],
					...["--window", shellQuote(program.window)],
					...["--prompt-file", prompt],
					...["--settings", shellQuote(settings)],
					...modelWords,
				].join(" "),
			];
		}
	}
}

function pathLine(folders: readonly string[]): string {
	const front = folders.map((dir) => `${shellQuote(dir)}:`).join("");
	return `export PATH=${front}"$PATH"`;
}
